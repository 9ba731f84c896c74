// Fusions into Conv and ConvTranspose: y = k * conv(x) + d is a convolution with other weights. The new weights
// are nodes over constants, which are folded as all others are.
#include "core/memory.h"
#include "graph/rewrite/passes/elements.h"
#include "graph/rewrite/passes/graph_passes.h"
#include "graph/rewrite/passes/node_passes.h"
#include "ops/named_operators.h"

namespace broadloom {
namespace {

// A node before all others that makes a new value of the constants `a` and `b`; Sqrt takes one alone. nullptr where one of them
// is, and where it cannot be computed.
Value* computed(Rewriter& rewriter, const Operator& op, Value* a, Value* b, const Node& at) {
  const bool is_unary = &op == &op::sqrt;
  if (a == nullptr || (b == nullptr && !is_unary) || !require_memory()) return nullptr;
  Value& output = rewriter.new_value(at.outputs[0]->name, a->dtype);
  Value* inputs[] = {a, b};
  Node& node = rewriter.new_node(op, std::span(inputs).first(is_unary ? 1 : 2), output, at.opset);
  if (!evaluate(rewriter, node) || rewriter.constant(&output) == nullptr) {
    rewriter.remove(node);
    return nullptr;
  }
  rewriter.scope().first.push_back(&node);
  return &output;
}

// A constant under other dims.
Value* shaped(Rewriter& rewriter, const Operator& op, Value* value, const Dims& dims, const Node& at) {
  const Result<Value*> target = rewriter.new_integers(at.outputs[0]->name, dims);
  return target ? computed(rewriter, op, value, *target, at) : nullptr;
}

// Whether all have one type, and their elements are at hand. (The numbers of a BatchNormalization may have another type, and
// so may all in damaged files.) Those that were left in a file are asked for. A computed value becomes an initializer after
// this round, or stays behind the nodes that come first.
bool have_elements(Rewriter& rewriter, std::span<Value* const> values) {
  bool are_there = true;
  std::int64_t bytes = 0;
  for (const Value* value : values) {
    if (value == nullptr) continue;
    if (value->dtype != values[0]->dtype) return false;
    if (rewriter.constant(value) != nullptr && value->producer == nullptr) continue;
    if (!rewriter.can_load(*value)) return false;
    are_there = false;
    bytes += file_bytes(value->initializer->tensor);
  }
  if (!are_there && rewriter.may_want(bytes)) {
    for (const Value* value : values) {
      if (value != nullptr && rewriter.is_left(*value)) rewriter.want(*value);
    }
  }
  return are_there;
}

// A constant that has one number for each of the channels of a result of this rank, or one for all, as a list. nullptr where it
// is another.
Value* by_channel(Rewriter& rewriter, Value* value, std::size_t rank, std::int64_t channels, const Node& at) {
  const Tensor& tensor = *rewriter.constant(value);
  const std::span<const std::int64_t> dims = tensor.run_dims();
  if (tensor.count() != 1) {
    const bool has_axis = dims.size() + 1 >= rank && dims.size() <= rank;
    if (!has_axis || tensor.count() != channels || dims[dims.size() + 1 - rank] != channels) return nullptr;
  } else if (dims.size() > rank) {
    return nullptr;
  }
  return shaped(rewriter, op::reshape, value, {-1}, at);
}

// y = factor * x + added, a number for each channel. nullptr: 1, or 0.
struct Scaling {
  Value* factor = nullptr;
  Value* added = nullptr;
};

// The scaling of a BatchNormalization. `added` is nullptr where it cannot be computed.
Result<Scaling> scaling_of_normalization(Rewriter& rewriter, const Node& node, Dtype dtype) {
  BROADLOOM_TRY(epsilon, make_tensor(dtype, {}));
  const Attribute* given = node.attributes.find("epsilon");
  const double number = given != nullptr ? static_cast<double>(given->value.number) : 1e-5;
  if (dtype == Dtype::float32) {
    *reinterpret_cast<float*>(epsilon.data()) = static_cast<float>(number);
  } else {
    *reinterpret_cast<double*>(epsilon.data()) = number;
  }
  Value& least = rewriter.new_constant(node.outputs[0]->name, std::move(epsilon));
  Value* sum = computed(rewriter, op::add, node.inputs[4], &least, node);
  Value* factor = computed(rewriter, op::div, node.inputs[1], computed(rewriter, op::sqrt, sum, nullptr, node), node);
  Value* shift = computed(rewriter, op::mul, node.inputs[3], factor, node);
  return Scaling{factor, computed(rewriter, op::sub, node.inputs[2], shift, node)};
}

// Gives the convolution the scaling's weights and bias. False where they cannot be computed, or another node needs its result.
bool scale_conv(Rewriter& rewriter, Node& conv, const Scaling& scaling, Node& node, std::size_t data) {
  const bool is_transposed = conv.op == &op::conv_transpose;
  Value* weights = conv.inputs[1];
  Value* const bias = conv.inputs.size() > 2 ? conv.inputs[2] : nullptr;
  Value* new_bias = bias;
  const std::span<const std::int64_t> dims = rewriter.constant(weights)->run_dims();
  if (scaling.factor != nullptr) {
    Dims target(dims.size(), 1);
    target[is_transposed ? 1 : 0] = -1;
    Value* factors = shaped(rewriter, op::reshape, scaling.factor, target, node);
    weights = computed(rewriter, op::mul, weights, factors, node);
    if (bias != nullptr) new_bias = computed(rewriter, op::mul, bias, scaling.factor, node);
  }
  if (scaling.added != nullptr) {
    // One number for all channels is written for each.
    new_bias = bias != nullptr ? computed(rewriter, op::add, new_bias, scaling.added, node)
                               : shaped(rewriter, op::expand, scaling.added, {dims[is_transposed ? 1 : 0]}, node);
  }
  const bool has_bias = bias != nullptr || scaling.added != nullptr;
  if (weights == nullptr || (has_bias && new_bias == nullptr)) return false;
  if (!rewriter.replace(*node.outputs[0], *node.inputs[data])) return false;
  Value* inputs[] = {conv.inputs[0], weights, new_bias};
  rewriter.set_inputs(conv, std::span(inputs).first(has_bias ? 3 : 2));
  return true;
}

Status fuse_into_conv(Rewriter& rewriter, Node& node) {
  const bool normalises = node.op == &op::batch_normalization;
  if (node.opset < 7 || (normalises ? node.inputs.size() != 5 || node.outputs.size() != 1 : node.inputs.size() != 2)) return {};
  if (normalises &&
      (node.attributes.find_int("training_mode").value_or(0) != 0 || node.attributes.find_int("spatial").value_or(1) == 0)) {
    return {};
  }
  // Operands of Mul and Add come in any order.
  std::size_t data = 0;
  const auto convolution = [&](std::size_t i) {
    Node* made = rewriter.made_by(node.inputs[i]);
    return made != nullptr && (made->op == &op::conv || made->op == &op::conv_transpose) ? made : nullptr;
  };
  Node* conv = convolution(0);
  if (conv == nullptr && !normalises) conv = convolution(data = 1);
  if (conv == nullptr || conv->inputs.size() < 2 || !rewriter.has_one_reader(*node.inputs[data])) return {};
  const bool is_transposed = conv->op == &op::conv_transpose;
  if (is_transposed && conv->attributes.find_int("group").value_or(1) != 1) return {};
  Value* const weights = conv->inputs[1];
  if (weights == nullptr || !is_float(weights->dtype) || node.outputs[0]->dtype != weights->dtype) return {};
  InlineVector<Value*, 8> operands(7);
  operands[0] = weights;
  operands[1] = conv->inputs.size() > 2 ? conv->inputs[2] : nullptr;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (i != data) operands[i + 2] = node.inputs[i];
  }
  if (!have_elements(rewriter, operands.values())) return {};
  const std::span<const std::int64_t> dims = rewriter.constant(weights)->run_dims();
  if (dims.size() < 3) return {};
  Scaling scaling;
  if (normalises) {
    BROADLOOM_TRY(computed, scaling_of_normalization(rewriter, node, weights->dtype));
    if (computed.added == nullptr) return {};
    scaling = computed;
  } else {
    Value* list = by_channel(rewriter, node.inputs[1 - data], dims.size(), dims[is_transposed ? 1 : 0], node);
    if (list == nullptr) return {};
    (node.op == &op::mul ? scaling.factor : scaling.added) = list;
  }
  if (!scale_conv(rewriter, *conv, scaling, node, data)) return {};
  rewriter.scope().numbers.forget(*conv);
  rewriter.changed();
  return {};
}

}  // namespace

