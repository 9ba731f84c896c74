// Finds the values of a graph by their names.
#pragma once

#include "core/count.h"
#include "graph/graph.h"

namespace broadloom {

// A PATRICIA tree (D. R. Morrison, 1968): each value branches by one bit, the first in which its name differs from earlier
// names. Bits increase along a path, and a link that does not lead to a later bit leads to the value to compare
// with. So a search takes at most as many steps as the name has bits, for any names in a file. With hashes, a file could
// choose names that collide. Values lie in the arena, and the tree is never rebuilt.
class NameIndex {
 public:
  // The value of this name. If there is none, a new one in `arena`, or nullptr without an arena.
  Value* find(std::string_view name, Arena* arena = nullptr);
  const Value* find(std::string_view name) const { return const_cast<NameIndex*>(this)->find(name, nullptr); }
  Value& find_or_add(std::string_view name, Arena& arena) { return *find(name, &arena); }
  // All values are numbered from 0, in the order in which they were added.
  std::size_t size() const { return size_; }
  // The value that was added last. `next` leads to the one before.
  const Value* last() const { return last_; }

 private:
  struct Place {
    Value** link;
    std::size_t next_bit;  // after the bit of the value with the link
  };
  // The link to which `name` leads, along values that branch by bits before `end`.
  Place place_of(std::string_view name, std::size_t end);

  Value* root_ = nullptr;
  Value* last_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace broadloom
