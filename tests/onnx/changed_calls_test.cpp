// Calls every operator with other attributes and inputs than ONNX's and onnxruntime's cases have: there is an error, or outputs
// whose dims prepare announced before the run.
#include <deque>
#include <functional>
#include <limits>

#include "core/expressions.h"
#include "core/limits.h"
#include "ops/call/arguments.h"
#include "support/cases.h"
#include "support/random.h"
#include "support/single_call.h"
#include "support/tensor_files.h"

namespace broadloom::test::changed_calls_test {
namespace {

// Where a run has these outputs, prepare has them before it, too, with as much as `known` says of the inputs.
void expect_announced(const Node& node, const Attributes& attributes, const std::vector<Tensor>& known, const Inputs& inputs,
                      const std::vector<Tensor>& outputs) {
  Inputs list;
  for (std::size_t i = 0; i < inputs.size(); ++i) list.push_back(inputs[i] != nullptr ? &known[i] : nullptr);
  std::vector<Dtype> types;
  for (const Tensor& output : outputs) types.push_back(output.dtype);
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

void expect_error_or_announced(const Node& node, const Attributes& attributes, const Inputs& inputs, CallCounts& counts) {
  const Result<std::vector<Tensor>> outputs = call_node(node, attributes, inputs);
  if (!outputs) {
    EXPECT_FALSE(outputs.error()->message.view().empty());
    Error::forget();
    ++counts.failed;
    return;
  }
  ++counts.ran;
  std::vector<Tensor> known;
  for (const Tensor* input : inputs) known.push_back(input != nullptr ? known_dims(input->dtype, input->dims()) : Tensor());
  expect_announced(node, attributes, known, inputs, *outputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr) continue;
    const Tensor dims = known[i];
    known[i] = {inputs[i]->dtype, LayoutRef::unranked()};
    expect_announced(node, attributes, known, inputs, *outputs);
    known[i] = dims;
  }
}

// Dims with one more axis, at the start and at the end; with one less; and with another size for each axis.
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

// Other values of an attribute. `old` is the node's value.
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

// A call whose attributes and inputs differ from those of the node. It keeps the tensors that were made for it.
struct ChangedCall {
  Attributes attributes;
  Inputs inputs;
  std::deque<Tensor> made;

  void set(std::size_t input, Tensor tensor) {
    made.push_back(std::move(tensor));
    inputs[input] = &made.back();
  }
};

struct Change {
  std::string title;
  std::function<void(ChangedCall&)> apply;
};

void add_attributes(const Node& node, std::vector<Change>& changes) {
  for (const AttributeSpec& spec : node.version->attributes()) {
    const Attribute* old = node.attributes.find(spec.name);
    std::size_t number = 0;
    for (AttributeValue& value : changed(spec, old != nullptr ? old->value : AttributeValue())) {
      changes.push_back({"value " + std::to_string(number++) + " of " + std::string(spec.name),
                         [&spec, value = std::move(value)](ChangedCall& call) { call.attributes.get(spec) = value; }});
    }
  }
}

// Elements with all bits set are -1 or NaN; the others are far from zero.
constexpr int byte_patterns[] = {0xFF, 0x7F, 0x80};

Tensor with_bytes(const Tensor& tensor, int byte) {
  Tensor other = zeros(tensor.dtype, dims_of(list(tensor.dims())));
  std::memset(other.data(), byte, dense_size(other));
  return other;
}

// Dense; all elements are `number`, or only that in front or at the end is.
template <class T>
std::vector<Tensor> with_number(const Tensor& tensor, T number) {
  const std::vector<T> given = elements<T>(tensor);
  if (given.empty()) return {};
  std::vector<std::vector<T>> all(3, given);
  std::fill(all[0].begin(), all[0].end(), number);
  all[1].front() = number;
  all[2].back() = number;
  std::vector<Tensor> tensors;
  for (const std::vector<T>& one : all) tensors.push_back(tensor_of(tensor.dtype, dims_of(list(tensor.dims())), one));
  return tensors;
}

void add_elements(std::size_t input, const Tensor& tensor, std::vector<Change>& changes) {
  if (tensor.dtype == Dtype::string || tensor.dtype == Dtype::boolean) return;
  const std::string name = " of input " + std::to_string(input);
  std::vector<Tensor> others;
  for (const int byte : byte_patterns) others.push_back(with_bytes(tensor, byte));
  for (const std::int64_t number : numbers) {
    std::vector<Tensor> some;
    if (tensor.dtype == Dtype::int64) some = with_number(tensor, number);
    if (tensor.dtype == Dtype::int32) some = with_number(tensor, static_cast<std::int32_t>(number));
    others.insert(others.end(), some.begin(), some.end());
  }
  std::size_t count = 0;
  for (const Tensor& other : others) {
    changes.push_back(
        {"elements " + std::to_string(count++) + name, [input, other](ChangedCall& call) { call.set(input, other); }});
  }
}

void add_inputs(const Inputs& inputs, std::vector<Change>& changes) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr) continue;
    const std::string name = "input " + std::to_string(i);
    const Dtype dtype = inputs[i]->dtype;
    for (const List& dims : changed(list(inputs[i]->dims()))) {
      changes.push_back({name + " of " + testing::PrintToString(dims),
                         [i, dtype, dims](ChangedCall& call) { call.set(i, zeros(dtype, dims_of(dims))); }});
    }
    changes.push_back({name + " omitted", [i](ChangedCall& call) { call.inputs[i] = nullptr; }});
    add_elements(i, *inputs[i], changes);
  }
}

