#include "support/before_run.h"
#include "support/layouts.h"

namespace broadloom::op {
extern const Operator slice;
}

namespace broadloom::test::slice_test {
namespace {

struct Bounds {
  List starts;
  List ends;
  List axes;
  List steps;
};

Result<Tensor> sliced(const Tensor& data, const Bounds& bounds, std::int64_t opset = newest_opset, bool is_wide = true) {
  std::vector<Tensor> lists;
  for (const List* values : {&bounds.starts, &bounds.ends, &bounds.axes, &bounds.steps}) {
    lists.push_back(indices_of(is_wide, {static_cast<std::int64_t>(values->size())}, *values));
  }
  const Tensor* axes = bounds.axes.empty() ? nullptr : &lists[2];
  const Tensor* steps = bounds.steps.empty() ? nullptr : &lists[3];
  return call(slice, {&data, &lists[0], &lists[1], axes, steps}, {}, opset);
}

const Tensor& ten() {
  static const Tensor tensor = floats({10}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  return tensor;
}

std::vector<float> of_ten(std::int64_t start, std::int64_t end, std::int64_t step = 1) {
  return elements<float>(must(sliced(ten(), {{start}, {end}, {0}, {step}})));
}

using Floats = std::vector<float>;

TEST(Slice, TakesFromStartUpToEnd) {
  EXPECT_EQ(of_ten(2, 5), (Floats{2, 3, 4}));
  EXPECT_EQ(of_ten(-3, -1), (Floats{7, 8}));
  EXPECT_EQ(of_ten(7, INT64_MAX), (Floats{7, 8, 9}));
  EXPECT_EQ(of_ten(INT64_MIN, 2), (Floats{0, 1}));
  EXPECT_EQ(of_ten(5, 2), Floats{});
  EXPECT_EQ(of_ten(10, 12), Floats{});
}

TEST(Slice, GoesBySteps) {
  EXPECT_EQ(of_ten(0, 10, 3), (Floats{0, 3, 6, 9}));
  EXPECT_EQ(of_ten(1, 9, 4), (Floats{1, 5}));
  EXPECT_EQ(of_ten(1, 10, INT64_MAX), (Floats{1}));
}

TEST(Slice, GoesBackBySteps) {
  EXPECT_EQ(of_ten(-1, INT64_MIN, -4), (Floats{9, 5, 1}));
  EXPECT_EQ(of_ten(20, 6, -1), (Floats{9, 8, 7}));
  EXPECT_EQ(of_ten(3, -11, -2), (Floats{3, 1}));
  EXPECT_EQ(of_ten(3, 5, -1), Floats{});
  EXPECT_EQ(of_ten(9, 0, INT64_MIN), (Floats{9}));
}

TEST(Slice, GoingBackFromBeforeTheAxisBeginsAtItsFirstItem) {
  EXPECT_EQ(of_ten(-20, INT64_MIN, -1), (Floats{0}));
  EXPECT_EQ(of_ten(INT64_MIN, -30, -3), (Floats{0}));
  EXPECT_EQ(elements<float>(must(sliced(floats({0}, {}), {{-1}, {INT64_MIN}, {0}, {-1}}))), Floats{});
}

TEST(Slice, OfVersion1TakesAttributes) {
  const Tensor data = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto given = [](std::string_view name, const List& values) {
    return Given{name, AttributeType::INTS, shape_of(values)};
  };
  const Tensor both = must(call(slice, {&data}, {given("starts", {1, -2}), given("ends", {2, 1000})}, 1));
  EXPECT_EQ(elements<float>(both), (Floats{5, 6}));
  const Tensor one = must(call(slice, {&data}, {given("starts", {1}), given("ends", {2}), given("axes", {1})}, 1));
  EXPECT_EQ(elements<float>(one), (Floats{2, 5}));
}

TEST(Slice, TakesInt32AndInt64) {
  for (const std::int64_t opset : {10, 11, 13}) {
    for (const bool is_wide : {false, true}) {
      const Tensor result = must(sliced(ten(), {{1}, {8}, {-1}, {3}}, opset, is_wide));
      EXPECT_EQ(elements<float>(result), (Floats{1, 4, 7})) << opset;
    }
  }
}

TEST(Slice, IsAViewOfEveryType) {
  for (const Dtype dtype : item_types) {
    const Tensor data = distinct(dtype, {4, 5});
    const Tensor result = must(sliced(data, {{3, 1}, {INT64_MIN, 5}, {0, 1}, {-2, 2}}));
    EXPECT_EQ(result.storage.operator->(), data.storage.operator->());
    EXPECT_EQ(list(result.dims()), (List{2, 2}));
    const Tensor dense = must(densify(result));
    for (const auto& [to, from] : std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 16}, {1, 18}, {2, 6}, {3, 8}}) {
      EXPECT_EQ(item_at(dense, to), item_at(data, from));
    }
  }
}

TEST(Slice, StringsAreMoved) {
  const Tensor texts = strings({3}, {"a", "bc", "d"});
  EXPECT_EQ(string_elements(must(sliced(texts, {{-1}, {INT64_MIN}, {0}, {-2}}))), (std::vector<std::string>{"d", "a"}));
}

TEST(Slice, ListsThatDoNotBelongTogetherAreRefused) {
  const auto refuses = [&](const Bounds& bounds, std::string_view text) {
    return fails(sliced(ten(), bounds), Code::InvalidArgument, text);
  };
  EXPECT_TRUE(refuses({{0}, {1, 2}, {}, {}}, "starts has 1 entry, but ends, axes or steps has 2"));
  EXPECT_TRUE(refuses({{0}, {1}, {0, 1}, {}}, "starts has 1 entry, but ends, axes or steps has 2"));
  EXPECT_TRUE(refuses({{0, 0}, {1, 1}, {}, {}}, "starts has 2 entries, but data has 1 axis"));
  EXPECT_TRUE(refuses({{0}, {1}, {1}, {}}, "which is not an axis of 1"));
  EXPECT_TRUE(refuses({{0, 0}, {1, 1}, {0, -1}, {}}, "twice"));
  EXPECT_TRUE(refuses({{0}, {1}, {0}, {0}}, "entry 0 is 0"));
}

TEST_F(BeforeRun, SliceFollowsExpressions) {
  const auto of = [&](const SizeList& dims, const SizeList& starts, const SizeList& ends, const SizeList& steps = {1}) {
    return sizes(slice, {known(dims), shape_of(starts), shape_of(ends), shape_of({0}), shape_of(steps)});
  };
  EXPECT_EQ(of({n(), 3}, {0}, {INT64_MAX}), "n 3");
  EXPECT_EQ(of({n()}, {0}, {m()}), "min(m, n)");
  EXPECT_EQ(of({7}, {2}, {-1}, {2}), "2");
  EXPECT_EQ(of({n()}, {-1}, {INT64_MIN}, {-1}), "n");
  EXPECT_EQ(of({n(), 3}, {5}, {0}, {-1}), "? 3");
  EXPECT_EQ(sizes(slice, {known({n(), 3}), indices({1}), indices({1})}), "? 3");
  EXPECT_EQ(sizes(slice, {unranked(), shape_of({0}), shape_of({1})}), "unknown");
}

TEST_F(BeforeRun, SliceKeepsElementsThatAreExpressions) {
  EXPECT_EQ(sizes(slice, {int64s({3}, {n(), 4, m()}), shape_of({-1}), shape_of({INT64_MAX})}), "1");
  ASSERT_TRUE(outputs_[0].has_elements());
  EXPECT_EQ(elements<Size>(outputs_[0]), SizeList{m()});
}

}  // namespace
}  // namespace broadloom::test::slice_test
