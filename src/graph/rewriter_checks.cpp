// Debug builds check the graph after each step of a pass: a pass that breaks it ends the program at once, under its name.
#include "graph/rewriter.h"

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

void Rewriter::check(const Node* node) {
  if (progress_.steps == checked_steps_) return;
  checked_steps_ = progress_.steps;
  // Large models are checked now and then: the time stays in proportion to their size.
  constexpr std::size_t few = 256;
  if (model_.frame_size > few && in_memory(progress_.steps) % (model_.frame_size / few) != 0) return;
  std::vector<std::uint32_t> reads(model_.frame_size);
  std::vector<char> is_made(model_.frame_size);
  const auto visit = [&](const Node& one) {
    for (const Value* input : one.inputs) {
      if (input == nullptr || !input->exists()) continue;
      if (is_replaced(*input)) end(pass_, *input, "is read, though another one replaced it");
      // Reads of values of graphs around are captures, which are not counted.
      if (input->graph != &scope_->graph) continue;
      if (++reads[input->place] > input->reads && input->captured_by == nullptr) {
        end(pass_, *input, "has more readers than were counted");
      }
      if (input->is_produced && is_made[input->place] == 0) end(pass_, *input, "is read before a node makes it");
    }
    for (const Value* output : one.outputs) {
      if (output == nullptr) continue;
      if (output->producer != &one) end(pass_, *output, "has another producer than the node that makes it");
      is_made[output->place] = 1;
    }
  };
  for (const Node* one : scope_->first) visit(*one);
  for (const Node* one : scope_->kept) visit(*one);
  if (node != nullptr && !is_passed_by(*node)) visit(*node);
}

}  // namespace broadloom

#endif
