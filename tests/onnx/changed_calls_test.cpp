// Every operator, called with inputs of other dims than those of official cases and of onnxruntime's: there is an error, or
// outputs whose dims prepare announced before the run.
#include <limits>

#include "core/expressions.h"
#include "ops/arguments.h"
#include "support/calls.h"
#include "support/failing_runs.h"
#include "support/microsoft.h"
#include "support/official_case.h"
#include "support/tensor_files.h"

namespace broadloom::test::changed_calls_test {
namespace {

using Inputs = std::vector<const Tensor*>;

struct Counts {
  int ran = 0;
  int failed = 0;
};

// Where a run has these outputs, prepare has them before it, too, with as much as `known` says of the inputs.
void expect_announced(const Node& node, const Attributes& attributes, const std::vector<Tensor>& known, const Inputs& inputs,
                      const Dtypes& types, const std::vector<Tensor>& outputs) {
  Inputs list;
  for (std::size_t i = 0; i < inputs.size(); ++i) list.push_back(inputs[i] != nullptr ? &known[i] : nullptr);
  Expressions expressions;
  std::vector<Tensor> announced(outputs.size(), Tensor{Dtype::float32, LayoutRef::unranked()});
  Call call{*node.version, list, attributes, types, announced, &expressions};
  if (const Status status = node.op->prepare(call); !status) {
    ADD_FAILURE() << "before the run: " << status.error()->message.view();
    return Error::forget();
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!announced[i].is_ranked()) continue;
    ASSERT_EQ(announced[i].dims().size(), outputs[i].dims().size()) << "output " << i;
    for (std::size_t axis = 0; axis < outputs[i].dims().size(); ++axis) {
      const broadloom::Size size = announced[i].dims()[axis];
      if (size.is_number()) ASSERT_EQ(size.number(), outputs[i].run_dims()[axis]) << "output " << i << ", axis " << axis;
    }
  }
}

void expect_error_or_announced(const Node& node, const Attributes& attributes, const Inputs& inputs, Counts& counts) {
  const Selection selection{*node.op, *node.version, node.opset};
  ElementTypes types(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] != nullptr) types[i] = ElementType(inputs[i]->dtype);
  }
  Dtypes output_types(node.outputs.size());
  std::vector<Tensor> outputs(node.outputs.size());
  Call call{*node.version, inputs, attributes, output_types, outputs};
  Status status = check_call(selection, types, output_types, attributes);
  if (status) status = run_call(selection, call);
  if (!status) {
    EXPECT_FALSE(status.error()->message.view().empty());
    Error::forget();
    ++counts.failed;
    return;
  }
  ++counts.ran;
  std::vector<Tensor> known;
  for (const Tensor* input : inputs) known.push_back(input != nullptr ? known_dims(input->dtype, input->dims()) : Tensor());
  expect_announced(node, attributes, known, inputs, output_types, outputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr) continue;
    const Tensor dims = known[i];
    known[i] = {inputs[i]->dtype, LayoutRef::unranked()};
    expect_announced(node, attributes, known, inputs, output_types, outputs);
    known[i] = dims;
  }
}

// An axis more, in front and behind; one less; and each axis of another size.
std::vector<List> changed(const List& dims) {
  std::vector<List> all{dims, dims};
  all[0].insert(all[0].begin(), 1);
  all[1].push_back(2);
  if (!dims.empty()) all.emplace_back(dims.begin() + 1, dims.end());
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    for (const std::int64_t size : {std::int64_t{0}, std::int64_t{1}, dims[axis] + 1, 2 * dims[axis]}) {
      List other = dims;
      other[axis] = size;
      if (other != dims) all.push_back(other);
    }
  }
  return all;
}

constexpr std::int64_t numbers[] = {std::numeric_limits<std::int64_t>::min(), -1, 0, 1, 2, 3,
                                    std::numeric_limits<std::int64_t>::max()};

