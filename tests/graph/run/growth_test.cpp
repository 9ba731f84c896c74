// Concat in place, behind the elements of feeds whose storage grows.
#include "support/cases.h"
#include "support/models.h"
#include "support/random.h"

namespace broadloom::test::growth_test {
namespace {

constexpr std::int64_t columns = 512;

// A tensor of two rows of `length` elements. Each row has room for `most`.
Tensor with_room(Random& random, std::int64_t length, std::int64_t most, bool grows) {
  Tensor whole = floats({2, most}, random_floats(random, static_cast<std::size_t>(2 * most)));
  whole.storage->grows = grows;
  return {Dtype::float32, Layout{{2, length}, {most, 1}}, whole.storage};
}

// y = state and x. The product makes a plan pay.
Graph appending() {
  return {{node("Concat", {"state", "x"}, {"y"}, {int_of("axis", 1)}), node("MatMul", {"v", "w"}, {"p"})},
          {value_info("state", Dtype::float32), value_info("x", Dtype::float32), value_info("v", Dtype::float32)},
          {value_info("y", Dtype::float32), value_info("p", Dtype::float32)},
          {float_tensor({columns, columns}, std::vector<float>(columns * columns), "w")}};
}

const Tensor vector = floats({2, columns}, std::vector<float>(2 * columns));

struct Runs {
  explicit Runs(const Graph& graph) : model(test::load(graph)), runs(*model) {}
  std::vector<Tensor> planned(const Tensor& state, const Tensor& x) {
    return must(runs.run(list_of({{"state", state}, {"x", x}, {"v", vector}})));
  }
  std::vector<Tensor> by_node(const Tensor& state, const Tensor& x) {
    return must(runs.run(list_of({{"state", state}, {"x", x}, {"v", vector}}), {false}));
  }
  ModelPtr model;
  ModelRun runs;
};

TEST(Growth, NewElementsLieBehindTheOthersWhereThereIsRoom) {
  Random random;
  Runs appended(appending());
  for (const bool grows : {true, false}) {
    for (std::int64_t length = 1; length < 9; ++length) {
      const Tensor state = with_room(random, length, 8, grows);
      const Tensor x = floats({2, 1}, random_floats(random, 2));
      const std::vector<Tensor> wanted = appended.by_node(state, x);
      const std::vector<Tensor> found = appended.planned(state, x);
      expect_same_bits(found, wanted);
      EXPECT_EQ(&*found[0].storage == &*state.storage, grows && length < 8) << length;
    }
  }
}

TEST(Growth, OnlyTensorsWhoseStorageGrowsAreWrittenTo) {
  Random random;
  Runs appended(appending());
  const Tensor x = floats({2, 1}, random_floats(random, 2));
  for (const bool grows : {true, false, true, false}) {
    const Tensor state = with_room(random, 3, 5, grows);
    const Tensor whole{Dtype::float32, dense_layout({10}), state.storage};
    const Bytes before = bytes_of(whole);
    appended.planned(state, x);
    EXPECT_EQ(bytes_of(whole) == before, !grows);
  }
}

TEST(Growth, WhatAnElementwiseNodeReadsIsThereBefore) {
  Random random;
  constexpr std::int64_t length = 7;
  // Without the Concat, the Add would be computed with the product.
  Graph graph = appending();
  graph.nodes.insert(graph.nodes.begin(), node("MatMul", {"v", "b"}, {"q"}));
  graph.nodes.push_back(node("Add", {"q", "y"}, {"z"}));
  graph.initializers.push_back(float_tensor({columns, length + 1}, random_floats(random, columns * (length + 1)), "b"));
  graph.outputs[0] = value_info("z", Dtype::float32);
  Runs changed(graph);
  for (int run = 0; run < 3; ++run) {
    const Tensor state = with_room(random, length, length + 1, true);
    const Tensor x = floats({2, 1}, random_floats(random, 2));
    const std::vector<Tensor> wanted = changed.by_node(state, x);
    expect_same_bits(changed.planned(state, x), wanted);
  }
}

TEST(Growth, IterationsOfABodyKeepWhatEachOfThemMade) {
  Random random;
  const Graph body{
      {node("Identity", {"goes_on"}, {"goes_on_next"}), node("Cast", {"i"}, {"number"}, {int_of("to", 1)}),
       node("Expand", {"number", "column"}, {"new"}), node("Concat", {"state", "new"}, {"longer"}, {int_of("axis", 1)})},
      {value_info("i", Dtype::int64), value_info("goes_on", Dtype::boolean)},
      {value_info("goes_on_next", Dtype::boolean), value_info("longer", Dtype::float32)}};
  const auto model = test::load(Graph{{node("Loop", {"times", ""}, {"all"}, {graph_of("body", body)})},
                                      {value_info("state", Dtype::float32), value_info("times", Dtype::int64)},
                                      {value_info("all", Dtype::float32)},
                                      {int64_tensor({2}, {2, 1}, "column")}});
  ModelRun runs(*model);
  for (int run = 0; run < 3; ++run) {
    const Tensor state = with_room(random, 3, 8, true);
    const Feeds feeds{{"state", state}, {"times", int64s({}, {5})}};
    const std::vector<Tensor> wanted = must(runs.run(list_of(feeds), {false}));
    expect_same_bits(must(runs.run(list_of(feeds))), wanted);
  }
}

}  // namespace
}  // namespace broadloom::test::growth_test
