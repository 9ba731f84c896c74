#include "support/before_run.h"
#include "support/layouts.h"

namespace broadloom::op {
extern const Operator concat;
}

namespace broadloom::test::concat_test {
namespace {

Result<Tensor> joined(const std::vector<Tensor>& tensors, std::int64_t axis, std::int64_t opset = newest_opset) {
  std::vector<const Tensor*> inputs;
  for (const Tensor& tensor : tensors) inputs.push_back(&tensor);
  return call(concat, inputs, {int_attribute("axis", axis)}, opset);
}

TEST(Concat, PutsTensorsOneBehindTheOther) {
  const Tensor a = floats({2, 1}, {1, 2});
  const Tensor b = floats({2, 2}, {3, 4, 5, 6});
  for (const std::int64_t opset : {1, 4, 11, 13}) {
    const Tensor result = must(joined({a, b, a}, 1, opset));
    EXPECT_EQ(list(result.dims()), (List{2, 4}));
    EXPECT_EQ(elements<float>(result), (std::vector<float>{1, 3, 4, 1, 2, 5, 6, 2}));
  }
  EXPECT_EQ(elements<float>(must(joined({b, b}, -2))), (std::vector<float>{3, 4, 5, 6, 3, 4, 5, 6}));
}

TEST(Concat, OfVersion1HasAxis1ByDefault) {
  const Tensor a = floats({1, 1}, {1});
  EXPECT_EQ(list(must(call(concat, {&a, &a}, {}, 1)).dims()), (List{1, 2}));
  EXPECT_TRUE(fails(call(concat, {&a, &a}, {}, 4), Code::InvalidArgument, "attribute 'axis' is missing"));
}

TEST(Concat, OfOneTensorIsAView) {
  const Tensor a = floats({2, 1}, {1, 2});
  EXPECT_EQ(must(joined({a}, 0)).storage.operator->(), a.storage.operator->());
}

TEST(Concat, OfEveryItemSizeAndLayoutFindsEachElement) {
  Random random;
  for (int i = 0; i < 200; ++i) {
    const auto rank = static_cast<std::size_t>(random.between(1, 4));
    const auto axis = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(rank) - 1));
    const Dtype dtype = item_types[static_cast<std::size_t>(random.between(0, 4))];
    List dims = random_dims(random, rank);
    std::vector<Tensor> parts;
    std::vector<Tensor> given;
    for (int part = 0; part < 3; ++part) {
      dims[axis] = random.between(0, 4);
      parts.push_back(distinct(dtype, dims));
      given.push_back(scrambled(parts.back(), random));
    }
    const Tensor result = must(joined(given, static_cast<std::int64_t>(axis)));
    std::int64_t before = 0;
    for (const Tensor& part : parts) {
      for (std::int64_t number = 0; number < part.count(); ++number) {
        List at = coordinates_of(list(part.dims()), number);
        at[axis] += before;
        ASSERT_EQ(item_at(result, number_of(list(result.dims()), at)), item_at(part, number));
      }
      before += part.run_dims()[axis];
    }
    EXPECT_EQ(result.dims()[axis], before);
  }
}

TEST(Concat, StringsAreMoved) {
  const Tensor a = strings({2}, {"a", "bc"});
  const Tensor b = strings({1}, {"d"});
  EXPECT_EQ(string_elements(must(joined({a, b}, 0))), (std::vector<std::string>{"a", "bc", "d"}));
}

TEST(Concat, TensorsThatDoNotFitAreRefused) {
  const Tensor a = floats({2, 1}, {1, 2});
  const auto refuses = [&](const Tensor& other, std::int64_t axis, std::string_view text) {
    return fails(joined({a, other}, axis), Code::InvalidArgument, text);
  };
  EXPECT_TRUE(refuses(floats({1, 1}, {3}), 1, "inputs have sizes 2 and 1 on axis 0, wanted equal ones"));
  EXPECT_TRUE(refuses(floats({2}, {3, 4}), 0, "cannot concatenate [2, 1] and [2]: wanted equally many axes"));
  EXPECT_TRUE(refuses(a, 2, "which is not an axis of 2"));
  EXPECT_TRUE(fails(joined({floats({}, {1})}, 0), Code::InvalidArgument, "axis"));
}

TEST_F(BeforeRun, ConcatAddsSizesAndLearnsFromAllInputs) {
  const auto along = [](std::int64_t axis) { return int_attribute("axis", axis); };
  EXPECT_EQ(sizes(concat, {known({n(), 3}), known({m(), 3})}, {along(0)}), "n + m 3");
  EXPECT_EQ(sizes(concat, {known({n(), 3}), known({2, 3})}, {along(1)}), "2 6");
  EXPECT_EQ(sizes(concat, {known({n(), 3}), unranked()}, {along(1)}), "n ?");
  EXPECT_EQ(sizes(concat, {unranked(), unranked()}, {along(1)}), "unknown");
  EXPECT_EQ(sizes(concat, {known({2, 3}), known({3, 3})}, {along(1)}), "error");
}

}  // namespace
}  // namespace broadloom::test::concat_test
