// Runs that are asked for values by name: they have the bits of a run node by node, and compute nothing else.
#include "graph/run/extract.h"

#include "onnx/model_reader.h"
#include "support/models.h"

namespace broadloom::test::extract_test {
namespace {

// x -> Neg -> n -> Exp -> e -> Add(e, w) -> y; x -> Abs -> z, with an input that only `z` needs.
Graph branches() {
  return {{node("Neg", {"x"}, {"n"}), node("Exp", {"n"}, {"e"}), node("Add", {"e", "w"}, {"y"}), node("Mul", {"x", "k"}, {"m"}),
           node("Abs", {"m"}, {"z"})},
          {value_info("x", Dtype::float32), value_info("k", Dtype::float32)},
          {value_info("y", Dtype::float32), value_info("z", Dtype::float32)},
          {test::float_tensor({2}, {10, 20}, "w")}};
}

std::vector<Tensor> values_of(ModelRun& runs, const Feeds& feeds, std::vector<std::string_view> names) {
  const std::vector<ModelRun::Feed> list = list_of(feeds);
  std::vector<Tensor> plain = must(runs.run(list, {false, nullptr, names}));
  for (int i = 0; i < 2; ++i) expect_same_bits(must(runs.run(list, {true, nullptr, names})), plain);
  return plain;
}

TEST(Extract, HasTheNodesInputsAndInitializersThatItsValuesNeed) {
  const auto model = test::load(branches());
  const Value* const wanted[] = {model->find("e")};
  const auto part = must(extract(*model, wanted));
  EXPECT_EQ(part->model->graph->nodes.size(), 2U);
  EXPECT_EQ(part->model->graph->inputs.size(), 1U);
  EXPECT_EQ(part->model->graph->initializers.size(), 0U);
  EXPECT_EQ(part->inputs, std::vector<std::size_t>{0});
}

TEST(Extract, ValuesBetweenFusedNodesHaveTheBitsOfRunsNodeByNode) {
  const auto model = test::load(branches());
  ModelRun runs(*model);
  const Feeds feeds{{"x", floats({2}, {1, -2})}};
  const std::vector<Tensor> found = values_of(runs, feeds, {"n", "e", "y"});
  EXPECT_EQ(elements<float>(found[0]), (std::vector<float>{-1, 2}));
  const std::vector<Tensor> again = values_of(runs, feeds, {"y", "e"});
  expect_same_bits(again, {found[2], found[1]});
}

TEST(Extract, AnInputThatIsNotNeededMayBeLeftOutButIsCheckedWhenItIsFed) {
  const auto model = test::load(branches());
  ModelRun runs(*model);
  const std::vector<Tensor> found = values_of(runs, {{"k", floats({1}, {2})}, {"x", floats({2}, {3, 4})}}, {"m"});
  EXPECT_EQ(elements<float>(found[0]), (std::vector<float>{6, 8}));
  const Tensor x = floats({2}, {3, 4});
  const Tensor wrong = int64s({1}, {2});
  const std::string_view names[] = {"y"};
  EXPECT_TRUE(fails(runs.run(std::vector<ModelRun::Feed>{{"x", &x}, {"k", &wrong}}, {true, nullptr, names}),
                    Code::InvalidArgument, "input 'k' is int64, wanted float32"));
}

TEST(Extract, InputsAndInitializersCanBeAskedFor) {
  const auto model = test::load(branches());
  ModelRun runs(*model);
  const std::vector<Tensor> found = values_of(runs, {{"x", floats({1}, {5})}}, {"w", "x"});
  EXPECT_EQ(elements<float>(found[0]), (std::vector<float>{10, 20}));
  EXPECT_EQ(elements<float>(found[1]), (std::vector<float>{5}));
}

TEST(Extract, ManyPartsOfAModelAreKeptAndForgottenInTurn) {
  const auto model = test::load(branches());
  ModelRun runs(*model);
  const std::vector<std::string_view> names{"n", "e", "y", "m", "z", "w", "x"};
  for (std::size_t round = 0; round < 3; ++round) {
    const auto size = static_cast<std::int64_t>(round + 1);
    const Feeds feeds{{"x", floats({size, 2}, std::vector<float>(2 * round + 2, 1.5F))}, {"k", floats({1}, {2})}};
    const std::vector<Tensor> all = values_of(runs, feeds, names);
    for (std::size_t i = 0; i < names.size(); ++i) expect_same_bits(values_of(runs, feeds, {names[i]}), {all[i]});
  }
}

TEST(Extract, AnUnknownNameIsRefused) {
  const auto model = test::load(branches());
  ModelRun runs(*model);
  const std::string_view names[] = {"n", "nn"};
  EXPECT_TRUE(fails(runs.run({}, {true, nullptr, names}), Code::InvalidArgument, "outputs: no value 'nn'"));
}

}  // namespace
}  // namespace broadloom::test::extract_test
