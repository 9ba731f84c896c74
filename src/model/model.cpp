#include "model/model.h"

#include "core/memory.h"
#include "core/text.h"
#include "ops/dense.h"

namespace broadloom {
namespace {

void append_dims(Text& text, const ValueInfo& info) {
  text.append("[");
  const char* separator = "";
  for (const Dimension& dim : info.dims) {
    text.append("{}", separator);
    separator = ", ";
    text.append("{}", dim.value >= 0 ? Part(dim.value) : dim.name.empty() ? Part("?") : Part(clipped(dim.name)));
  }
  text.append("]");
}

// Checks what was fed, or else the default: both are as the input is declared. `sizes` holds what the named sizes are in
// this run; -1 for those not seen yet.
Status check_feed(const ValueInfo& info, const Tensor& tensor, Dims& sizes) {
  if (tensor.dtype != info.dtype) {
    return fail(Code::InvalidArgument, "input {} is {}, wanted {}", quoted(info.name), tensor.dtype, info.dtype);
  }
  if (!info.has_shape) return {};
  const Dims& dims = tensor.dims();
  bool fits = dims.size() == info.dims.size();
  const std::int64_t* size = dims.begin();
  for (const Dimension& dim : info.dims) {
    if (!fits) break;
    fits = dim.value < 0 || dim.value == *size;
    ++size;
  }
  if (!fits) {
    const Error error = make_error(Code::InvalidArgument, "input {} has dims {}, wanted ", quoted(info.name), dims);
    append_dims(error->message, info);
    return Failure(error);
  }
  size = dims.begin();
  for (const Dimension& dim : info.dims) {
    const std::int64_t own = *size++;
    if (dim.symbol < 0) continue;
    std::int64_t& known = sizes[static_cast<std::size_t>(dim.symbol)];
    if (known < 0) known = own;
    if (known != own) {
      return fail(Code::InvalidArgument, "input {} has dims {}: {} is {}, but {} elsewhere", quoted(info.name), dims,
                  quoted(dim.name), own, known);
    }
  }
  return {};
}

// Adds the node to the error that arose in it.
Failure in_node(Error error, const Node& node) {
  append_label(error->node, node);
  error->message.prepend("node {}: ", quoted(error->node.view()));
  return Failure(error);
}

}  // namespace

void append_label(Text& text, const Node& node) {
  text.append(node.name.empty() ? "#{}" : "{}", node.name.empty() ? Part(node.number) : Part(clipped(node.name)));
}

Status run_node(const Node& node, std::span<Tensor> values) {
  InlineVector<const Tensor*, 8> inputs(node.inputs.size());
  // Most nodes have one output: a list of its own for it takes 50 ns.
  Tensor only;
  std::vector<Tensor> several(node.outputs.size() == 1 ? 0 : node.outputs.size());
  const std::span<Tensor> outputs = several.empty() ? std::span(&only, node.outputs.size()) : std::span(several);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (node.inputs[i] != nullptr) inputs[i] = &values[node.inputs[i]->number];
  }
  Call call{inputs.values(), node.attributes, node.output_types, outputs};
  BROADLOOM_CHECK(node.op->run(call));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (node.outputs[i] != nullptr) values[node.outputs[i]->number] = std::move(outputs[i]);
  }
  return {};
}

Model::~Model() {
  nodes.destroy();
  initializers.destroy();
}

Status Model::check_supported() const {
  for (const Node& node : nodes) {
    if (node.error.empty()) continue;
    const Error error = make_error(node.code, "{}", node.error);
    error->op.append("{}", clipped(node.op_type));
    error->opset = opset;
    return in_node(error, node);
  }
  return {};
}

Status Model::bind(std::span<const Feed> feeds, std::span<Tensor> values) const {
  for (const Feed& feed : feeds) {
    bool known = false;
    for (const GraphInput& input : inputs) known = known || input.info.name == feed.name;
    if (!known) {
      const Error error = make_error(Code::InvalidArgument, "no input {}; the model has", quoted(feed.name));
      for (const GraphInput& input : inputs) error->message.append(" {}", quoted(input.info.name));
      if (inputs.size() == 0) error->message.append(" none");
      return Failure(error);
    }
  }
  BROADLOOM_CHECK(require_memory(symbol_count, sizeof(std::int64_t)));
  Dims sizes(symbol_count, -1);
  for (const GraphInput& input : inputs) {
    Tensor& tensor = values[input.value->number];  // its default, if it has one
    bool is_given = input.has_default;
    for (const Feed& feed : feeds) {
      if (feed.name != input.info.name) continue;
      tensor = *feed.tensor;
      is_given = true;
    }
    if (!is_given) return fail(Code::InvalidArgument, "input {} is missing", quoted(input.info.name));
    BROADLOOM_CHECK(check_feed(input.info, tensor, sizes));
  }
  return {};
}

Result<std::vector<Tensor>> Model::run(std::span<const Feed> feeds) const {
  BROADLOOM_CHECK(check_supported());
  BROADLOOM_TRY(values, allocate_vector<Tensor>(value_count));
  const auto tensor_of = [&](const Value* value) -> Tensor& { return values[value->number]; };
  for (const Initializer& initializer : initializers) tensor_of(initializer.value) = initializer.tensor;
  BROADLOOM_CHECK(bind(feeds, values));

  for (const Node& node : nodes) {
    if (node.inputs.empty()) continue;  // what it makes is among the initializers
    BROADLOOM_CHECK(require_memory());
    const Status status = run_node(node, values);
    if (!status) return in_node(in_operator(status.error(), {*node.op, *node.version, opset}), node);
    const auto release = [&](std::span<Value* const> used) {
      for (const Value* value : used) {
        if (value != nullptr && value->last_use == &node && !value->is_kept) tensor_of(value) = Tensor{};
      }
    };
    release(node.inputs);
    release(node.outputs);
  }

  BROADLOOM_TRY(results, allocate_vector<Tensor>(outputs.size()));
  Tensor* next = results.data();
  for (const GraphOutput& output : outputs) {
    BROADLOOM_TRY(result, share(tensor_of(output.value)));
    *next++ = std::move(result);
  }
  return std::move(results);
}

}  // namespace broadloom
