// Value numbering: what computes the same has one number.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "graph/name_index.h"

namespace broadloom {

// The nodes and constants of a graph, found by keys: bytes that say all that their values depend on. A search takes time in
// proportion to the key, whatever a file holds (name_index.h).
class ValueNumbers {
 public:
  struct Entry {
    Node* node;    // nullptr for a constant
    Value* value;  // the first output, or the constant
  };

  // Begins with a key. Kinds of keys differ.
  void begin(std::string_view kind) {
    key_.clear();
    add(kind);
  }
  void add(const void* bytes, std::size_t size);
  // A text has no zeros; lists tell their length.
  void add(std::string_view text);
  void add(std::span<const std::int64_t> numbers);
  void add(std::int64_t number) { add(&number, sizeof number); }
  // The entry that has the key already. Where there is none: nullptr, and this one has it.
  const Entry* find_or_add(Entry entry, Arena& arena);
  // The node does not compute any more what it was found to compute.
  void forget(const Node& node);

 private:
  NameIndex index_;
  std::vector<Entry> entries_;  // by the numbers of the index
  std::vector<char> key_;
};

}  // namespace broadloom
