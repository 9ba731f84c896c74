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

// A node before all others that makes a new value of the constants `a` and `b`; Sqrt takes one alone. nullptr where one of them
// is, and where it cannot be computed.
Value* Simplifier::computed(Graph& graph, Seen& seen, const Operator& op, Value* a, Value* b, const Node& at) {
  const bool is_unary = &op == &op::sqrt;
  if (a == nullptr || (b == nullptr && !is_unary) || !require_memory()) return nullptr;
  Value& output = new_value(graph, at.outputs[0]->name, a->dtype);
  Value* inputs[] = {a, b};
  Node& node = new_node(graph, op, std::span(inputs).first(is_unary ? 1 : 2), output, at.opset);
  if (!evaluate(node) || constant(&output) == nullptr) return nullptr;
  seen.first.push_back(&node);
  return &output;
}

// A constant under other dims.
Value* Simplifier::shaped(Graph& graph, Seen& seen, const Operator& op, Value* value, const Dims& dims, const Node& at) {
  const Result<Value*> target = new_integers(graph, at.outputs[0]->name, dims);
  return target ? computed(graph, seen, op, value, *target, at) : nullptr;
}

// Whether all have one type, and their elements are at hand. (The numbers of a BatchNormalization may have another type, and
// so may all in damaged files.) Those that were left in a file are asked for. What a node makes becomes an initializer after
// this round, or stays behind what is computed first.
bool Simplifier::have_elements(std::span<Value* const> values) {
  bool are_there = true;
  std::int64_t bytes = 0;
  for (const Value* value : values) {
    if (value == nullptr) continue;
    if (value->dtype != values[0]->dtype) return false;
    if (constant(value) != nullptr && value->producer == nullptr) continue;
    if (!can_load(*value)) return false;
    are_there = false;
    bytes += bytes_of(value->initializer->tensor);
  }
  if (!are_there && may_want(bytes)) {
    for (const Value* value : values) {
      if (value != nullptr && is_left(*value)) want(*value);
    }
  }
  return are_there;
}

// A constant that has one number for each of the channels of a result of this rank, or one for all, as a list. nullptr where it
// is another.
Value* Simplifier::by_channel(Graph& graph, Seen& seen, Value* value, std::size_t rank, std::int64_t channels, const Node& at) {
  const Tensor& tensor = *constant(value);
  const Dims& dims = tensor.dims();
  if (tensor.count() != 1) {
    const bool has_axis = dims.size() + 1 >= rank && dims.size() <= rank;
    if (!has_axis || tensor.count() != channels || dims[dims.size() + 1 - rank] != channels) return nullptr;
  } else if (dims.size() > rank) {
    return nullptr;
  }
  return shaped(graph, seen, op::reshape, value, {-1}, at);
}

Status Simplifier::fuse(Graph& graph, Node& node, Seen& seen) {
  if (node.inputs.empty() || node.inputs[0] == nullptr || node.outputs.empty() || node.outputs[0] == nullptr) return {};
  if (node.has_refused_types()) return {};
  if (node.op == &op::conv) {
    BROADLOOM_CHECK(fuse_pads(node));
    return fuse_factor(graph, node, seen);
  }
  if (node.op == &op::gemm) fuse_transposes(node);
  if (node.op == &op::log) return fuse_logarithm(node);
  const bool normalises = node.op == &op::batch_normalization;
  if (!normalises && node.op != &op::mul && node.op != &op::add) return {};
  if (node.op == &op::add) {
    BROADLOOM_TRY(is_gemm, fuse_product(graph, node));
    if (is_gemm) return {};
  }
  if (node.opset < 7 || (normalises ? node.inputs.size() != 5 || node.outputs.size() != 1 : node.inputs.size() != 2)) return {};
  if (normalises &&
      (node.attributes.find_int("training_mode").value_or(0) != 0 || node.attributes.find_int("spatial").value_or(1) == 0)) {
    return {};
  }
  const Pass pass = normalises            ? Pass::fuse_bn_into_conv
                    : node.op == &op::mul ? Pass::fuse_mul_into_conv
                                          : Pass::fuse_add_bias_into_conv;
  if (!is_on(pass)) return {};
  // Operands of Mul and Add come in any order.
  std::size_t data = 0;
  const auto convolution = [&](std::size_t i) {
    Node* made = made_by(node.inputs[i]);
    return made != nullptr && (made->op == &op::conv || made->op == &op::conv_transpose) ? made : nullptr;
  };
  Node* conv = convolution(0);
  if (conv == nullptr && !normalises) conv = convolution(data = 1);
  if (conv == nullptr || conv->inputs.size() < 2 || !has_one_reader(*node.inputs[data])) return {};
  const bool is_transposed = conv->op == &op::conv_transpose;
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
    Value* sum = computed(graph, seen, op::add, node.inputs[4], &least, node);
    factor = computed(graph, seen, op::div, node.inputs[1], computed(graph, seen, op::sqrt, sum, nullptr, node), node);
    Value* shift = computed(graph, seen, op::mul, node.inputs[3], factor, node);
    added = computed(graph, seen, op::sub, node.inputs[2], shift, node);
    if (added == nullptr) return {};
  } else {
    Value* list = by_channel(graph, seen, node.inputs[1 - data], dims.size(), channels, node);
    if (list == nullptr) return {};
    (node.op == &op::mul ? factor : added) = list;
  }
  Value* new_weights = weights;
  Value* new_bias = bias;
  if (factor != nullptr) {
    Dims target(dims.size(), 1);
    target[is_transposed ? 1 : 0] = -1;
    Value* factors = shaped(graph, seen, op::reshape, factor, target, node);
    new_weights = computed(graph, seen, op::mul, weights, factors, node);
    if (bias != nullptr) new_bias = computed(graph, seen, op::mul, bias, factor, node);
  }
  if (added != nullptr) {
    // One number for all channels is written for each.
    new_bias = bias != nullptr ? computed(graph, seen, op::add, new_bias, added, node)
                               : shaped(graph, seen, op::expand, added, {channels}, node);
  }
  const bool has_bias = bias != nullptr || added != nullptr;
  if (new_weights == nullptr || (has_bias && new_bias == nullptr)) return {};
  if (!replace(*node.outputs[0], *node.inputs[data])) return {};
  const std::span<Value*> inputs = model().arena.make_list<Value*>(new_bias != nullptr ? 3 : 2);
  inputs[0] = conv->inputs[0];
  inputs[1] = new_weights;
  if (new_bias != nullptr) inputs[2] = new_bias;
  --weights->reads;
  if (bias != nullptr) --bias->reads;
  ++new_weights->reads;
  if (new_bias != nullptr) ++new_bias->reads;
  conv->inputs = inputs;
  // It is no longer what it was found to be.
  for (Node*& one : seen.nodes) {
    if (one == conv) one = nullptr;
  }
  changed(pass);
  return {};
}

