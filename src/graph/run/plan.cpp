#include "graph/run/plan.h"

#include <algorithm>
#include <cassert>

#include "core/count.h"
#include "graph/fusion/fusion.h"
#include "ops/call/movement.h"

namespace broadloom {
namespace {

bool is_same(const Layout& a, const Layout& b) { return &a == &b || (a.dims == b.dims && a.strides == b.strides); }

std::uint64_t add_to_hash(std::uint64_t hash, std::uint64_t number) { return (hash ^ number) * 0x100000001b3U; }

}  // namespace

std::uint64_t Plan::hash() const {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const Key& key : keys) {
    hash = add_to_hash(hash, key.is_default ? 1 : 2);
    if (key.is_default) continue;
    hash = add_to_hash(hash, static_cast<std::uint64_t>(key.dtype));
    for (const std::span<const std::int64_t> list : {key.layout->run_dims(), key.layout->strides.values()}) {
      hash = add_to_hash(hash, list.size());
      for (const std::int64_t number : list) hash = add_to_hash(hash, static_cast<std::uint64_t>(number));
    }
  }
  return hash;
}

std::size_t Plan::count_steps() const {
  std::size_t count = steps.size();
  for (const auto& plan : next) count += plan->count_steps();
  return count;
}

bool Plan::pays_once() const {
  // Planning takes 1 to 3 us per node, also of nodes that only compute sizes. Decoders whose caches grow by a token in each run
  // were 1.4 to 2.5 times as fast with a plan for each (50 to 90 kB per node): nodes without one allocate their results and
  // read weights that are not packed. Decoders of 4 kB per node were 0.6 times as fast with plans.
  constexpr double least_bytes = 40 * 1024;
  double bytes = 0;
  for (const PlanStep& step : steps) bytes += step.moved_bytes();
  // A plan without steps, before a node that runs by itself, saves nothing.
  return !steps.empty() && bytes >= least_bytes * static_cast<double>(end - first);
}

const Node* Plan::find_outer(const Node& node) const {
  const FusedNode& fused = fusion_of(node);
  const Node* const root = fused.reader == nullptr ? &node : fused.root;
  const auto found = std::find_if(within.begin(), within.end(), [&](const auto& pair) { return pair.first == root; });
  if (found != within.end()) return found->second;
  return root == &node ? nullptr : root;
}

bool Plan::Key::fits(const Tensor* tensor) const {
  if (tensor == nullptr) return is_default;
  return !is_default && tensor->dtype == dtype && tensor->has_elements() && is_same(tensor->layout, layout) &&
         room_of(*tensor) == room;
}

// ---- Steps ----

#ifndef NDEBUG
namespace {

// Compute writes to the outputs that it is given; it puts no others in their place.
bool is_in_place(const PlannedCall& call) {
  return std::all_of(call.made.begin(), call.made.end(), [&](const Tensor& output) { return output.storage->is_shared(); });
}

}  // namespace
#endif

Status PlanStep::run(std::byte* workspace) const {
  if (blocks != nullptr) return blocks->run(workspace);
  if (program == nullptr) {
    [[maybe_unused]] const Running running(*node->op, call->call);
    Status status = call->ready ? call->ready->run(call->call, workspace) : compute_movement(*node->op, call->call);
    assert(is_in_place(*call));
    return status;
  }
  for (std::size_t i = 0; i < program->operands.size(); ++i) program->routine.place(i, program->operands[i].data());
  if (call == nullptr) return program->routine.run(program->result.data(), workspace);
  [[maybe_unused]] const Running running(*node->op, call->call);
  Finish& finish = program->routine.begin(workspace);
  Status status = call->ready->run_and_finish(
      call->call, workspace + in_memory(padded_place(program->routine.workspace_bytes_of_parts())), &finish);
  Routine::end(finish);
  return status;
}

Count PlanStep::workspace_bytes() const {
  if (blocks != nullptr) return blocks->workspace_bytes();
  const Count of_call = call != nullptr && call->ready ? call->ready->workspace_bytes() : Count();
  if (program == nullptr) return of_call;
  return call == nullptr ? program->routine.workspace_bytes()
                         : padded_place(program->routine.workspace_bytes_of_parts()) + of_call;
}

double PlanStep::bytes() const {
  if (blocks != nullptr) return static_cast<double>(dense_size(blocks->output()));
  if (program != nullptr) return static_cast<double>(dense_size(program->result));
  double bytes = 0;
  for (const Tensor& output : call->made) bytes += static_cast<double>(dense_size(output));
  return bytes;
}

double PlanStep::moved_bytes() const {
  if (blocks != nullptr) return bytes();
  double sum = bytes();
  const auto add = [&](const Tensor& tensor) { sum += static_cast<double>(dense_size(tensor)); };
  if (program != nullptr) std::for_each(program->operands.begin(), program->operands.end(), add);
  if (call == nullptr) return sum;
  for (const Tensor* input : call->given) {
    if (input != nullptr) add(*input);
  }
  return sum;
}

// ---- Made ----

PlannedCall::PlannedCall(const Node& node, std::span<const Tensor* const> from, std::vector<Tensor> outputs)
    : inputs(from.size()),
      given(from.size()),
      made(std::move(outputs)),
      call{*node.version, given, node.attributes, node.output_types, made} {
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] == nullptr) continue;
    inputs[i] = *from[i];
    given[i] = &inputs[i];
  }
}

PlannedProgram::PlannedProgram(const Program& program, const Program::Value& value, std::span<const Tensor* const> from,
                               Tensor to)
    : routine(program, value, in_memory(to.count())), result(std::move(to)) {
  operands.reserve(from.size());
  for (const Tensor* operand : from) operands.push_back(*operand);
}

}  // namespace broadloom
