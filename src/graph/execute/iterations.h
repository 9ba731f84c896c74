// The iterations of a loop's body: slices that it reads, and results that are stacked.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "graph/structure/control_flow.h"

namespace broadloom {

// The results of a body's iterations so far.
struct Iterations {
  std::vector<Tensor> states;
  std::vector<std::vector<Tensor>> scanned;  // for each scan output, one tensor per iteration
};

Result<Iterations> start_iterations(const BodyParts& parts);
Status add_item(std::vector<Tensor>& list, const Tensor& tensor);

// The dims of a scan output without iterations: those that the body declares, with 0 for unknown sizes.
Dims declared_dims(const ValueInfo& info);
// Stacks tensors along a new first axis. Without tensors, the dims are those that the file declares, which are not
// proven.
Result<Tensor> stack_items(std::span<const Tensor> tensors, const GraphOutput& output, Dtype dtype, bool needs_proof);
// A view of one index of an axis, without that axis.
Tensor slice_at(const Tensor& tensor, std::size_t axis, std::int64_t index);

// Entry `i` of a list of flags or axes; 0 if the list is omitted.
std::int64_t entry_of(const Attributes& attributes, std::string_view name, std::size_t i);
// Fails if the list has another size. With `are_flags`, entries are 0 or 1.
Status check_entries(const Attributes& attributes, std::string_view name, std::size_t size, bool are_flags);

}  // namespace broadloom
