// Constants that plans compute.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/memory.h"
#include "graph/graph.h"

namespace broadloom {

// Large results of nodes that read nothing but constants, such as weights that a Cast widens. Plans for several dims share
// them, and what is packed of them.
class ComputedConstants {
 public:
  // Whether the node's outputs are there; then they are set.
  bool find(const Node& node, std::span<Tensor> outputs) const {
    for (const Entry& entry : entries_) {
      if (entry.node != &node) continue;
      std::copy(entry.outputs.begin(), entry.outputs.end(), outputs.begin());
      return true;
    }
    return false;
  }

  // Keeps the outputs, if they are large and there is memory for their records.
  void add(const Node& node, std::span<const Tensor> outputs) {
    constexpr std::size_t least_bytes = std::size_t{64} * 1024;
    std::size_t bytes = 0;
    for (const Tensor& output : outputs) bytes += output.storage->size();
    if (bytes < least_bytes) return;
    if (require_memory(2 * entries_.size() + outputs.size() + 1, sizeof(Entry) + sizeof(Tensor))) {
      entries_.push_back({&node, {outputs.begin(), outputs.end()}});
    } else {
      Error::forget();
    }
  }

  // Forgets those that nobody else has.
  void release_unused() {
    std::erase_if(entries_, [](const Entry& entry) {
      return std::none_of(entry.outputs.begin(), entry.outputs.end(),
                          [](const Tensor& output) { return output.storage->is_shared(); });
    });
  }

 private:
  struct Entry {
    const Node* node;
    std::vector<Tensor> outputs;
  };
  std::vector<Entry> entries_;
};

}  // namespace broadloom
