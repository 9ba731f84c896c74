// Value numbering: equal computations get the same number.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "graph/structure/graph.h"
#include "graph/structure/name_index.h"

namespace broadloom {

// Finds the nodes and constants of a graph by keys: bytes with all that their values depend on. A search takes time in
// proportion to the key, for any file (name_index.h).
class ValueNumbers {
 public:
  struct Entry {
    Node* node;    // nullptr for a constant
    Value* value;  // the first output, or the constant
  };

  // Starts a key. Keys of different kinds differ.
  void begin(std::string_view kind) {
    key_.clear();
    add(kind);
  }
  void add(const void* bytes, std::size_t size);
  // A text must not contain zeros. Lists start with their length.
  void add(std::string_view text);
  void add(std::span<const std::int64_t> numbers);
  void add(std::int64_t number) { add(&number, sizeof number); }
  // The entry with this key. If there is none, adds `entry` and returns nullptr.
  const Entry* find_or_add(Entry entry, Arena& arena);
  // Detaches the node from its entry, because the node has changed.
  void forget(const Node& node);

 private:
  NameIndex index_;
  std::vector<Entry> entries_;  // by the numbers of the index
  std::vector<char> key_;
};

}  // namespace broadloom
