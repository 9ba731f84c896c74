// Fusions that change bits of results, which Simplifier does when it is asked to: y = k * conv(x) + d is a convolution with
// other weights. What the weights become is written as nodes over constants, which are computed as all constants are.
#include <algorithm>

#include "core/memory.h"
#include "graph/simplifier.h"
#include "ops/operators.h"

namespace broadloom {
namespace {

bool is_float(Dtype dtype) { return dtype == Dtype::float32 || dtype == Dtype::float64; }

}  // namespace

// A node before all others that makes a new value of the constants `a` and `b`.
Result<Value*> Simplifier::computed(Graph& graph, Seen& seen, const Operator& op, Value* a, Value* b, const Node& at) {
  BROADLOOM_CHECK(require_memory());
  Value& output = new_value(graph, at.outputs[0]->name, a->dtype);
  Value* inputs[] = {a, b};
  Node& node = new_node(graph, op, std::span(inputs).first(b == nullptr ? 1 : 2), output, at.opset);
  BROADLOOM_CHECK(evaluate(node));
  if (constant(&output) == nullptr) return nullptr;
  seen.first.push_back(&node);
  return &output;
}

// Whether the elements of all are at hand. Those that were left in a file are asked for.
bool Simplifier::have_elements(std::span<Value* const> values) {
  bool are_there = true;
  std::int64_t bytes = 0;
  for (const Value* value : values) {
    if (value == nullptr || constant(value) != nullptr) continue;
    if (!can_load(*value)) return false;
    are_there = false;
    bytes += bytes_of(value->initializer->tensor);
  }
  if (!are_there && (wanted_bytes_ == 0 || wanted_bytes_ + bytes <= most_wanted)) {
    for (const Value* value : values) {
      if (value != nullptr && is_left(*value)) want(*value);
    }
  }
  return are_there;
}

// A constant that has one number for each of the channels of a result of this rank, or one for all, as a list. nullptr where it
// is another.
Result<Value*> Simplifier::by_channel(Graph& graph, Seen& seen, Value* value, std::size_t rank, std::int64_t channels,
                                      const Node& at) {
  const Tensor& tensor = *constant(value);
  const Dims& dims = tensor.dims();
  if (tensor.count() != 1) {
    const bool has_axis = dims.size() + 1 >= rank && dims.size() <= rank;
    if (!has_axis || tensor.count() != channels || dims[dims.size() + 1 - rank] != channels) return nullptr;
  } else if (dims.size() > rank) {
    return nullptr;
  }
  BROADLOOM_TRY(target, new_integers(graph, at.outputs[0]->name, {-1}));
  return computed(graph, seen, op::reshape, value, target, at);
}

Status Simplifier::fuse(Graph& graph, Node& node, Seen& seen) {
  const bool normalises = node.op == &op::batch_normalization;
  if (!normalises && node.op != &op::mul && node.op != &op::add) return {};
  if (node.inputs[0] == nullptr || node.outputs[0] == nullptr) return {};
  if (node.op == &op::add) {
    BROADLOOM_TRY(is_gemm, fuse_product(graph, node));
    if (is_gemm) return {};
  }
  if (node.opset < 7 || (normalises ? node.inputs.size() != 5 || node.outputs.size() != 1 : node.inputs.size() != 2)) return {};
  if (normalises &&
      (node.attributes.find_int("training_mode").value_or(0) != 0 || node.attributes.find_int("spatial").value_or(1) == 0)) {
    return {};
  }
  // Operands of Mul and Add come in any order.
  std::size_t data = 0;
  const auto convolution = [&](std::size_t i) {
    Node* made = made_by(node.inputs[i]);
    const bool is_one = made != nullptr && made->rule != nullptr && is_default_domain(made->domain) &&
                        (made->op_type == "Conv" || made->op_type == "ConvTranspose");
    return is_one ? made : nullptr;
  };
  Node* conv = convolution(0);
  if (conv == nullptr && !normalises) conv = convolution(data = 1);
  if (conv == nullptr || conv->inputs.size() < 2 || !has_one_reader(*node.inputs[data])) return {};
  const bool is_transposed = conv->op_type == "ConvTranspose";
  if (is_transposed && conv->attributes.find_int("group").value_or(1) != 1) return {};
  Value* weights = conv->inputs[1];
  Value* bias = conv->inputs.size() > 2 ? conv->inputs[2] : nullptr;
  if (weights == nullptr || !is_float(weights->dtype) || node.outputs[0]->dtype != weights->dtype) return {};
  InlineVector<Value*, 8> operands(7);
  operands[0] = weights;
  operands[1] = bias;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (i != data) operands[i + 2] = node.inputs[i];
  }
  if (!have_elements(operands.values())) return {};
  const Dims& dims = constant(weights)->dims();
  if (dims.size() < 3) return {};
  const std::int64_t channels = dims[is_transposed ? 1 : 0];
  Value* factor = nullptr;
  Value* added = nullptr;
  if (normalises) {
    BROADLOOM_TRY(epsilon, make_tensor(weights->dtype, {}));
    const Attribute* given = node.attributes.find("epsilon");
    const double number = given != nullptr ? static_cast<double>(given->value.number) : 1e-5;
    if (weights->dtype == Dtype::float32) {
      *reinterpret_cast<float*>(epsilon.data()) = static_cast<float>(number);
    } else {
      *reinterpret_cast<double*>(epsilon.data()) = number;
    }
    Value& least = new_constant(graph, node.outputs[0]->name, std::move(epsilon));
    BROADLOOM_TRY(sum, computed(graph, seen, op::add, node.inputs[4], &least, node));
    if (sum == nullptr) return {};
    BROADLOOM_TRY(root, computed(graph, seen, op::sqrt, sum, nullptr, node));
    if (root == nullptr) return {};
    BROADLOOM_TRY(quotient, computed(graph, seen, op::div, node.inputs[1], root, node));
    if (quotient == nullptr) return {};
    BROADLOOM_TRY(shift, computed(graph, seen, op::mul, node.inputs[3], quotient, node));
    if (shift == nullptr) return {};
    BROADLOOM_TRY(rest, computed(graph, seen, op::sub, node.inputs[2], shift, node));
    factor = quotient;
    added = rest;
    if (added == nullptr) return {};
  } else {
    BROADLOOM_TRY(list, by_channel(graph, seen, node.inputs[1 - data], dims.size(), channels, node));
    if (list == nullptr) return {};
    (node.op == &op::mul ? factor : added) = list;
  }
  Value* new_weights = weights;
  if (factor != nullptr) {
    Dims target(dims.size(), 1);
    target[is_transposed ? 1 : 0] = -1;
    BROADLOOM_TRY(shape, new_integers(graph, node.outputs[0]->name, target));
    BROADLOOM_TRY(factors, computed(graph, seen, op::reshape, factor, shape, node));
    if (factors == nullptr) return {};
    BROADLOOM_TRY(product, computed(graph, seen, op::mul, weights, factors, node));
    if (product == nullptr) return {};
    new_weights = product;
  }
  Value* new_bias = bias;
  if (factor != nullptr && bias != nullptr) {
    BROADLOOM_TRY(product, computed(graph, seen, op::mul, bias, factor, node));
    new_bias = product;
    if (new_bias == nullptr) return {};
  }
  if (added != nullptr && new_bias != nullptr) {
    BROADLOOM_TRY(sum, computed(graph, seen, op::add, new_bias, added, node));
    new_bias = sum;
  } else if (added != nullptr) {
    // One number for all channels is written for each.
    BROADLOOM_TRY(target, new_integers(graph, node.outputs[0]->name, {channels}));
    BROADLOOM_TRY(list, computed(graph, seen, op::expand, added, target, node));
    new_bias = list;
  }
  if (added != nullptr && new_bias == nullptr) return {};
  if (!replace(*node.outputs[0], *node.inputs[data])) return {};
  const std::span<Value*> inputs = model_.arena.make_list<Value*>(new_bias != nullptr ? 3 : 2);
  inputs[0] = conv->inputs[0];
  inputs[1] = new_weights;
  if (new_bias != nullptr) inputs[2] = new_bias;
  --weights->reads;
  if (bias != nullptr) --bias->reads;
  ++new_weights->reads;
  if (new_bias != nullptr) ++new_bias->reads;
  conv->inputs = inputs;
  changed(Pass::fuse);
  return {};
}

// Add(MatMul(A, B), C) of matrices is a Gemm.
Result<bool> Simplifier::fuse_product(Graph&, Node& node) {
  std::size_t data = 0;
  const Node* product = made_by(node.inputs[0], op::mat_mul);
  if (product == nullptr && node.inputs.size() > 1) product = made_by(node.inputs[data = 1], op::mat_mul);
  if (product == nullptr || node.inputs.size() != 2 || !has_one_reader(*node.inputs[data]) || node.opset < 7) return false;
  const auto rank = [&](const Value* value) {
    const bool is_known = value != nullptr && facts(*value).is_ranked();
    return is_known ? facts(*value).dims().size() : most_axes + 1;
  };
  Value* added = node.inputs[1 - data];
  if (rank(product->inputs[0]) != 2 || rank(product->inputs[1]) != 2 || rank(added) > 2) return false;
  if (!is_float(node.outputs[0]->dtype) || !have_same_dims(*node.inputs[data], *node.outputs[0])) return false;
  Value* inputs[] = {product->inputs[0], product->inputs[1], added};
  if (!become(node, op::gemm, inputs)) return false;
  changed(Pass::fuse);
  return true;
}

}  // namespace broadloom
