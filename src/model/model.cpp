#include "model/model.h"

#include "core/memory.h"
#include "core/text.h"
#include "ops/dense.h"

namespace broadloom {
namespace {

void append_dims(Text& text, const ValueInfo& info) {
  text.append("[");
  for (const Dimension& dim : info.dims) {
    if (&dim != &info.dims.front()) text.append(", ");
    text.append("{}", dim.value >= 0 ? Part(dim.value) : dim.name.empty() ? Part("?") : Part(clipped(dim.name)));
  }
  text.append("]");
}

// `sizes` holds what the named sizes are in this run; -1 for those not seen yet.
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

template <class T>
Result<std::vector<T>> allocate_vector(std::size_t size) {
  BROADLOOM_CHECK(require_memory(size, sizeof(T)));
  return std::vector<T>(size);
}

}  // namespace

Status Model::bind(std::span<const Feed> feeds, std::span<Tensor> values) const {
  for (const Feed& feed : feeds) {
    bool known = false;
    for (const GraphInput& input : inputs) known = known || input.info.name == feed.name;
    if (!known) {
      const Error error = make_error(Code::InvalidArgument, "no input {}; the model has", quoted(feed.name));
      for (const GraphInput& input : inputs) error->message.append(" {}", quoted(input.info.name));
      if (inputs.empty()) error->message.append(" none");
      return Failure(error);
    }
  }
  BROADLOOM_CHECK(require_memory(static_cast<std::size_t>(symbol_count_), sizeof(std::int64_t)));
  Dims sizes(static_cast<std::size_t>(symbol_count_), -1);
  for (const GraphInput& input : inputs) {
    const Tensor* fed = nullptr;
    for (const Feed& feed : feeds) {
      if (feed.name == input.info.name) fed = feed.tensor;
    }
    if (fed == nullptr && input.has_default) continue;
    if (fed == nullptr) return fail(Code::InvalidArgument, "input {} is missing", quoted(input.info.name));
    BROADLOOM_CHECK(check_feed(input.info, *fed, sizes));
    values[static_cast<std::size_t>(input.value)] = *fed;
  }
  return {};
}

Result<std::vector<Tensor>> Model::run(std::span<const Feed> feeds) const {
  BROADLOOM_TRY(values, allocate_vector<Tensor>(static_cast<std::size_t>(value_count_)));
  const auto value = [&](ValueId id) -> Tensor& { return values[static_cast<std::size_t>(id)]; };
  for (const Initializer& initializer : initializers_) value(initializer.value) = initializer.tensor;
  BROADLOOM_CHECK(bind(feeds, values));

  std::vector<const Tensor*> node_inputs;
  std::vector<Tensor> node_outputs;
  for (const Node& node : nodes_) {
    BROADLOOM_CHECK(require_memory());
    node_inputs.clear();
    for (const ValueId id : node.inputs) node_inputs.push_back(id == no_value ? nullptr : &value(id));
    node_outputs.assign(node.outputs.size(), Tensor{});
    Call call{node_inputs, node.attributes, node.output_types, node_outputs};
    Status status = run_call(node.selection, call);
    if (!status) {
      status.error()->node.append("{}", node.label);
      status.error()->message.prepend("node {}: ", quoted(node.label));
      return Failure(status.error());
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i] != no_value) value(node.outputs[i]) = std::move(node_outputs[i]);
    }
    for (const ValueId id : node.last_uses) value(id) = Tensor{};
  }

  BROADLOOM_TRY(results, allocate_vector<Tensor>(outputs.size()));
  Tensor* next = results.data();
  for (const GraphOutput& output : outputs) {
    BROADLOOM_TRY(result, share(value(output.value)));
    *next++ = std::move(result);
  }
  return std::move(results);
}

}  // namespace broadloom
