// The plan of runs for inputs of certain dims: steps that are computed once. Nodes that only compute sizes, or only depend on
// constants, are done in advance. All other values have a layout and a place in one block of memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/count.h"
#include "graph/execute/profile.h"
#include "graph/run/row_blocks.h"
#include "graph/structure/graph.h"
#include "ops/call/ready_call.h"

namespace broadloom {

// Bytes of a part of a run's memory: parts begin at multiples of 16, as storage does.
constexpr Count padded_place(Count bytes) { return (bytes + 15) / 16 * 16; }

// Bytes that values of a plan are views of.
struct PlanRoot {
  enum class Kind : std::uint8_t {
    given,  // the bytes of a value that exists before the plan begins
    block,  // part of the block, where others lie before and after
    none,   // nowhere: a step makes it part by part, and uses each part at once
    fresh   // allocated in each run: those of values that outlive the plan
  };
  PlanRoot(Kind its_kind, std::size_t bytes) : kind(its_kind), size(bytes), storage(bytes) {}

  Kind kind;
  std::uint64_t size;
  Count place;  // in the block
  std::size_t first_step = 0;
  std::size_t last_step = 0;
  bool is_appended = false;  // a step writes behind the elements that are given
  bool is_at_end = false;    // a value where the plan ends is a view of it
  PlacedStorage storage;
  // In a run, unless it is in the block.
  StorageRef now;
  std::int64_t offset = 0;
};

// A value that exists where a plan begins or ends. Of a constant there is no root, and the tensor has its elements.
struct PlanValue {
  const Value* value;
  Tensor tensor;
  PlanRoot* root = nullptr;

  // The tensor of a run.
  Tensor now() const {
    return root == nullptr ? tensor : Tensor{tensor.dtype, tensor.layout, root->now, root->offset + tensor.offset};
  }
};

// One call of an operator, whose tensors stand.
struct PlannedCall {
  PlannedCall(const Node& node, std::span<const Tensor* const> from, std::vector<Tensor> outputs);
  PlannedCall(const PlannedCall&) = delete;
  PlannedCall& operator=(const PlannedCall&) = delete;

  std::vector<Tensor> inputs;
  std::vector<const Tensor*> given;
  std::vector<Tensor> made;
  StorageRef packed;
  Call call;
  std::unique_ptr<ReadyCall> ready;  // or nothing
};

struct PlannedProgram {
  PlannedProgram(const Program& program, const Program::Value& value, std::span<const Tensor* const> from, Tensor to);

  Routine routine;
  std::vector<Tensor> operands;
  Tensor result;
  // A program for nodes has the value that it makes, those that it reads, and the one that was written last among those that
  // nobody else reads.
  const Value* made = nullptr;
  std::vector<const Value*> reads;
  const Value* last_read = nullptr;
};

// A call, a program, a call whose result a program replaces while it is in the cache, or the rows of two calls in turn.
struct PlanStep {
  const Node* node;      // for errors
  std::size_t position;  // of the node in whose time it runs
  std::unique_ptr<PlannedCall> call;
  std::unique_ptr<PlannedProgram> program;
  std::unique_ptr<RowBlocks> blocks = nullptr;

  Status run(std::byte* workspace) const;
  // The memory that a run needs, aligned to 16.
  Count workspace_bytes() const;
  // Bytes of the outputs.
  double bytes() const;
  // Bytes of the inputs, constants among them, and of the outputs.
  double moved_bytes() const;
  // Whether nothing is left to run: another step does it.
  bool is_empty() const { return call == nullptr && program == nullptr && blocks == nullptr; }
};

class Plan {
 public:
  Plan() = default;
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  // Properties of an input for which a plan holds. The layout of a default does not matter.
  struct Key {
    const Value* value;
    bool is_default;
    Dtype dtype = Dtype::undefined;
    LayoutRef layout = {};
    std::size_t room = 0;  // bytes of storage that grows

    static std::size_t room_of(const Tensor& tensor) { return tensor.storage->grows ? tensor.storage->size() : 0; }
    // Whether the plan holds for this tensor; nullptr: for the default.
    bool fits(const Tensor* tensor) const;
  };

  // The other node in whose step this one is computed; nullptr: none.
  const Node* find_outer(const Node& node) const;

  // A number that equal keys share.
  std::uint64_t hash() const;

  // The steps of this plan and of those behind it.
  std::size_t count_steps() const;
  // Whether runs of such a plan take so much longer than its making that a plan pays that is run once.
  bool pays_once() const;

  // The nodes of the graph's order from number `first` on, and before `end`. That one runs by itself, if there is one.
  std::size_t first = 0;
  std::size_t end = 0;
  std::vector<Key> keys;
  std::vector<std::unique_ptr<PlanRoot>> roots;  // before all tensors that lie in them, which end first
  std::vector<PlanValue> starts;                 // each with a root of its own
  std::vector<PlanValue> ends;                   // at the end of the graph, its outputs in their order
  std::vector<PlanRoot*> fresh;
  std::vector<PlanStep> steps;
  std::vector<std::pair<const Node*, const Node*>> within;  // nodes that a step of another node computes, and that one
  Count block_bytes;
  Count workspace_bytes;
  const std::byte* placed_at = nullptr;     // the block in which the roots are
  std::vector<std::unique_ptr<Plan>> next;  // from behind the node at `end`, for what it made
  std::vector<std::uint64_t> seen;          // hashes of keys that came and have no plan there
  std::size_t depth = 0;                    // how many plans run before it
};

}  // namespace broadloom
