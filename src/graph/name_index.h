// Finds the values of a graph by their names.
#pragma once

#include "graph/graph.h"

namespace broadloom {

// A PATRICIA tree (D. R. Morrison, 1968): each value branches by one bit, the first in which its name differs from those
// that were there; bits grow on the way down, and a link that does not lead to a later bit leads to the value to compare
// with. So a search takes no more steps than the name has bits, whatever names a file chooses: with hashes, it could
// choose names that collide. Values lie in the arena, and nothing is ever rebuilt.
class NameIndex {
 public:
  // The value of this name. When there is none, a new one in `arena`, or without an arena nullptr.
  Value* find(std::string_view name, Arena* arena = nullptr);
  const Value* find(std::string_view name) const { return const_cast<NameIndex*>(this)->find(name, nullptr); }
  Value& find_or_add(std::string_view name, Arena& arena) { return *find(name, &arena); }
  // All values are numbered from 0, in the order in which they were added.
  std::size_t size() const { return size_; }
  // The last one; `next` of each leads to the one before.
  const Value* last() const { return last_; }

 private:
  struct Place {
    Value** link;
    std::size_t next_bit;  // behind the bit of the value that has the link
  };
  // The link that `name` leads to, over values that branch by bits before `end`.
  Place place_of(std::string_view name, std::size_t end);

  Value* root_ = nullptr;
  Value* last_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace broadloom
