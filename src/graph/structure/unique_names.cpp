#include "graph/structure/unique_names.h"

#include <algorithm>

#include "core/memory.h"
#include "core/text.h"

namespace broadloom {

Status UniqueNames::claim(std::string_view& name, const void* owner) {
  const std::string_view base = name;
  std::size_t first = SIZE_MAX;
  while (true) {
    BROADLOOM_CHECK(require_memory(base.size(), 2));
    const std::size_t number = index_.find_or_add(name, index_arena_).number;
    if (number == entries_.size()) {
      if (number == entries_.capacity()) BROADLOOM_CHECK(require_memory(2 * number + 64, sizeof(Entry)));
      entries_.push_back({owner});
    }
    if (entries_[number].owner == nullptr && name.data() == base.data()) entries_[number].owner = owner;
    if (entries_[number].owner == owner) return {};
    // Numbers continue after the last one that was free for this name.
    first = std::min(first, number);
    Text digits;
    digits.append("_{}", ++entries_[first].last);
    const std::span<char> text = arena_.make_list<char>(base.size() + digits.view().size());
    std::copy(digits.view().begin(), digits.view().end(), std::copy(base.begin(), base.end(), text.begin()));
    name = {text.data(), text.size()};
  }
}

Status UniqueNames::reserve(std::string_view name) {
  BROADLOOM_CHECK(require_memory(entries_.size() + 1, 2 * sizeof(Entry)));
  if (index_.find_or_add(name, index_arena_).number == entries_.size()) entries_.push_back({nullptr});
  return {};
}

namespace {

// Calls use(value) for each value that the graph defines.
template <class Use>
Status each_value(Graph& graph, const Use& use) {
  for (GraphInput& input : graph.inputs) BROADLOOM_CHECK(use(*input.value));
  for (Initializer& initializer : graph.initializers) BROADLOOM_CHECK(use(*initializer.value));
  for (Node& node : graph.nodes) {
    for (Value* output : node.outputs) {
      if (output != nullptr) BROADLOOM_CHECK(use(*output));
    }
  }
  return {};
}

}  // namespace

Status name_function_values(Model& model) {
  UniqueNames names(model.arena);
  for (const bool are_of_functions : {false, true}) {
    for (Graph& graph : model.graphs()) {
      BROADLOOM_CHECK(each_value(graph, [&](Value& value) -> Status {
        if (value.is_of_function != are_of_functions) return {};
        if (are_of_functions) return names.claim(value.name, &value);
        // Equal names of values that graphs define are not changed.
        std::string_view name = value.name;
        return names.claim(name, &model);
      }));
    }
  }
  return {};
}

}  // namespace broadloom