void call_with(const Node& node, const Inputs& inputs, const std::vector<const Change*>& changes, CallCounts& counts) {
  ChangedCall call{node.attributes, inputs, {}};
  std::string title(node.op_type);
  for (const Change* change : changes) {
    title += ", " + change->title;
    change->apply(call);
  }
  SCOPED_TRACE(title);
  expect_error_or_announced(node, call.attributes, call.inputs, counts);
}

// Tensors of gigabytes, which are slow to write, are refused while this lives.
struct SmallTensors {
  SmallTensors() { limits.bytes = 1 << 24; }
  SmallTensors(const SmallTensors&) = delete;
  SmallTensors& operator=(const SmallTensors&) = delete;
  ~SmallTensors() { limits = {}; }
};

// Makes a call with each change alone, and with some at random at once. In a short run, every other call is left as it is.
void change_call(const SingleCall& one, Random& random, CallCounts& counts) {
  if (counts.seen++ % 2 != 0 && !is_deep()) return;
  const Node& node = *one.node;
  const Inputs& inputs = one.inputs;
  call_with(node, inputs, {}, counts);
  std::vector<Change> changes;
  add_attributes(node, changes);
  add_inputs(inputs, changes);
  for (const Change& change : changes) {
    call_with(node, inputs, {&change}, counts);
    if (testing::Test::HasFailure()) return;
  }
  for (int i = 0; i < cases() / 100 && !changes.empty(); ++i) {
    std::vector<const Change*> some;
    for (std::int64_t left = random.between(2, 3); left > 0; --left) some.push_back(&changes[random.below(changes.size())]);
    call_with(node, inputs, some, counts);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(ChangedCalls, OfOfficialModelsGiveAnErrorOrTheOutputsThatWereAnnounced) {
  const SmallTensors small;
  Random random;
  CallCounts counts;
  for_each_official_call([&](const SingleCall& one) { change_call(one, random, counts); });
  counts.expect_many_ran();
  EXPECT_GT(counts.failed, 1000);
}

TEST(ChangedCalls, OfMicrosoftsOperatorsGiveAnErrorOrTheOutputsThatWereAnnounced) {
  const SmallTensors small;
  Random random;
  CallCounts counts;
  for_each_microsoft_call([&](const SingleCall& one) { change_call(one, random, counts); });
  counts.expect_many_ran();
  EXPECT_GT(counts.failed, 1000);
}

}  // namespace
}  // namespace broadloom::test::changed_calls_test
