#include "support/calls.h"
#include "support/cases.h"
#include "support/layouts.h"

namespace broadloom::op {
extern const Operator gather, gather_elements, gather_nd, where;
}

namespace broadloom::test::gather_test {
namespace {

Result<Tensor> gathered(const Tensor& data, const Tensor& indices, std::int64_t axis = 0, std::int64_t opset = newest_opset) {
  return call(gather, {&data, &indices}, {int_attribute("axis", axis)}, opset);
}

const Tensor& table() {
  static const Tensor tensor = floats({3, 4}, {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23});
  return tensor;
}

void expect_floats(const Tensor& tensor, const List& dims, const std::vector<float>& values) {
  EXPECT_EQ(list(tensor.dims()), dims);
  EXPECT_EQ(elements<float>(tensor), values);
}

TEST(Gather, TakesRowsByIndices) {
  for (const std::int64_t opset : {1, 11, 13}) {
    expect_floats(must(gathered(table(), int64s({2}, {2, 0}), 0, opset)), {2, 4}, {20, 21, 22, 23, 0, 1, 2, 3});
    expect_floats(must(gathered(table(), int64s({1, 2}, {1, 1}), 1, opset)), {3, 1, 2}, {1, 1, 11, 11, 21, 21});
  }
}

TEST(Gather, NegativeIndicesAndAxesCountFromTheEnd) {
  expect_floats(must(gathered(table(), int64s({2}, {-1, -4}), -1)), {3, 2}, {3, 0, 13, 10, 23, 20});
}

TEST(Gather, OneIndexIsAViewOfTheData) {
  const Tensor row = must(gathered(table(), int64s({}, {1})));
  EXPECT_EQ(row.data(), table().data() + 4 * sizeof(float));
  expect_floats(row, {4}, {10, 11, 12, 13});
  expect_floats(must(gathered(table(), int64s({1, 1}, {-1}), 1)), {3, 1, 1}, {3, 13, 23});
  expect_floats(must(gathered(table(), indices_of(false, {}, {2}), 1)), {3}, {2, 12, 22});
}

TEST(Gather, OneIndexOfDataThatMayBeWrittenIsACopy) {
  Tensor data = floats({2, 2}, {1, 2, 3, 4});
  must(expose(data));
  const Tensor row = must(gathered(data, int64s({}, {1})));
  *reinterpret_cast<float*>(data.data() + 3 * sizeof(float)) = 9;
  expect_floats(row, {2}, {3, 4});
}

TEST(Gather, AnIndexOutOfBoundsIsNamedWithItsPlace) {
  EXPECT_TRUE(fails(gathered(table(), int64s({2, 2}, {0, 1, 3, 0})), Code::InvalidArgument,
                    "Gather-13: index 3 at [1, 0] of indices is out of bounds: axis 0 of [3, 4] takes -3 to 2"));
  EXPECT_TRUE(fails(gathered(table(), int64s({}, {-4})), Code::InvalidArgument, "index -4 at [] of indices"));
  EXPECT_TRUE(fails(gathered(table(), int64s({3}, {0, 0, INT64_MIN}), 1), Code::InvalidArgument, "at [2] of indices"));
  EXPECT_TRUE(fails(gathered(floats({0, 2}, {}), int64s({1}, {0})), Code::InvalidArgument, "axis 0 of [0, 2]"));
}

TEST(Gather, NothingIsLookedUpWhereNothingIsToBeWritten) {
  expect_floats(must(gathered(table(), int64s({0}, {}))), {0, 4}, {});
  expect_floats(must(gathered(floats({3, 0}, {}), int64s({2}, {1, 2}))), {2, 0}, {});
  const Tensor one = int64s({1}, {1});
  const Tensor many{Dtype::int64, uniform_layout({std::int64_t{1} << 50}), one.storage};
  EXPECT_EQ(list(must(gathered(floats({3, 0}, {}), many)).dims()), (List{std::int64_t{1} << 50, 0}));
  EXPECT_TRUE(fails(gathered(table(), many), Code::OutOfMemory));
}

TEST(Gather, AScalarHasNoAxis) {
  EXPECT_TRUE(fails(gathered(floats({}, {1}), int64s({}, {0})), Code::InvalidArgument, "'axis' is 0"));
  EXPECT_TRUE(fails(gathered(table(), int64s({}, {0}), 2), Code::InvalidArgument, "'axis' is 2"));
}

TEST(Gather, TheRankOfTheResultHasALimit) {
  EXPECT_TRUE(fails(gathered(floats(Dims(200, 1), {1}), int64s(Dims(60, 1), {0})), Code::InvalidArgument, "259 axes"));
}

TEST(Gather, StringsAreGathered) {
  const Tensor data = strings({2, 2}, {"a", "bc", "", "d\xC3\xA9"});
  EXPECT_EQ(string_elements(must(gathered(data, int64s({3}, {1, 0, 1})))),
            (std::vector<std::string>{"", "d\xC3\xA9", "a", "bc", "", "d\xC3\xA9"}));
}

TEST(Gather, RandomCallsEqualTheElementsFoundOneByOne) {
  Random random;
  for (int round = 0; round < rounds(1500); ++round) {
    const Dtype dtype = item_types[random.below(5)];
    const List dims = random_dims(random, 1 + random.below(4), round % 50 == 0 ? 6 : 4);
    const List places = random_dims(random, random.below(4), round % 50 == 0 ? 6 : 4);
    const std::size_t axis = random.below(dims.size());
    List values(static_cast<std::size_t>(*checked_count(places)));
    for (auto& value : values) value = random.between(-dims[axis], dims[axis] - 1);
    const Tensor data = distinct(dtype, dims);
    const Tensor indices = indices_of(random.one_in(2), places, values);
    const Tensor result = must(gathered(random.one_in(2) ? data : scrambled(data, random),
                                        random.one_in(2) ? indices : scrambled(indices, random), static_cast<int>(axis)));
    List out(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(axis));
    out.insert(out.end(), places.begin(), places.end());
    out.insert(out.end(), dims.begin() + static_cast<std::ptrdiff_t>(axis) + 1, dims.end());
    ASSERT_EQ(list(result.dims()), out);
    const Tensor dense = must(densify(result));
    for (std::int64_t i = 0; i < dense.count(); ++i) {
      const List at = coordinates_of(out, i);
      List from(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(axis));
      const auto list_begin = at.begin() + static_cast<std::ptrdiff_t>(axis);
      const auto list_end = list_begin + static_cast<std::ptrdiff_t>(places.size());
      const std::int64_t index = values[static_cast<std::size_t>(number_of(places, List(list_begin, list_end)))];
      from.push_back(index < 0 ? index + dims[axis] : index);
      from.insert(from.end(), list_end, at.end());
      ASSERT_EQ(item_at(dense, i), item_at(data, number_of(dims, from)));
    }
  }
}

// ---- GatherElements ----

Result<Tensor> picked(const Tensor& data, const Tensor& indices, std::int64_t axis = 0) {
  return call(gather_elements, {&data, &indices}, {int_attribute("axis", axis)});
}

TEST(GatherElements, EachIndexCountsOnOneAxisAtItsOwnPlaceOnTheOthers) {
  expect_floats(must(picked(floats({2, 2}, {1, 2, 3, 4}), int64s({2, 2}, {0, 0, 1, 0}), 1)), {2, 2}, {1, 1, 4, 3});
  expect_floats(must(picked(table(), indices_of(false, {1, 3}, {2, -2, 0}))), {1, 3}, {20, 11, 2});
}

TEST(GatherElements, IndicesAreNoLongerThanDataOnOtherAxes) {
  expect_floats(must(picked(table(), int64s({5, 1}, {0, 1, 2, 1, 0}))), {5, 1}, {0, 10, 20, 10, 0});
  EXPECT_TRUE(fails(picked(table(), int64s({1, 5}, {0, 1, 2, 1, 0})), Code::InvalidArgument,
                    "indices has dims [1, 5], wanted the rank of data [3, 4], and no longer axis except axis 0"));
  EXPECT_TRUE(fails(picked(table(), int64s({1}, {0})), Code::InvalidArgument, "indices has dims [1]"));
}

TEST(GatherElements, AnIndexOutOfBoundsIsNamedWithItsPlace) {
  EXPECT_TRUE(fails(picked(table(), int64s({2, 2}, {0, 1, 2, -5}), 1), Code::InvalidArgument,
                    "index -5 at [1, 1] of indices is out of bounds: axis 1 of [3, 4] takes -4 to 3"));
}

TEST(GatherElements, ALazyBroadcastIsReadWhereItLies) {
  const Tensor one = floats({1}, {7});
  const Tensor huge{Dtype::float32, uniform_layout({std::int64_t{1} << 30, std::int64_t{1} << 20}), one.storage};
  expect_floats(must(picked(huge, int64s({1, 2}, {123456789, -1}))), {1, 2}, {7, 7});
}

TEST(GatherElements, StringsAreGathered) {
  EXPECT_EQ(string_elements(must(picked(strings({2}, {"a", "bc"}), int64s({3}, {1, 0, 1})))),
            (std::vector<std::string>{"bc", "a", "bc"}));
}

TEST(GatherElements, RandomCallsEqualTheElementsFoundOneByOne) {
  Random random;
  for (int round = 0; round < cases() / 4; ++round) {
    const Dtype dtype = item_types[random.below(5)];
    const List dims = random_dims(random, 1 + random.below(4), round % 50 == 0 ? 12 : 4);
    const std::size_t axis = random.below(dims.size());
    List out = dims;
    for (auto& size : out) size = random.between(0, 20) == 0 ? 0 : random.between(1, size);
    out[axis] = random.between(1, 30);
    List values(static_cast<std::size_t>(*checked_count(out)));
    for (auto& value : values) value = random.between(-dims[axis], dims[axis] - 1);
    const Tensor data = distinct(dtype, dims);
    const Tensor indices = indices_of(random.one_in(2), out, values);
    const Tensor result = must(picked(random.one_in(2) ? data : scrambled(data, random),
                                      random.one_in(2) ? indices : scrambled(indices, random), static_cast<int>(axis)));
    ASSERT_EQ(list(result.dims()), out);
    for (std::int64_t i = 0; i < result.count(); ++i) {
      List from = coordinates_of(out, i);
      const std::int64_t index = values[static_cast<std::size_t>(i)];
      from[axis] = index < 0 ? index + dims[axis] : index;
      ASSERT_EQ(item_at(result, i), item_at(data, number_of(dims, from)));
    }
  }
}

// ---- GatherND ----

Result<Tensor> gathered_nd(const Tensor& data, const Tensor& indices, std::int64_t batch_dims = 0,
                           std::int64_t opset = newest_opset) {
  if (opset < 12) return call(gather_nd, {&data, &indices}, {}, opset);
  return call(gather_nd, {&data, &indices}, {int_attribute("batch_dims", batch_dims)}, opset);
}

TEST(GatherND, TuplesPointAtElementsOrBlocks) {
  for (const std::int64_t opset : {11, 12, 13}) {
    expect_floats(must(gathered_nd(table(), int64s({2, 2}, {0, 0, 2, -1}), 0, opset)), {2}, {0, 23});
    expect_floats(must(gathered_nd(table(), int64s({2, 1}, {1, 0}), 0, opset)), {2, 4}, {10, 11, 12, 13, 0, 1, 2, 3});
    expect_floats(must(gathered_nd(table(), int64s({2}, {1, 1}), 0, opset)), {}, {11});
  }
}

TEST(GatherND, BatchAxesAreCommonToBoth) {
  expect_floats(must(gathered_nd(table(), int64s({3, 1}, {0, 1, -1}), 1)), {3}, {0, 11, 23});
  EXPECT_TRUE(fails(gathered_nd(table(), int64s({2, 1}, {0, 1}), 1), Code::InvalidArgument, "differ on axis 0"));
  EXPECT_TRUE(fails(gathered_nd(table(), int64s({3, 1}, {0, 1, 2}), 2), Code::InvalidArgument, "no axis after the first 2"));
  EXPECT_TRUE(fails(gathered_nd(table(), int64s({3, 1}, {0, 1, 2}), -1), Code::InvalidArgument, "no axis after the first -1"));
}

TEST(GatherND, TuplesHaveAsManyIndicesAsDataHasAxesAtMost) {
  EXPECT_TRUE(fails(gathered_nd(table(), int64s({1, 3}, {0, 0, 0})), Code::InvalidArgument, "hold tuples of 3, wanted 1 to 2"));
  EXPECT_TRUE(fails(gathered_nd(table(), int64s({1, 0}, {})), Code::InvalidArgument, "hold tuples of 0"));
}

TEST(GatherND, AnIndexOutOfBoundsIsNamedWithItsPlace) {
  EXPECT_TRUE(fails(gathered_nd(table(), int64s({2, 2}, {0, 1, 1, 4})), Code::InvalidArgument,
                    "index 4 at [1, 1] of indices is out of bounds: axis 1 of [3, 4] takes -4 to 3"));
}

TEST(GatherND, RandomCallsEqualTheElementsFoundOneByOne) {
  Random random;
  for (int round = 0; round < rounds(1500); ++round) {
    const Dtype dtype = item_types[random.below(5)];
    const List dims = random_dims(random, 1 + random.below(4));
    const std::size_t batch = random.below(dims.size());
    const std::size_t tuple = 1 + random.below(dims.size() - batch);
    List places(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(batch));
    for (std::size_t i = random.below(3); i-- > 0;) places.push_back(random.between(1, 9));
    List index_dims = places;
    index_dims.push_back(static_cast<std::int64_t>(tuple));
    List values(static_cast<std::size_t>(*checked_count(index_dims)));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::int64_t size = dims[batch + i % tuple];
      values[i] = random.between(-size, size - 1);
    }
    const Tensor data = distinct(dtype, dims);
    const Tensor indices = int64s(dims_of(index_dims), values);
    const Tensor result = must(gathered_nd(random.one_in(2) ? data : scrambled(data, random),
                                           random.one_in(2) ? indices : scrambled(indices, random), static_cast<int>(batch)));
    List out = places;
    out.insert(out.end(), dims.begin() + static_cast<std::ptrdiff_t>(batch + tuple), dims.end());
    ASSERT_EQ(list(result.dims()), out);
    for (std::int64_t i = 0; i < result.count(); ++i) {
      const List at = coordinates_of(out, i);
      const auto places_end = at.begin() + static_cast<std::ptrdiff_t>(places.size());
      const std::int64_t number = number_of(places, List(at.begin(), places_end));
      List from(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(batch));
      for (std::size_t t = 0; t < tuple; ++t) {
        const std::int64_t index = values[static_cast<std::size_t>(number) * tuple + t];
        from.push_back(index < 0 ? index + dims[batch + t] : index);
      }
      from.insert(from.end(), places_end, at.end());
      ASSERT_EQ(item_at(result, i), item_at(data, number_of(dims, from)));
    }
  }
}

// ---- Where ----

Result<Tensor> selected(const Tensor& condition, const Tensor& x, const Tensor& y, std::int64_t opset = newest_opset) {
  return call(where, {&condition, &x, &y}, {}, opset);
}

TEST(Where, TakesXWhereTheConditionHoldsAndYElsewhere) {
  for (const std::int64_t opset : {9, 16}) {
    expect_floats(must(selected(bools({3}, {1, 0, 1}), floats({3}, {1, 2, 3}), floats({3}, {4, 5, 6}), opset)), {3}, {1, 5, 3});
  }
}

TEST(Where, AllThreeBroadcast) {
  expect_floats(must(selected(bools({2, 1}, {1, 0}), floats({3}, {1, 2, 3}), floats({}, {9}))), {2, 3}, {1, 2, 3, 9, 9, 9});
  expect_floats(must(selected(bools({}, {0}), floats({}, {1}), floats({}, {2}))), {}, {2});
  expect_floats(must(selected(bools({2, 1}, {1, 0}), floats({1, 0}, {}), floats({}, {9}))), {2, 0}, {});
  EXPECT_TRUE(fails(selected(bools({2}, {1, 0}), floats({3}, {1, 2, 3}), floats({}, {9})), Code::InvalidArgument,
                    "cannot broadcast [3] to [2]"));
}

TEST(Where, StringsOfTwoTensorsAreMerged) {
  const Tensor result = must(selected(bools({2, 1}, {1, 0}), strings({2}, {"a", "bc"}), strings({}, {"def"})));
  EXPECT_EQ(string_elements(result), (std::vector<std::string>{"a", "bc", "def", "def"}));
}

TEST(Where, RandomCallsEqualTheElementsFoundOneByOne) {
  Random random;
  for (int round = 0; round < rounds(3000); ++round) {
    const Dtype dtype = item_types[random.below(5)];
    const List dims = random_dims(random, random.below(5), round % 20 == 0 ? 17 : 5);
    Tensor operands[3];
    List own[3];
    for (std::size_t o = 0; o < 3; ++o) {
      own[o] = List(dims.begin() + static_cast<std::ptrdiff_t>(random.below(dims.size() + 1)), dims.end());
      if (random.one_in(3)) own[o] = dims;
      for (auto& size : own[o]) size = random.one_in(4) ? 1 : size;
      operands[o] = distinct(o == 0 ? Dtype::boolean : dtype, own[o]);
      for (std::size_t i = 0; i < dense_size(operands[o]); ++i) {
        operands[o].data()[i] = static_cast<std::byte>(random.between(0, o == 0 ? 1 : 127));
      }
    }
    Tensor given[3];
    for (std::size_t o = 0; o < 3; ++o) given[o] = random.one_in(2) ? operands[o] : scrambled(operands[o], random);
    const Tensor result = must(selected(given[0], given[1], given[2]));
    const List out = list(result.dims());
    const auto number = [&](std::size_t o, const List& at) {
      List from(at.end() - static_cast<std::ptrdiff_t>(own[o].size()), at.end());
      for (std::size_t i = 0; i < from.size(); ++i) from[i] = own[o][i] == 1 ? 0 : from[i];
      return number_of(own[o], from);
    };
    const Bytes bytes = bytes_of(result);
    const auto size = static_cast<std::ptrdiff_t>(item_size(dtype));
    const Bytes sources[] = {bytes_of(operands[0]), bytes_of(operands[1]), bytes_of(operands[2])};
    for (std::int64_t i = 0; i < result.count(); ++i) {
      const List at = coordinates_of(out, i);
      const std::size_t o = sources[0][static_cast<std::size_t>(number(0, at))] != 0 ? 1 : 2;
      const auto from = sources[o].begin() + number(o, at) * size;
      ASSERT_TRUE(std::equal(from, from + size, bytes.begin() + i * size));
    }
  }
}

}  // namespace
}  // namespace broadloom::test::gather_test
