// Operators of com.microsoft that move or sample elements, most of them as ONNX's operators do.
#include <cmath>

#include "support/before_run.h"
#include "support/layouts.h"
#include "support/numbers.h"
#include "support/random.h"
#include "support/windows.h"

namespace broadloom::op {
extern const Operator grid_sample, pad, range, trilu;
}
namespace broadloom::op::microsoft {
extern const Operator crop_and_resize, expand_dims, grid_sample, inverse, maxpool_with_mask, pad, range, trilu, unfold_tensor;
}

namespace broadloom::test::microsoft_kin_test {
namespace {

namespace ms = op::microsoft;

Tensor int32s(const List& dims, const std::vector<std::int32_t>& values) {
  return tensor_of(Dtype::int32, dims_of(dims), values);
}
Tensor int64s(const List& dims, const std::vector<std::int64_t>& values) {
  return tensor_of(Dtype::int64, dims_of(dims), values);
}

void expect_equal(const Tensor& found, const Tensor& wanted) {
  EXPECT_EQ(list(found.dims()), list(wanted.dims()));
  EXPECT_EQ(found.dtype, wanted.dtype);
  EXPECT_EQ(numbers_of(found), numbers_of(wanted));
}

TEST(MicrosoftKin, TriluRangePadAndGridSampleAreThoseOfOnnx) {
  Random random;
  for (int i = 0; i < 30; ++i) {
    const Tensor x = scrambled(random_tensor(random, Dtype::float32, {2, random.between(2, 5), random.between(2, 5)}), random);
    const Tensor k = int64s({}, {random.between(-5, 5)});
    const std::vector<Given> upper{int_attribute("upper", random.between(0, 1))};
    expect_equal(must(call(ms::trilu, {&x, &k}, upper)), must(call(op::trilu, {&x, &k}, upper)));

    const Tensor ends[] = {floats({}, {0.25F}), floats({1}, {static_cast<float>(random.between(-9, 9))}), floats({}, {1})};
    expect_equal(must(call(ms::range, {&ends[0], &ends[1]})), must(call(op::range, {&ends[0], &ends[1], &ends[2]})));

    const std::vector<Given> mode{word("mode", random.one_in(2) ? "reflect" : "constant")};
    const std::vector<std::int64_t> borders{0, 1, random.between(0, 1), 0, 1, random.between(0, 1)};
    const Tensor flat = int64s({6}, borders);
    const Tensor row = int64s({1, 6}, borders);
    const Tensor padded = must(call(op::pad, {&x, &flat}, mode));
    expect_equal(must(call(ms::pad, {&x, &flat}, mode)), padded);
    expect_equal(must(call(ms::pad, {&x, &row}, mode)), padded);

    const Tensor image = random_tensor(random, Dtype::float32, {1, 2, 3, 4});
    const Tensor grid = random_tensor(random, Dtype::float32, {1, 2, 5, 2});
    const std::vector<Given> sampled{word("mode", random.one_in(2) ? "bicubic" : "bilinear"),
                                     int_attribute("align_corners", 1)};
    expect_equal(must(call(ms::grid_sample, {&image, &grid}, sampled)),
                 must(call(op::grid_sample, {&image, &grid}, sampled, 16)));
  }
}

TEST(MicrosoftKin, PadsHaveOneAxisOrOneRow) {
  const Tensor x = floats({2}, {1, 2});
  const Tensor column = int64s({2, 1}, {1, 1});
  const Tensor few = int64s({1, 3}, {1, 1, 1});
  EXPECT_TRUE(fails(call(ms::pad, {&x, &column}), Code::InvalidArgument, "wanted one axis"));
  EXPECT_TRUE(fails(call(ms::pad, {&x, &few}), Code::InvalidArgument, "pads has 3 entries, wanted 2"));
}

TEST(MicrosoftKin, ExpandDimsInsertsOneAxis) {
  const Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  for (const auto& [axis, dims] : std::vector<std::pair<std::int32_t, List>>{
           {0, {1, 2, 3}}, {1, {2, 1, 3}}, {2, {2, 3, 1}}, {-1, {2, 3, 1}}, {-3, {1, 2, 3}}}) {
    const Tensor place = int32s({}, {axis});
    const Tensor y = must(call(ms::expand_dims, {&x, &place}));
    EXPECT_EQ(list(y.dims()), dims);
    EXPECT_EQ(elements<float>(y), elements<float>(x));
  }
  const Tensor beyond = int32s({}, {3});
  EXPECT_TRUE(fails(call(ms::expand_dims, {&x, &beyond}), Code::InvalidArgument, "'axis' is 3, which is not an axis of 3"));
  const Tensor two = int32s({2}, {0, 1});
  EXPECT_TRUE(fails(call(ms::expand_dims, {&x, &two}), Code::InvalidArgument, "'axis' has 2 entries, wanted one"));
}

TEST(UnfoldTensor, IsAViewOfEveryWindowOfAnAxis) {
  Random random;
  for (int i = 0; i < 60; ++i) {
    const std::size_t rank = static_cast<std::size_t>(random.between(1, 4));
    const List dims = random_dims(random, rank, 6);
    const auto axis = static_cast<std::size_t>(random.below(rank));
    if (dims[axis] == 0) continue;
    const Tensor x = scrambled(random_tensor(random, Dtype::float32, dims), random);
    const std::int64_t size = random.between(1, dims[axis]);
    const std::int64_t step = random.between(1, 3);
    const Tensor y = must(call(
        ms::unfold_tensor, {&x},
        {int_attribute("dim", static_cast<std::int64_t>(axis)), int_attribute("size", size), int_attribute("step", step)}));
    List wanted = dims;
    wanted[axis] = (dims[axis] - size) / step + 1;
    wanted.push_back(size);
    ASSERT_EQ(list(y.dims()), wanted);
    const Numbers from = numbers_of(x);
    const Numbers found = numbers_of(y);
    for (std::size_t k = 0; k < found.size(); ++k) {
      List place = coordinates_of(wanted, static_cast<std::int64_t>(k));
      place[axis] = place[axis] * step + place.back();
      place.pop_back();
      ASSERT_EQ(found[k], from[static_cast<std::size_t>(number_of(dims, place))]);
    }
    if (x.count() > 0) EXPECT_EQ(&*y.storage, &*x.storage);
  }
}

TEST(UnfoldTensor, WindowsFitTheAxis) {
  const Tensor x = floats({3}, {1, 2, 3});
  const auto refuses = [&](std::int64_t size, std::int64_t step, std::string_view part) {
    EXPECT_TRUE(fails(call(ms::unfold_tensor, {&x}, {int_attribute("size", size), int_attribute("step", step)}),
                      Code::InvalidArgument, part));
  };
  refuses(4, 1, "axis 0 has 3 elements, which are less than a window of 4");
  refuses(0, 1, "size is 0 and step is 1, wanted 1");
  refuses(2, 0, "size is 2 and step is 0, wanted 1");
  refuses(INT64_MIN, INT64_MAX, "wanted 1");
  const Tensor single = must(call(ms::unfold_tensor, {&x}, {int_attribute("size", 3), int_attribute("step", max_count)}));
  EXPECT_EQ(elements<float>(single), elements<float>(x));
  const Tensor scalar = floats({}, {1});
  EXPECT_TRUE(
      fails(call(ms::unfold_tensor, {&scalar}, {int_attribute("size", 1)}), Code::InvalidArgument, "a scalar has no axes"));
}

TEST(Inverse, TimesItsMatrixIsTheIdentity) {
  Random random;
  for (const Dtype dtype : {Dtype::float32, Dtype::float64, Dtype::float16}) {
    for (std::int64_t size = 0; size < 8; ++size) {
      Numbers values = random_numbers(random, dtype, static_cast<std::size_t>(3 * size * size), -1, 1);
      for (std::int64_t k = 0; k < 3 * size; ++k)
        values[static_cast<std::size_t>(k / size * size * size + k % size * (size + 1))] += 2 * static_cast<double>(size);
      const Tensor x = scrambled(tensor_of_numbers(dtype, {3, size, size}, values), random);
      const Tensor y = must(call(ms::inverse, {&x}));
      ASSERT_EQ(list(y.dims()), (List{3, size, size}));
      const Numbers a = numbers_of(x);
      const Numbers b = numbers_of(y);
      for (std::int64_t k = 0; k < 3 * size * size; ++k) {
        const std::int64_t first = k / (size * size) * size * size;
        double sum = 0;
        for (std::int64_t j = 0; j < size; ++j)
          sum += a[static_cast<std::size_t>(first + k / size % size * size + j)] *
                 b[static_cast<std::size_t>(first + j * size + k % size)];
        ASSERT_NEAR(sum, k / size % size == k % size ? 1 : 0,
                    dtype == Dtype::float64   ? 1e-13
                    : dtype == Dtype::float32 ? 1e-5
                                              : 2e-2);
      }
    }
  }
}

TEST(Inverse, RowsAreSwappedWhereADiagonalIsZero) {
  const Tensor x = floats({3, 3}, {0, 1, 0, 0, 0, 2, 4, 0, 0});
  EXPECT_EQ(elements<float>(must(call(ms::inverse, {&x}))), (std::vector<float>{0, 0, 0.25F, 1, 0, 0, 0, 0.5F, 0}));
  const Tensor singular = floats({2, 2}, {1, 2, 2, 4});
  for (const float one : elements<float>(must(call(ms::inverse, {&singular})))) EXPECT_FALSE(std::isfinite(one));
  const Tensor flat = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_TRUE(fails(call(ms::inverse, {&flat}), Code::InvalidArgument, "wanted square matrices"));
}

// By onnxruntime: a masked element ends its row of a window.
TEST(MaxpoolWithMask, AMaskedElementEndsItsRowOfAWindow) {
  Random random;
  for (int i = 0; i < 60; ++i) {
    const List dims{random.between(1, 2), random.between(1, 3), random.between(2, 6), random.between(2, 6)};
    const List mask_dims{random.one_in(2) ? 1 : dims[0], random.one_in(2) ? 1 : dims[1], dims[2], dims[3]};
    const Tensor x = scrambled(random_tensor(random, Dtype::float32, dims), random);
    std::vector<std::int32_t> flags(static_cast<std::size_t>(must(checked_count(dims_of(mask_dims)))));
    for (std::int32_t& flag : flags) flag = random.one_in(4) ? 0 : static_cast<std::int32_t>(random.between(-1, 1)) | 1;
    const Tensor mask = int32s(mask_dims, flags);
    const std::int64_t pad = random.between(0, 1);
    const std::int64_t stride = random.between(1, 2);
    const Tensor y = must(call(ms::maxpool_with_mask, {&x, &mask},
                               {ints("kernel_shape", {2, 2}), ints("pads", List(4, pad)), ints("strides", {stride, stride})}));
    const Numbers from = numbers_of(x);
    const Numbers found = numbers_of(y);
    const List places = list(y.dims());
    for (std::size_t k = 0; k < found.size(); ++k) {
      const List at = coordinates_of(places, static_cast<std::int64_t>(k));
      double most = static_cast<double>(std::numeric_limits<float>::lowest());
      for (std::int64_t row = at[2] * stride - pad; row < at[2] * stride - pad + 2; ++row) {
        for (std::int64_t column = at[3] * stride - pad; column < at[3] * stride - pad + 2; ++column) {
          if (row < 0 || row >= dims[2] || column < 0 || column >= dims[3]) continue;
          const List flag{mask_dims[0] == 1 ? 0 : at[0], mask_dims[1] == 1 ? 0 : at[1], row, column};
          if (flags[static_cast<std::size_t>(number_of(mask_dims, flag))] == 0) break;
          most = std::max(most, from[static_cast<std::size_t>(number_of(dims, {at[0], at[1], row, column}))]);
        }
      }
      ASSERT_EQ(found[k], most);
    }
  }
  const Tensor x = floats({1, 1, 3}, {1, 2, 3});
  const Tensor mask = int32s({1, 1, 2}, {1, 1});
  EXPECT_TRUE(fails(call(ms::maxpool_with_mask, {&x, &mask}, {ints("kernel_shape", {2})}), Code::InvalidArgument,
                    "'M' has dims [1, 1, 2]"));
}

TEST(CropAndResize, PlacesGoFromCornerToCorner) {
  const Tensor x = floats({1, 1, 3, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8});
  const Tensor first = int32s({1}, {0});
  const auto crop = [&](const std::vector<float>& region, const std::vector<std::int32_t>& size,
                        const std::vector<Given>& given = {}) {
    const Tensor regions = floats({1, 4}, region);
    const Tensor dims = int32s({2}, size);
    return elements<float>(must(call(ms::crop_and_resize, {&x, &regions, &first, &dims}, given)));
  };
  EXPECT_EQ(crop({0, 0, 1, 1}, {3, 3}), elements<float>(x));
  EXPECT_EQ(crop({0, 0, 1, 1}, {2, 2}), (std::vector<float>{0, 2, 6, 8}));
  EXPECT_EQ(crop({0, 0, 1, 1}, {1, 1}), (std::vector<float>{4}));
  EXPECT_EQ(crop({0.25F, 0.5F, 0.75F, 1}, {2, 3}), (std::vector<float>{2.5F, 3, 3.5F, 5.5F, 6, 6.5F}));
  EXPECT_EQ(crop({1, 1, 0, 0}, {2, 2}), (std::vector<float>{8, 6, 2, 0}));
  EXPECT_EQ(crop({0, 0, 1, 1}, {2, 5}, {word("mode", "nearest")}), (std::vector<float>{0, 1, 1, 2, 2, 6, 7, 7, 8, 8}));
  EXPECT_EQ(crop({-0.5F, 0, 1.5F, 1}, {3, 1}, {{"extrapolation_value", AttributeType::FLOAT, 9.0F}}),
            (std::vector<float>{9, 4, 9}));
  const float nan = std::nanf("");
  EXPECT_EQ(crop({nan, 0, nan, 1}, {2, 1}), (std::vector<float>{0, 0}));
  for (const float large : {INFINITY, 1e30F, -1e30F}) EXPECT_EQ(crop({large, 0, large, 1}, {1, 1}), (std::vector<float>{0}));
}

TEST(CropAndResize, EachTypeHasTheSameNumbers) {
  Random random;
  const Tensor regions = floats({3, 4}, {0, 0, 1, 1, 0.25F, 0.5F, 0.75F, 0.5F, 0.5F, 0, -1, 2});
  const Tensor batches = int32s({3}, {1, 0, 1});
  const Tensor size = int32s({2}, {3, 4});
  const Tensor x = random_tensor(random, Dtype::float16, {2, 3, 4, 5});
  const Tensor narrow_regions = tensor_of_numbers(Dtype::float16, {3, 4}, numbers_of(regions));
  const Tensor found = must(call(ms::crop_and_resize, {&x, &narrow_regions, &batches, &size}));
  EXPECT_EQ(list(found.dims()), (List{3, 3, 3, 4}));
  for (const Dtype dtype : {Dtype::float32, Dtype::float64}) {
    const Tensor wide = tensor_of_numbers(dtype, {2, 3, 4, 5}, numbers_of(x));
    const Tensor wide_regions = tensor_of_numbers(dtype, {3, 4}, numbers_of(regions));
    EXPECT_TRUE(are_near(found, numbers_of(must(call(ms::crop_and_resize, {&wide, &wide_regions, &batches, &size}))), 2e-3));
  }
}

TEST(CropAndResize, RegionsAndSizesThatDoNotFitAreRefused) {
  const Tensor x = floats({1, 1, 2, 2}, {1, 2, 3, 4});
  const Tensor region = floats({1, 4}, {0, 0, 1, 1});
  const auto refuses = [&](const Tensor& batch, const Tensor& size, std::string_view part) {
    EXPECT_TRUE(fails(call(ms::crop_and_resize, {&x, &region, &batch, &size}), Code::InvalidArgument, part));
  };
  refuses(int32s({1}, {1}), int32s({2}, {2, 2}), "region 0 is one of image 1, but there are 1");
  refuses(int32s({1}, {-1}), int32s({2}, {2, 2}), "region 0 is one of image -1");
  refuses(int32s({2}, {0, 0}), int32s({2}, {2, 2}), "'batch_indices' has dims [2], wanted [1]");
  refuses(int32s({1}, {0}), int32s({2}, {0, 2}), "wanted positive sizes");
  refuses(int32s({1}, {0}), int32s({1}, {2}), "'crop_size' has 1 entry, wanted 2");
}

class MicrosoftKinBeforeARun : public BeforeRun {};

TEST_F(MicrosoftKinBeforeARun, SizesFollowFromSizes) {
  const Tensor k = indices({});
  EXPECT_EQ(sizes(ms::trilu, {known({n(), 3}), k}), "n 3");
  EXPECT_EQ(sizes(ms::inverse, {known({n(), m(), m()})}), "n m m");
  EXPECT_EQ(sizes(ms::inverse, {known({n(), 2, 3})}), "error");
  EXPECT_EQ(sizes(ms::expand_dims, {known({n(), 3}), known({}, Dtype::int32)}), "? ? ?");
  EXPECT_EQ(sizes(ms::unfold_tensor, {known({n(), 10})}, {int_attribute("size", 4), int_attribute("step", 3)}), "n 3 4");
  EXPECT_EQ(sizes(ms::unfold_tensor, {known({3, n()})}, {int_attribute("size", 2)}), "3 n - 1 2");
  EXPECT_EQ(sizes(ms::grid_sample, {known({n(), 3, 8, 8}), known({n(), 4, m(), 2})}), "n 3 4 m");
  EXPECT_EQ(sizes(ms::pad, {known({n(), 3}), indices({1, 4})}), "? ?");
  EXPECT_EQ(sizes(ms::range, {known({}), known({})}), "?");
  EXPECT_EQ(sizes(ms::crop_and_resize,
                  {known({n(), 3, 8, 8}), known({m(), 4}), known({m()}, Dtype::int32), known({2}, Dtype::int32)}),
            "m 3 ? ?");
  EXPECT_EQ(sizes(ms::maxpool_with_mask, {known({n(), 3, 8}), known({1, 1, 8}, Dtype::int32)}, {ints("kernel_shape", {2})}),
            "n 3 7");
}

}  // namespace
}  // namespace broadloom::test::microsoft_kin_test
