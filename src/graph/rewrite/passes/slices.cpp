// Slices of all, to the end, and two in a row.
#include <algorithm>
#include <vector>

#include "core/count.h"
#include "core/memory.h"
#include "graph/rewrite/passes/node_passes.h"
#include "ops/call/arguments.h"
#include "ops/named_operators.h"

namespace broadloom {

// Before: y = Slice(x) of all, forwards.  After: x
Status eliminate_nop_slice(Rewriter& rewriter, Node& node) {
  if (!rewriter.have_same_dims(*node.inputs[0], *node.outputs[0])) return {};
  if (node.inputs.size() > 4 && node.inputs[4] != nullptr) {
    const std::optional<Dims> steps = rewriter.integers(node, "steps");
    const bool is_forward = steps && std::all_of(steps->begin(), steps->end(), [](std::int64_t step) { return step > 0; });
    if (!is_forward) return {};
  }
  rewriter.pass_by(node, *node.inputs[0]);
  return {};
}

// Before: y = Slice(x, starts, the size of the axis).  After: y = Slice(x, starts, [INT64_MAX])
Status fold_slice_ends(Rewriter& rewriter, Node& node) {
  if (node.inputs.size() < 4 || node.version->since_version < 10) return {};
  Value* given = node.inputs[2];
  if (given == nullptr || rewriter.constant(given) != nullptr || node.inputs[3] == nullptr) return {};
  const Tensor& ends = rewriter.facts(*given);
  const Tensor& data = rewriter.facts(*node.inputs[0]);
  const std::optional<Dims> axes = rewriter.integers(node, "axes");
  const std::optional<Dims> steps =
      node.inputs.size() > 4 && node.inputs[4] != nullptr ? rewriter.integers(node, "steps") : Dims();
  if (!axes || !steps || !data.is_ranked() || !ends.has_elements() || ends.dtype != Dtype::int64 || !is_dense(ends)) return {};
  if (in_memory(ends.count()) != axes->size()) return {};
  const std::span<const Size> elements = size_elements(ends);
  Dims known(axes->size());
  const auto rank = static_cast<std::int64_t>(data.dims().size());
  for (std::size_t i = 0; i < known.size(); ++i) {
    const std::int64_t axis = (*axes)[i] < 0 ? (*axes)[i] + rank : (*axes)[i];
    if (axis < 0 || axis >= rank || (i < steps->size() && (*steps)[i] < 0)) return {};
    if (elements[i].is_number()) {
      known[i] = elements[i].number();
      continue;
    }
    if (elements[i].is_unknown() || elements[i] != data.dims()[in_memory(axis)]) return {};
    known[i] = INT64_MAX;
  }
  BROADLOOM_TRY(list, rewriter.new_integers(given->name, known));
  if (given->dtype != Dtype::int64) return {};
  rewriter.read(node, 2, *list);
  return {};
}

// Before: y = Slice(Slice(x, axis 0), axis 1).  After: y = Slice(x, axes 0 and 1)
Status merge_slices(Rewriter& rewriter, Node& node) {
  const Node* inner = rewriter.made_by(node.inputs[0], op::slice);
  constexpr std::int32_t first_with_inputs = 10;
  if (inner == nullptr || inner->inputs[0] == nullptr || !rewriter.has_one_reader(*node.inputs[0])) return {};
  if (node.version->since_version < first_with_inputs || !rewriter.facts(*node.inputs[0]).is_ranked()) return {};
  const std::size_t rank = rewriter.facts(*node.inputs[0]).dims().size();
  constexpr std::string_view names[] = {"starts", "ends", "axes", "steps"};
  constexpr std::size_t axes_list = 2;
  std::vector<std::int64_t> lists[std::size(names)];
  AxisSet seen;
  BROADLOOM_CHECK(require_memory());
  for (const Node* one : {inner, static_cast<const Node*>(&node)}) {
    const std::optional<Dims> starts = rewriter.integers(*one, names[0]);
    if (!starts) return {};
    for (std::size_t k = 0; k < std::size(names); ++k) {
      // Without axes they are the first ones, and steps are 1.
      const bool is_given = k + 1 < one->inputs.size() && one->inputs[k + 1] != nullptr;
      const std::optional<Dims> list = is_given ? rewriter.integers(*one, names[k]) : Dims(starts->size(), 1);
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
  Value* inputs[5] = {&rewriter.resolved(*inner->inputs[0])};
  for (std::size_t i = 0; i < 4; ++i) {
    BROADLOOM_TRY(list, rewriter.new_integers(node.outputs[0]->name, Dims(std::span<const std::int64_t>(lists[i]))));
    inputs[i + 1] = list;
  }
  if (rewriter.become(node, op::slice, inputs)) rewriter.changed();
  return {};
}

}  // namespace broadloom
