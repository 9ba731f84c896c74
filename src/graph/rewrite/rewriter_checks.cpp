// Debug builds check the graph after each step of a pass: a pass that breaks it ends the program at once, under its name.
#include "graph/rewrite/rewriter.h"

#ifndef NDEBUG

#include <cstdio>
#include <cstdlib>

#include "core/count.h"

namespace broadloom {
namespace {

[[noreturn]] void end(Pass pass, const Value& value, const char* fault) {
  const std::string_view name = pass == Pass::how_many ? "no pass" : info(pass).name;

  std::fprintf(stderr, "after %.*s: the value '%.*s' %s\n", static_cast<int>(name.size()), name.data(),
               static_cast<int>(value.name.size()), value.name.data(), fault);
  std::abort();
}

}  // namespace

// Counts the readers of all values anew.
class Rewriter::Recount {
 public:
  explicit Recount(const Rewriter& rewriter) : rewriter_(rewriter), counts_(rewriter.model_.frame_size) {}

  void add(Value& value, const Graph& reader) {
    Value& read = rewriter_.resolved(value);
    Count& count = counts_[read.place];
    count.value = &read;
    ++(read.graph == &reader ? count.uses : count.captures);
  }
  void add(const Node& node, const Graph& graph) {
    for (Value* input : node.inputs) {
      if (input != nullptr) add(*input, graph);
    }
    for (Value* output : node.outputs) {
      if (output != nullptr && !rewriter_.is_replaced(*output)) counts_[output->place].value = output;
    }
    for (const Subgraph& subgraph : node.graphs) {
      const Graph& inner = *subgraph.graph;
      for (const Node* one : inner.order) add(*one, inner);
      for (const GraphOutput& output : inner.outputs) {
        if (rewriter_.resolved(*output.value).graph != &inner) add(*output.value, inner);
      }
    }
  }
  // Ends the program if a value of the graph has other counts.
  void compare(const Graph& graph) const {
    for (const Count& count : counts_) {
      if (count.value == nullptr || count.value->graph != &graph) continue;
      const Value& value = *count.value;
      if (value.uses < count.uses) end(rewriter_.pass_, value, "has more readers than were counted");
      if (value.uses > count.uses) end(rewriter_.pass_, value, "has fewer readers than were counted");
      if (value.captures != count.captures) end(rewriter_.pass_, value, "is captured another number of times than was counted");
    }
  }

 private:
  struct Count {
    const Value* value = nullptr;
    std::uint32_t uses = 0;
    std::uint32_t captures = 0;
  };
  const Rewriter& rewriter_;
  std::vector<Count> counts_;  // by place
};

void Rewriter::check(const Node* node) {
  if (progress_.steps == checked_steps_) return;
  checked_steps_ = progress_.steps;
  // Large models are checked now and then: the time stays in proportion to their size.
  constexpr std::size_t few = 256;
  if (model_.frame_size > few && in_memory(progress_.steps) % (model_.frame_size / few) != 0) return;
  const Graph& graph = scope_->graph;
  Recount recount(*this);
  std::vector<char> is_made(model_.frame_size);
  const auto visit = [&](const Node& one) {
    recount.add(one, graph);
    for (const Value* input : one.inputs) {
      if (input == nullptr) continue;
      if (is_replaced(*input)) end(pass_, *input, "is read, though another one replaced it");
      if (input->graph != &graph || input->input != nullptr || input->initializer != nullptr) continue;
      if (is_made[input->place] == 0) end(pass_, *input, "is read before a node makes it");
    }
    for (const Value* output : one.outputs) {
      if (output == nullptr) continue;
      if (output->producer != &one) end(pass_, *output, "has another producer than the node that makes it");
      is_made[output->place] = 1;
    }
  };
  for (const Node* one : scope_->first) visit(*one);
  for (const Node* one : scope_->kept) visit(*one);
  if (node != nullptr && is_passed_by(*node)) recount.add(*node, graph);
  if (node != nullptr && !is_passed_by(*node)) visit(*node);
  for (const std::span<Node* const> nodes : scope_->coming) {
    for (const Node* one : nodes) recount.add(*one, graph);
  }
  for (Value* value : scope_->held) recount.add(*value, graph);
  recount.compare(graph);
}

}  // namespace broadloom

#endif
