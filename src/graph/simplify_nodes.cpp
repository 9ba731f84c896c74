// What Simplifier knows of single nodes: which of them change nothing, and which can be said more simply. All of it is exact.
#include <algorithm>
#include <bitset>
#include <cstring>

#include "core/memory.h"
#include "graph/simplifier.h"
#include "ops/arguments.h"
#include "ops/operators.h"
#include "ops/transpose.h"

namespace broadloom {
namespace {

// The same elements in the same order, under other dims.
bool is_reshape(const Node& node) { return node.op != nullptr && node.op->traits.is_reshape; }

// The order that a Transpose puts axes in, if it says so, or if the rank of its input is known, which is that of `ranked`.
std::optional<Dims> order_of(const Node& node, const Tensor& ranked) {
  const Tensor* perm = node.attributes.find_tensor("perm");
  if (perm == nullptr && !ranked.is_ranked()) return {};
  const auto rank = perm != nullptr ? static_cast<std::size_t>(perm->count()) : ranked.dims().size();
  return rank > most_axes ? std::nullopt : find_order(*node.version, node.attributes, rank);
}

bool is_whole(Dtype dtype) {
  const DtypeKind kind = info(dtype).kind;
  return kind == DtypeKind::unsigned_integer || kind == DtypeKind::signed_integer;
}

// Whether every number of the first type is one of the second.
bool holds_all_of(Dtype from, Dtype to) {
  using enum Dtype;
  const DtypeKind first = info(from).kind;
  const DtypeKind second = info(to).kind;
  const bool is_half = from == float16 || from == bfloat16;
  if (to == float32) return is_half || from == boolean;
  if (to == float64) return is_half || from == boolean || from == float32 || (is_whole(from) && info(from).bits <= 32);
  if (!is_whole(to) || info(to).bits < 8) return false;
  if (from == boolean) return true;
  if (!is_whole(from) || info(from).bits >= info(to).bits) return false;
  return first == second || second == DtypeKind::signed_integer;
}

}  // namespace

bool are_all(const Tensor* tensor, bool is_one) {
  if (tensor == nullptr || tensor->count() == 0) return false;
  std::uint64_t one = 1;
  switch (tensor->dtype) {
    case Dtype::float32: one = 0x3F800000; break;
    case Dtype::float64: one = 0x3FF0000000000000; break;
    case Dtype::float16: one = 0x3C00; break;
    case Dtype::bfloat16: one = 0x3F80; break;
    default:
      if (info(tensor->dtype).bits < 8 || !(is_whole(tensor->dtype) || tensor->dtype == Dtype::boolean)) return false;
  }
  const std::uint64_t item = is_one ? one : 0;
  const std::size_t size = item_size(tensor->dtype);
  const Span span = span_of(tensor->layout);
  for (std::int64_t i = span.lowest; i <= span.highest; ++i) {
    if (std::memcmp(tensor->data() + i * static_cast<std::int64_t>(size), &item, size) != 0) return false;
  }
  return true;
}

Simplifier::Same Simplifier::unchanged(const Node& node) {
  using enum Pass;
  const Operator* op = node.op;
  if (op == nullptr || node.inputs.empty() || node.inputs[0] == nullptr) return {};
  if (node.outputs.empty() || node.outputs[0] == nullptr) return {};
  Value& input = *node.inputs[0];
  Value& output = *node.outputs[0];
  if (op == &op::identity) return {&input, eliminate_identity};
  if (op == &op::dropout) {
    if (node.outputs.size() > 1 && node.outputs[1] != nullptr && is_read(*node.outputs[1])) return {};
    if (node.opset < 7 && node.attributes.find_int("is_test").value_or(0) == 0) return {};
    const Value* training = node.inputs.size() > 2 ? node.inputs[2] : nullptr;
    const Tensor* mode = constant(training);
    if (training != nullptr && (mode == nullptr || mode->count() != 1 || *mode->data() != std::byte{0})) return {};
    return {&input, eliminate_nop_dropout};
  }
  if (input.dtype != output.dtype || input.dtype == Dtype::undefined) return {};
  if (op == &op::cast || op == &op::cast_like) return {&input, eliminate_nop_cast};
  if (op->traits.is_identity_of_one && node.inputs.size() == 1) return {&input, eliminate_nop_concat};
  // What one of these made, it does not change once more.
  if (op->traits.is_idempotent && made_by(&input, *op) != nullptr) return {&input, eliminate_consecutive_idempotent_ops};
  if (op == &op::transpose) {
    const std::optional<Dims> order = order_of(node, facts(input));
    for (std::size_t i = 0; order && i < order->size(); ++i) {
      if ((*order)[i] != static_cast<std::int64_t>(i)) return {};
    }
    return {order ? &input : nullptr, eliminate_nop_transpose};
  }
  if (is_reshape(node)) {
    if (have_same_dims(input, output)) return {&input, eliminate_nop_reshape};
    // Of several in a row, the last may come back to where the first began. Rows can be as long as the file.
    constexpr int most_steps = 16;
    Value* value = &input;
    for (int step = 0; step < most_steps; ++step) {
      const Node* inner = made_by(value);
      if (inner == nullptr || !is_reshape(*inner) || inner->inputs.empty() || inner->inputs[0] == nullptr) break;
      value = &resolved(*inner->inputs[0]);
      if (have_same_dims(*value, output)) return {value, eliminate_nop_reshape};
    }
    return {};
  }
  Value* second = node.inputs.size() > 1 ? node.inputs[1] : nullptr;
  if (second != nullptr && node.version->since_version >= 7) {
    // Adding 0 turns -0 into 0. Subtracting -0 does so, too. A first power is computed as any other: its last bits may differ
    // from its base's, and runtimes that compute powers of integers in double round them.
    const bool is_inexact = !is_whole(input.dtype) && (op == &op::add || op == &op::pow);
    const Pass pass = !is_inexact ? eliminate_nop_with_unit : op == &op::add ? eliminate_nop_add : eliminate_nop_pow;
    const auto is_neutral = [&](const Tensor* operand, bool is_second) {
      const bool is_unit = is_second && (op == &op::div || (op == &op::pow && is_inexact));
      return ((op == &op::mul || is_unit || op == &op::logical_and) && are_all(operand, true)) ||
             (((op == &op::sub && is_second) || op == &op::add || op == &op::logical_or) && are_all(operand, false));
    };
    if (have_same_dims(input, output) && is_neutral(constant(second), true)) return {&input, pass};
    if (have_same_dims(*second, output) && is_neutral(constant(&input), false)) return {second, pass};
  }
  if (!have_same_dims(input, output)) return {};
  if (op == &op::expand) return {&input, eliminate_nop_expand};
  if (op == &op::tile) return {&input, eliminate_nop_tile};
  if (op == &op::split && node.outputs.size() == 1) return {&input, eliminate_nop_split};
  if (op == &op::slice) {
    if (node.inputs.size() < 5 || node.inputs[4] == nullptr) return {&input, eliminate_nop_slice};
    const std::optional<Dims> steps = integers(node, "steps");
    const bool is_forward = steps && std::all_of(steps->begin(), steps->end(), [](std::int64_t step) { return step > 0; });
    return {is_forward ? &input : nullptr, eliminate_nop_slice};
  }
  if (op == &op::pad) {
    const std::optional<Dims> pads = integers(node, node.opset < 2 ? "paddings" : "pads");
    const bool is_none = pads && std::all_of(pads->begin(), pads->end(), [](std::int64_t pad) { return pad == 0; });
    return {is_none ? &input : nullptr, eliminate_nop_pad};
  }
  return {};
}

Status Simplifier::change(Graph& graph, Node& node) {
  const bool has_all = node.is_checked() && !node.inputs.empty() && node.inputs[0] != nullptr && !node.outputs.empty() &&
                       node.outputs[0] != nullptr;
  drop_zero_states(node);
  if (!has_all) return {};
  if (node.op == &op::concat) return merge_concats(node);
  if (node.op == &op::where) {
    const Node* inner = made_by(node.inputs[0], op::logical_not);
    // Some runtimes add 0 to floats of one side: of its -0 nothing is left.
    const Pass pass = is_whole(node.outputs[0]->dtype) ? Pass::merge_not_where : Pass::fuse_not_into_where;
    if (inner == nullptr || !is_on(pass)) return {};
    read(node, 0, *inner->inputs[0], pass);
    std::swap(node.inputs[1], node.inputs[2]);
    return {};
  }
  if (node.op == &op::unsqueeze && merge_reduction(node)) return {};
  if (node.op == &op::transpose) return merge_transposes(node);
  if (node.op == &op::cast) return merge_casts(node);
  if (node.op == &op::slice) {
    BROADLOOM_CHECK(set_ends(graph, node));
    return merge_slices(graph, node);
  }
  if (node.op == &op::expand) return set_target(graph, node);
  if (node.op == &op::reshape) BROADLOOM_CHECK(set_target(graph, node));
  return is_reshape(node) ? merge_reshapes(graph, node) : Status();
}

// ---- Two in a row ----

Status Simplifier::merge_transposes(Node& node) {
  if (!is_on(Pass::merge_transposes)) return {};
  Node* inner = made_by(node.inputs[0], op::transpose);
  if (inner == nullptr) return {};
  const std::optional<Dims> second = order_of(node, facts(*node.inputs[0]));
  const std::optional<Dims> first = order_of(*inner, facts(*inner->outputs[0]));
  if (!first || !second || first->size() != second->size()) return {};
  Dims order(second->size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = (*first)[static_cast<std::size_t>((*second)[i])];
  BROADLOOM_CHECK(require_memory());
  BROADLOOM_TRY(perm, make_vector(order.values()));
  Value* inputs[] = {&resolved(*inner->inputs[0])};
  if (!become(node, op::transpose, inputs)) return {};
  set_attribute(node, "perm", std::move(perm));
  changed(Pass::merge_transposes);
  return {};
}

Status Simplifier::merge_casts(Node& node) {
  if (!is_on(Pass::merge_casts)) return {};
  const Node* inner = made_by(node.inputs[0], op::cast);
  if (inner == nullptr || inner->inputs[0] == nullptr) return {};
  Value& data = resolved(*inner->inputs[0]);
  if (data.dtype == Dtype::undefined || !holds_all_of(data.dtype, node.inputs[0]->dtype)) return {};
  const Dtype to = node.outputs[0]->dtype;
  if (to == Dtype::undefined || to == Dtype::string || info(to).bits < 8) return {};
  // Numbers of a larger type that do not fit into a smaller one are nowhere said to become the same ones from every type.
  const bool fits = to == data.dtype || holds_all_of(data.dtype, to);
  if (fits) read(node, 0, data, Pass::merge_casts);
  return {};
}

// What is put together along the same axis before. A list that is long already stays: each join writes it anew.
Status Simplifier::merge_concats(Node& node) {
  if (!is_on(Pass::merge_concats)) return {};
  constexpr std::size_t most_inputs = 64;
  const std::optional<std::int64_t> axis = node.attributes.find_int("axis");
  for (std::size_t i = 0; i < node.inputs.size();) {
    const Node* inner = made_for(node.inputs[i], op::concat);
    const std::size_t count = inner == nullptr ? most_inputs : node.inputs.size() - 1 + inner->inputs.size();
    if (count >= most_inputs || inner->attributes.find_int("axis") != axis) {
      ++i;
      continue;
    }
    BROADLOOM_CHECK(require_memory());
    const std::span<Value*> list = model().arena.make_list<Value*>(count);
    Value** to = std::copy_n(node.inputs.data(), i, list.data());
    for (Value* one : inner->inputs) {
      *to = &resolved(*one);
      ++(*to++)->reads;
    }
    std::copy_n(node.inputs.data() + i + 1, node.inputs.size() - i - 1, to);
    node.inputs = list;
    changed(Pass::merge_concats);
  }
  return {};
}

// Axes that a reduction drops, and an Unsqueeze brings back: the reduction keeps them.
bool Simplifier::merge_reduction(Node& node) {
  if (!is_on(Pass::merge_reduce_unsqueeze)) return false;
  const Node* inner = has_one_reader(*node.inputs[0]) ? made_by(node.inputs[0]) : nullptr;
  if (inner == nullptr || !inner->is_checked() || !inner->op->name.starts_with("Reduce") || inner->opset != node.opset)
    return false;
  if (inner->attributes.find_int("keepdims") != 0) return false;
  // Both lists count in the same rank.
  const std::optional<Dims> axes = integers(node, "axes");
  if (!axes || axes->size() == 0 || axes != integers(*inner, "axes")) return false;
  become(node, *inner->op, inner->inputs);
  node.attributes = inner->attributes;
  set_attribute(node, "keepdims").integer = 1;
  changed(Pass::merge_reduce_unsqueeze);
  return true;
}

// A state of zeros that a recurrent operator begins with is the one that it has without.
void Simplifier::drop_zero_states(Node& node) {
  if (!is_on(Pass::eliminate_zero_states)) return;
  if (node.op != &op::lstm && node.op != &op::gru && node.op != &op::rnn) return;
  for (std::size_t i = 5; i < node.inputs.size() && i < 7; ++i) {
    Value*& state = node.inputs[i];
    const Node* maker = made_by(state);
    const Tensor* filled = constant(state);
    bool is_zero = are_all(filled, false);
    if (maker != nullptr && maker->op == &op::expand) is_zero = are_all(constant(maker->inputs[0]), false);
    if (maker != nullptr && maker->op == &op::constant_of_shape) {
      filled = maker->attributes.find_tensor("value");
      is_zero = filled == nullptr || are_all(filled, false);
    }
    if (!is_zero) continue;
    --state->reads;
    state = nullptr;
    changed(Pass::eliminate_zero_states);
  }
}

// Slices of different axes are one.
Status Simplifier::merge_slices(Graph& graph, Node& node) {
  if (!is_on(Pass::merge_slices)) return {};
  const Node* inner = made_by(node.inputs[0], op::slice);
  constexpr std::int32_t first_with_inputs = 10;
  if (inner == nullptr || inner->inputs[0] == nullptr || !has_one_reader(*node.inputs[0])) return {};
  if (node.version->since_version < first_with_inputs || !facts(*node.inputs[0]).is_ranked()) return {};
  const std::size_t rank = facts(*node.inputs[0]).dims().size();
  constexpr std::string_view names[] = {"starts", "ends", "axes", "steps"};
  constexpr std::size_t axes_list = 2;
  std::vector<std::int64_t> lists[std::size(names)];
  AxisSet seen;
  BROADLOOM_CHECK(require_memory());
  for (const Node* one : {inner, static_cast<const Node*>(&node)}) {
    const std::optional<Dims> starts = integers(*one, names[0]);
    if (!starts) return {};
    for (std::size_t k = 0; k < std::size(names); ++k) {
      // Without axes they are the first ones, and steps are 1.
      const bool is_given = k + 1 < one->inputs.size() && one->inputs[k + 1] != nullptr;
      const std::optional<Dims> list = is_given ? integers(*one, names[k]) : Dims(starts->size(), 1);
      if (!list || list->size() != starts->size()) return {};
      for (std::size_t i = 0; i < list->size(); ++i) {
        std::int64_t number = (*list)[i];
        if (k == axes_list) {
          const Result<std::size_t> axis = resolve_axis(names[k], is_given ? number : static_cast<std::int64_t>(i), rank);
          if (!axis || seen[*axis]) return {};
          seen.set(*axis);
          number = static_cast<std::int64_t>(*axis);
        }
        lists[k].push_back(number);
      }
    }
  }
  Value* inputs[5] = {&resolved(*inner->inputs[0])};
  for (std::size_t i = 0; i < 4; ++i) {
    BROADLOOM_TRY(list, new_integers(graph, node.outputs[0]->name, Dims(std::span<const std::int64_t>(lists[i]))));
    inputs[i + 1] = list;
  }
  if (become(node, op::slice, inputs)) changed(Pass::merge_slices);
  return {};
}

// Unsqueezes and Squeezes of a row of two are one.
Status Simplifier::merge_axes(Graph& graph, Node& node, Node& inner) {
  if (!is_on(Pass::merge_squeezes)) return {};
  const std::optional<Dims> axes = integers(node, "axes");
  const std::optional<Dims> others = integers(inner, "axes");
  const Tensor& before = facts(*inner.inputs[0]);
  if (!axes || !others || !before.is_ranked()) return {};
  const bool adds = node.op_type == "Unsqueeze";
  const std::size_t rank = before.dims().size();
  // The ranks that the axes count in: of the outputs of an Unsqueeze, of the inputs of a Squeeze.
  const std::size_t inner_rank = adds ? rank + others->size() : rank;
  if (!adds && others->size() > rank) return {};
  const std::size_t outer_rank = adds ? inner_rank + axes->size() : rank - others->size();
  if (inner_rank > most_axes || outer_rank > most_axes) return {};
  const Result<AxisSet> outer_set = resolve_axes("axes", axes->values(), outer_rank);
  const Result<AxisSet> inner_set = outer_set ? resolve_axes("axes", others->values(), inner_rank) : outer_set;
  if (!outer_set || !inner_set) return {};
  const AxisSet& large = adds ? *outer_set : *inner_set;
  const AxisSet& small = adds ? *inner_set : *outer_set;
  std::vector<std::int64_t> list;
  BROADLOOM_CHECK(require_memory());
  std::size_t at = 0;
  for (std::size_t i = 0; i < (adds ? outer_rank : inner_rank); ++i) {
    // What the larger rank does not name, the smaller one counts.
    const bool is_named = large[i] || small[at++];
    if (is_named) list.push_back(static_cast<std::int64_t>(i));
  }
  const Operator& op = *node.op;
  Value* data = &resolved(*inner.inputs[0]);
  if (node.version->since_version >= 13) {
    BROADLOOM_TRY(given, new_integers(graph, node.outputs[0]->name, Dims(std::span<const std::int64_t>(list))));
    Value* inputs[] = {data, given};
    if (!become(node, op, inputs)) return {};
  } else {
    BROADLOOM_TRY(tensor, make_vector(list));
    Value* inputs[] = {data};
    if (!become(node, op, inputs)) return {};
    set_attribute(node, "axes", std::move(tensor));
  }
  changed(Pass::merge_squeezes);
  return {};
}

Status Simplifier::merge_reshapes(Graph& graph, Node& node) {
  Node* inner = made_by(node.inputs[0]);
  if (inner == nullptr || !is_reshape(*inner) || !inner->is_checked()) return {};
  if (inner->inputs[0] == nullptr) return {};
  Value& data = resolved(*inner->inputs[0]);
  if (is_on(Pass::merge_reshapes) && node.op == &op::reshape && node.version->since_version >= 5 &&
      node.attributes.find_int("allowzero").value_or(0) == 0) {
    const std::optional<Dims> target = integers(node, "shape");
    bool fits = target.has_value();
    // What is copied is copied from the dims before.
    for (std::size_t i = 0; fits && i < target->size(); ++i)
      fits = (*target)[i] != 0 || have_same_size(data, *node.inputs[0], i);
    if (fits) read(node, 0, data, Pass::merge_reshapes);
    return {};
  }
  if (!has_one_reader(*node.inputs[0])) return {};
  if (inner->op == node.op && (node.op == &op::unsqueeze || node.op == &op::squeeze)) return merge_axes(graph, node, *inner);
  if (!is_on(Pass::merge_reshapes)) return {};
  // Another pair is a Reshape, if at most one size is not known.
  const Tensor& made = facts(*node.outputs[0]);
  if (!made.is_ranked() || node.opset < 5) return {};
  Dims target = made.dims();
  std::size_t unknown = 0;
  for (Size& size : target) {
    if (size == 0) return {};
    if (is_number(size)) continue;
    size = -1;
    ++unknown;
  }
  if (unknown > 1) return {};
  BROADLOOM_TRY(shape, new_integers(graph, node.outputs[0]->name, target));
  Value* inputs[] = {&data, shape};
  if (become(node, op::reshape, inputs)) changed(Pass::merge_reshapes);
  return {};
}

// ---- Operands of which enough is known ----

// A target of Reshape or Expand that is computed becomes a constant, where that says the same: -1 for one size that follows
// from the others, and what stands for the input's own size at its axis.
Status Simplifier::set_target(Graph& graph, Node& node) {
  const Pass pass = node.op == &op::expand ? Pass::fold_expand_target : Pass::fold_reshape_target;
  if (!is_on(pass)) return {};
  if (node.inputs.size() != 2 || node.inputs[1] == nullptr || constant(node.inputs[1]) != nullptr) return {};
  const Tensor& data = facts(*node.inputs[0]);
  const Tensor& made = facts(*node.outputs[0]);
  if (!made.is_ranked() || node.inputs[1]->initializer != nullptr) return {};
  const bool is_expand = node.op == &op::expand;
  const std::size_t rank = made.dims().size();
  // The axes of the input stand at the end in an Expand.
  const std::size_t added = is_expand && data.is_ranked() ? rank - std::min(rank, data.dims().size()) : 0;
  if (is_expand && !data.is_ranked()) return {};
  const bool copies_zeros = !is_expand && node.attributes.find_int("allowzero").value_or(0) == 0;
  Dims target(rank);
  std::size_t unknown = 0;
  bool has_zero = false;
  for (std::size_t i = 0; i < rank; ++i) {
    const Size size = made.dims()[i];
    const bool has_axis = data.is_ranked() && i >= added && i - added < data.dims().size();
    const bool is_own = has_axis && size != unknown_size && data.dims()[i - added] == size;
    if (is_number(size)) {
      target[i] = size;
      has_zero = has_zero || size == 0;
    } else if (is_own && (is_expand || copies_zeros)) {
      target[i] = is_expand ? 1 : 0;
    } else {
      target[i] = -1;
      ++unknown;
    }
  }
  if (!is_expand) {
    // Where one size alone is not known, it is what the others leave. Beside copied ones it is not: should one of them be 0,
    // any size would do.
    const auto copied = std::count(target.begin(), target.end(), 0);
    if (has_zero || unknown + static_cast<std::size_t>(copied > 0 ? 1 : 0) > 1) return {};
    if (copied == 1) std::replace(target.begin(), target.end(), std::int64_t{0}, std::int64_t{-1});
  } else if (unknown > 0) {
    return {};
  }
  BROADLOOM_TRY(shape, new_integers(graph, node.inputs[1]->name, target));
  read(node, 1, *shape, pass);
  return {};
}

// An end of a Slice that is computed, but is the end of the axis.
Status Simplifier::set_ends(Graph& graph, Node& node) {
  if (!is_on(Pass::fold_slice_ends)) return {};
  if (node.inputs.size() < 4 || node.version->since_version < 10) return {};
  Value* given = node.inputs[2];
  if (given == nullptr || constant(given) != nullptr || node.inputs[3] == nullptr) return {};
  const Tensor& ends = facts(*given);
  const Tensor& data = facts(*node.inputs[0]);
  const std::optional<Dims> axes = integers(node, "axes");
  const std::optional<Dims> steps = node.inputs.size() > 4 && node.inputs[4] != nullptr ? integers(node, "steps") : Dims();
  if (!axes || !steps || !data.is_ranked() || !ends.has_elements() || ends.dtype != Dtype::int64 || !is_dense(ends)) return {};
  if (static_cast<std::size_t>(ends.count()) != axes->size()) return {};
  const auto* elements = reinterpret_cast<const Size*>(ends.data());
  Dims known(axes->size());
  const auto rank = static_cast<std::int64_t>(data.dims().size());
  for (std::size_t i = 0; i < known.size(); ++i) {
    const std::int64_t axis = (*axes)[i] < 0 ? (*axes)[i] + rank : (*axes)[i];
    if (axis < 0 || axis >= rank || (i < steps->size() && (*steps)[i] < 0)) return {};
    known[i] = elements[i];
    if (is_number(elements[i])) continue;
    if (elements[i] == unknown_size || elements[i] != data.dims()[static_cast<std::size_t>(axis)]) return {};
    known[i] = INT64_MAX;
  }
  BROADLOOM_TRY(list, new_integers(graph, given->name, known));
  if (given->dtype != Dtype::int64) return {};
  read(node, 2, *list, Pass::fold_slice_ends);
  return {};
}

}  // namespace broadloom