// Zeros around what a Conv gets are pads of its own.
Status Simplifier::fuse_pads(Node& node) {
  if (!is_on(Pass::fuse_pad_into_conv)) return {};
  static constexpr AttributeSpec spec{"pads", AttributeType::INTS};
  const Node* inner = node.op == &op::conv ? made_for(node.inputs[0], op::pad) : nullptr;
  // From version 11 on, pads and what is filled in are inputs; later on, a list of axes stands behind them.
  if (inner == nullptr || inner->version->since_version < 11 || inner->inputs.size() > 3) return {};
  const Tensor* added = constant(inner->inputs[1]);
  const Tensor* own = node.attributes.find_tensor("pads");
  bool fits = added != nullptr && is_dense(*added) && added->count() > 4 && added->count() % 2 == 0 &&
              node.attributes.find("auto_pad") == nullptr &&
              Call{*inner->version, {}, inner->attributes, {}, {}}.word("mode") == "constant" &&
              (inner->inputs.size() < 3 || inner->inputs[2] == nullptr || are_all(constant(inner->inputs[2]), false)) &&
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
  read(node, 0, *inner->inputs[0], Pass::fuse_pad_into_conv);
  return {};
}

// Factors of the channels that a Conv gets are factors of its weights.
Status Simplifier::fuse_factor(Graph& graph, Node& node, Seen& seen) {
  if (!is_on(Pass::fuse_mul_into_next_conv)) return {};
  if (node.op != &op::conv || node.inputs.size() < 2 || node.attributes.find_int("group").value_or(1) != 1) return {};
  const Node* inner = made_for(node.inputs[0], op::mul);
  Value* weights = node.inputs[1];
  if (inner == nullptr || inner->opset < 7 || weights == nullptr || !is_float(weights->dtype)) return {};
  const std::size_t data = constant(inner->inputs[0]) != nullptr ? 1 : 0;
  Value* operands[] = {weights, inner->inputs[1 - data]};
  if (!have_elements(operands) || !have_same_dims(*inner->inputs[data], *node.inputs[0])) return {};
  const Dims& dims = constant(weights)->dims();
  if (dims.size() < 3) return {};
  Dims target(dims.size(), 1);
  target[1] = -1;
  Value* factor = by_channel(graph, seen, operands[1], dims.size(), dims[1], node);
  Value* product = computed(graph, seen, op::mul, weights, shaped(graph, seen, op::reshape, factor, target, node), node);
  if (product == nullptr) return {};
  --weights->reads;
  node.inputs[1] = product;
  ++product->reads;
  read(node, 0, *inner->inputs[data], Pass::fuse_mul_into_next_conv);
  return {};
}

// A Gemm can transpose its matrices itself.
void Simplifier::fuse_transposes(Node& node) {
  if (!is_on(Pass::fuse_transpose_into_gemm)) return;
  constexpr std::string_view names[] = {"transA", "transB"};
  for (std::size_t i = 0; i < 2; ++i) {
    const Node* inner = made_by(node.inputs[i], op::transpose);
    if (inner == nullptr || inner->inputs[0] == nullptr) continue;
    const Tensor* perm = inner->attributes.find_tensor("perm");
    if (perm != nullptr && (perm->count() != 2 || *reinterpret_cast<const std::int64_t*>(perm->data()) != 1)) continue;
    read(node, i, *inner->inputs[0], Pass::fuse_transpose_into_gemm);
    std::int64_t& transposes = set_attribute(node, names[i]).integer;
    transposes = transposes == 0 ? 1 : 0;
    node.is_changed = true;
  }
}

// The logarithm of a Softmax.
Status Simplifier::fuse_logarithm(Node& node) {
  if (!is_on(Pass::fuse_log_softmax)) return {};
  const Node* inner = made_for(node.inputs[0], op::softmax);
  if (inner == nullptr || inner->opset != node.opset || !become(node, op::log_softmax, inner->inputs)) return {};
  node.attributes = inner->attributes;
  changed(Pass::fuse_log_softmax);
  return {};
}

// Add(MatMul(A, B), C) of matrices is a Gemm.
Result<bool> Simplifier::fuse_product(Graph&, Node& node) {
  if (!is_on(Pass::fuse_matmul_add_bias_into_gemm)) return false;
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
  changed(Pass::fuse_matmul_add_bias_into_gemm);
  return true;
}

}  // namespace broadloom