// Other values of an attribute. `old` is that of the node.
std::vector<AttributeValue> changed(const AttributeSpec& spec, const AttributeValue& old) {
  std::vector<AttributeValue> all;
  const auto add = [&](const Value& value) { all.push_back(value); };
  if (spec.type == AttributeType::INT) {
    for (const std::int64_t number : numbers) add(number);
  } else if (spec.type == AttributeType::FLOAT) {
    for (const float number : {-1.0F, 0.0F, 2.5F, 1e30F, std::numeric_limits<float>::quiet_NaN()}) add(number);
  } else if (spec.type == AttributeType::INTS) {
    const List given = old.tensor.has_elements() ? elements<std::int64_t>(old.tensor) : List{1};
    add(shape_of({}));
    add(shape_of(List(given.begin(), given.end() - (given.empty() ? 0 : 1))));
    for (const std::int64_t number : numbers) {
      List longer = given;
      longer.push_back(number);
      add(shape_of(longer));
      for (std::size_t i = 0; i < given.size(); ++i) {
        List other = given;
        other[i] = number;
        add(shape_of(other));
      }
    }
  } else if (spec.type == AttributeType::STRING) {
    for (std::string_view words = spec.words; !words.empty();) {
      const std::string_view word = words.substr(0, words.find(' '));
      add(strings({}, {std::string(word)}));
      words.remove_prefix(std::min(word.size() + 1, words.size()));
    }
    add(strings({}, {"another word"}));
  }
  return all;
}

void change_attributes(const Node& node, const Inputs& inputs, Counts& counts) {
  for (const AttributeSpec& spec : node.version->attributes()) {
    const Attribute* old = node.attributes.find(spec.name);
    std::size_t number = 0;
    for (AttributeValue& value : changed(spec, old != nullptr ? old->value : AttributeValue())) {
      SCOPED_TRACE(std::string(node.op_type) + ", value " + std::to_string(number++) + " of " + std::string(spec.name));
      Attributes attributes = node.attributes;
      attributes.get(spec) = std::move(value);
      expect_error_or_announced(node, attributes, inputs, counts);
      if (testing::Test::HasFailure()) return;
    }
  }
}

// Calls the node of a model of one node with each of its inputs and of its attributes changed.
void change_call(const std::string& file, const std::vector<Tensor>& given, Counts& counts) {
  const Result<ModelPtr> model = read_model(file);
  if (!model) return Error::forget();
  const std::vector<const Node*> nodes = records((*model)->graph->nodes);
  if (nodes.size() != 1 || !nodes[0]->error.empty() || nodes[0]->op->traits.has_graphs) return;
  const Node& node = *nodes[0];
  Inputs inputs;
  for (const broadloom::Value* value : node.inputs) {
    const Tensor* tensor = nullptr;
    std::size_t i = 0;
    for (const GraphInput& input : (*model)->graph->inputs) {
      if (value != nullptr && i < given.size() && input.info.name == value->name) tensor = &given[i];
      ++i;
    }
    if (value != nullptr && tensor == nullptr) return;  // an initializer, or of another kind
    inputs.push_back(tensor);
  }
  expect_error_or_announced(node, node.attributes, inputs, counts);
  change_attributes(node, inputs, counts);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr) continue;
    const Tensor& input = *inputs[i];
    const auto with = [&](const Tensor* other, const std::string& dims) {
      SCOPED_TRACE(std::string(node.op_type) + ", input " + std::to_string(i) + " of " + dims);
      Inputs others = inputs;
      others[i] = other;
      expect_error_or_announced(node, node.attributes, others, counts);
    };
    for (const List& dims : changed(list(input.dims()))) {
      const Tensor other = zeros(input.dtype, dims_of(dims));
      with(&other, testing::PrintToString(dims));
      if (testing::Test::HasFailure()) return;
    }
    with(nullptr, "no elements, since it is omitted");
  }
}

TEST(ChangedCalls, OfOfficialModelsGiveAnErrorOrTheOutputsThatWereAnnounced) {
  if (!official_files_exist()) GTEST_SKIP() << "libonnx-testdata is not installed";
  Counts counts;
  for (const std::filesystem::path& folder : official_folders()) {
    SCOPED_TRACE(folder.string());
    const OfficialCase one = official_case(folder);
    change_call(one.file, one.inputs, counts);
    if (HasFailure()) return;
  }
  std::printf("%d calls ran, %d failed\n", counts.ran, counts.failed);
  EXPECT_GT(counts.ran, 1000);
  EXPECT_GT(counts.failed, 1000);
}

TEST(ChangedCalls, OfMicrosoftsOperatorsGiveAnErrorOrTheOutputsThatWereAnnounced) {
  Counts counts;
  for (const MicrosoftCase& one : microsoft_cases(BROADLOOM_MICROSOFT)) {
    SCOPED_TRACE(one.name);
    change_call(one.model, one.inputs, counts);
    if (HasFailure()) return;
  }
  std::printf("%d calls ran, %d failed\n", counts.ran, counts.failed);
  EXPECT_GT(counts.ran, 1000);
  EXPECT_GT(counts.failed, 1000);
}

}  // namespace
}  // namespace broadloom::test::changed_calls_test
