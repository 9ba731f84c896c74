// Models that fuzzers change (tests/fuzz), before they are changed: they load and run. And files that end too early.
#include "graph/infer/shape_inference.h"
#include "support/damaged_files.h"
#include "support/tensor_files.h"

namespace broadloom::fuzz_test {
namespace {

using test::Random;
// ---- Checks ----

// Reads every element of a tensor that is not too large, and all of its text.
void expect_whole(const Tensor& tensor) {
  ASSERT_TRUE(dtype_from_id(static_cast<int>(tensor.dtype)));
  ASSERT_GE(tensor.count(), 0);
  if (tensor.count() > 100000) return;
  const auto file = write_tensor_proto(tensor);
  ASSERT_TRUE(test::succeeds(file));
  const std::string_view bytes(reinterpret_cast<const char*>(file->data()), dense_size(*file));
  const auto again = test::read_tensor(bytes);
  ASSERT_TRUE(test::succeeds(again));
  EXPECT_EQ(test::list(again->dims()), test::list(tensor.dims()));
  if (tensor.dtype == Dtype::string) {
    EXPECT_EQ(test::string_elements(*again), test::string_elements(tensor));
  } else {
    EXPECT_EQ(test::bytes_of(*again), test::bytes_of(tensor));
  }
}

// A feed for every input: ones if it may be a shape, or else zeros; with the declared dims if they are small, or else
// with dims that do not fit.
test::Feeds declared_feeds(const Model& model, Random& random) {
  test::Feeds feeds;
  for (const GraphInput& input : model.graph->inputs) {
    if (input.initializer != nullptr && random.one_in(2)) continue;
    test::List dims;
    for (const Dimension& dim : input.info.dims) {
      if (dims.size() < 6) dims.push_back(dim.value >= 0 && dim.value < 5 ? dim.value : 1);
    }
    const Dtype dtype = input.info.dtype == Dtype::undefined ? Dtype::float32 : input.info.dtype;
    Tensor tensor = test::zeros(dtype, test::dims_of(dims));
    if (tensor.dtype == Dtype::boolean) std::fill_n(tensor.data(), tensor.count(), std::byte(random.between(0, 1)));
    if (tensor.dtype == Dtype::int64) std::fill_n(reinterpret_cast<std::int64_t*>(tensor.data()), tensor.count(), 1);
    feeds.emplace_back(input.info.name, std::move(tensor));
  }
  return feeds;
}

// Reads all properties of a model's nodes.
void look_at(const Model& model) {
  ShapeInference inference(model);
  if (!inference.run()) return;
  std::vector<std::string_view> names(model.symbols.size());
  for (const Name* one = model.symbols.last(); one != nullptr; one = one->next) names[one->number] = one->text;
  for (const Graph& graph : model.graphs()) {
    for (const Node& node : graph.nodes) {
      EXPECT_FALSE(node.op_type.empty());
      EXPECT_TRUE(node.op != nullptr || !node.runs());
      for (const Value* value : node.outputs) {
        if (value == nullptr || !inference[*value].is_ranked()) continue;
        for (const Size size : inference[*value].dims()) {
          EXPECT_FALSE(size.is_negative());
          Text text;
          if (!size.is_number()) inference.expressions().append(text, size, names);
        }
      }
    }
  }
}

void load_and_run(const std::string& file, Random& random) {
  // A copy of exactly this size, so that sanitizers detect a read past it.
  const std::vector<char> exact(file.begin(), file.end());
  const test::ModelPtr model = test::must(read_model({exact.data(), exact.size()}));
  look_at(*model);
  const auto outputs = test::run(*model, declared_feeds(*model, random));
  ASSERT_TRUE(test::succeeds(outputs));
  ASSERT_EQ(outputs->size(), model->graph->outputs.size());
  for (const Tensor& output : *outputs) expect_whole(output);
}

TEST(ModelsForFuzzers, Run) {
  std::vector<std::string> files = test::synthetic_models();
  for (std::string& file : test::nested_models()) files.push_back(std::move(file));
  for (const std::string& file : files) {
    Random random;
    load_and_run(file, random);
  }
}

TEST(ModelsForFuzzers, MayHaveUnsupportedParts) {
  const std::string file = test::strange_model();
  EXPECT_FALSE(read_model(file));
  const test::ModelPtr model = test::must(read_model(file, {Unsupported::allowed}));
  look_at(*model);
  EXPECT_TRUE(test::fails(test::run(*model), Code::UnknownOperator, "Weave"));
}

TEST(CutOffModels, AreRefusedAtEveryLength) {
  for (const std::string& file : test::synthetic_models()) {
    for (std::size_t size = 0; size < file.size(); ++size) {
      const std::vector<char> exact(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_TRUE(test::fails(read_model({exact.data(), exact.size()}), Code::InvalidModel)) << size;
    }
  }
}

}  // namespace
}  // namespace broadloom::fuzz_test