// Before: y = BatchNormalization(Conv(x, w, b), ...).  After: y = Conv(x, w', b')
Status fuse_bn_into_conv(Rewriter& rewriter, Node& node) { return fuse_into_conv(rewriter, node); }

// Before: y = Conv(x, w, b) * k.  After: y = Conv(x, w * k, b * k)
Status fuse_mul_into_conv(Rewriter& rewriter, Node& node) { return fuse_into_conv(rewriter, node); }

// Before: y = Conv(x, w, b) + d.  After: y = Conv(x, w, b + d)
Status fuse_add_bias_into_conv(Rewriter& rewriter, Node& node) { return fuse_into_conv(rewriter, node); }

// Before: y = Conv(Pad(x, zeros), w).  After: y = Conv(x, w, pads)
Status fuse_pad_into_conv(Rewriter& rewriter, Node& node) {
  static constexpr AttributeSpec spec{"pads", AttributeType::INTS};
  const Node* inner = rewriter.made_for(node.inputs[0], op::pad);
  // From version 11 on, pads and what is filled in are inputs; later on, a list of axes stands behind them.
  if (inner == nullptr || inner->version->since_version < 11 || inner->inputs.size() > 3) return {};
  const Tensor* added = rewriter.constant(inner->inputs[1]);
  const Tensor* own = node.attributes.find_tensor("pads");
  bool fits =
      added != nullptr && is_dense(*added) && added->count() > 4 && added->count() % 2 == 0 &&
      node.attributes.find("auto_pad") == nullptr &&
      Call{*inner->version, {}, inner->attributes, {}, {}}.word("mode") == "constant" &&
      (inner->inputs.size() < 3 || inner->inputs[2] == nullptr || are_all(rewriter.constant(inner->inputs[2]), false)) &&
      (own == nullptr || (own->dtype == Dtype::int64 && own->count() + 4 == added->count()));
  if (!fits) return {};
  BROADLOOM_CHECK(require_memory());
  BROADLOOM_TRY(tensor, make_tensor(Dtype::int64, {added->count() - 4}));
  auto* pads = reinterpret_cast<std::int64_t*>(tensor.data());
  const auto pad_at = [&](const Tensor& list, std::int64_t i) {
    const std::int64_t pad = reinterpret_cast<const std::int64_t*>(list.data())[i];
    fits = fits && static_cast<std::uint64_t>(pad) <= INT32_MAX;
    return fits ? pad : 0;
  };
  for (std::int64_t i = 0, to = 0; i < added->count(); ++i) {
    const std::int64_t pad = pad_at(*added, i);
    if (i % (added->count() / 2) > 1) {
      pads[to] = pad + (own == nullptr ? 0 : pad_at(*own, to));
      ++to;
    } else {
      fits = fits && pad == 0;
    }
  }
  if (!fits) return {};
  node.attributes.get(spec).tensor = std::move(tensor);
  node.is_changed = true;
  rewriter.read(node, 0, *inner->inputs[0]);
  return {};
}

// Before: y = Conv(x * k, w).  After: y = Conv(x, w * k)
Status fuse_mul_into_next_conv(Rewriter& rewriter, Node& node) {
  if (node.inputs.size() < 2 || node.attributes.find_int("group").value_or(1) != 1) return {};
  const Node* inner = rewriter.made_for(node.inputs[0], op::mul);
  Value* weights = node.inputs[1];
  if (inner == nullptr || inner->opset < 7 || weights == nullptr || !is_float(weights->dtype)) return {};
  const std::size_t data = rewriter.constant(inner->inputs[0]) != nullptr ? 1 : 0;
  Value* operands[] = {weights, inner->inputs[1 - data]};
  if (!have_elements(rewriter, operands) || !rewriter.have_same_dims(*inner->inputs[data], *node.inputs[0])) return {};
  const std::span<const std::int64_t> dims = rewriter.constant(weights)->run_dims();
  if (dims.size() < 3) return {};
  Dims target(dims.size(), 1);
  target[1] = -1;
  Value* factor = by_channel(rewriter, operands[1], dims.size(), dims[1], node);
  Value* product = computed(rewriter, op::mul, weights, shaped(rewriter, op::reshape, factor, target, node), node);
  if (product == nullptr) return {};
  rewriter.replace_input(node, 1, product);
  rewriter.read(node, 0, *inner->inputs[data]);
  return {};
}

}  // namespace broadloom
