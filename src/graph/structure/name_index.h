// Numbers names, and finds what stands for them.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "core/arena.h"
#include "core/count.h"

namespace broadloom {

// A name in an index. Names are numbered from 0, in the order in which they were added.
struct Name {
  std::string_view text;
  std::size_t number = 0;
  Name* next = nullptr;  // the one that was added before it
  // Used by NameIndex.
  Name* children[2] = {};
  std::size_t bit = 0;
};

// A PATRICIA tree (D. R. Morrison, 1968): each name branches by one bit, the first in which it differs from earlier names.
// Bits increase along a path, and a link that does not lead to a later bit leads to the name to compare with. So a search
// takes at most as many steps as the name has bits, for any names in a file. With hashes, a file could choose names that
// collide. Names lie in an arena, and the tree is never rebuilt.
class NameIndex {
 public:
  // The name, or nullptr.
  const Name* find(std::string_view name) const;
  // The name. If there is none, a new one in `arena`.
  const Name& find_or_add(std::string_view name, Arena& arena) {
    return add(name, arena, [](Arena& place) -> Name& { return *place.make_list<Name>(1).data(); });
  }
  std::size_t size() const { return size_; }
  // The name that was added last; `next` leads to those before.
  const Name* last() const { return last_; }

 protected:
  // The name; if there is none, a new one that `make` gives.
  Name& add(std::string_view name, Arena& arena, Name& (*make)(Arena&));

 private:
  struct Place {
    Name** link;
    std::size_t next_bit;  // after the bit of the name with the link
  };
  // The link to which `name` leads, along names that branch by bits before `end`.
  Place place_of(std::string_view name, std::size_t end);
  // The link to which `name` leads, where it is if it is in the tree.
  Place nearest_to(std::string_view name);

  Name* root_ = nullptr;
  Name* last_ = nullptr;
  std::size_t size_ = 0;
};

// Names with what stands for each: the members of T.
template <class T>
class NameMap : private NameIndex {
 public:
  struct Entry : Name, T {};

  using NameIndex::size;

  Entry* find(std::string_view name) { return const_cast<Entry*>(std::as_const(*this).find(name)); }
  const Entry* find(std::string_view name) const { return static_cast<const Entry*>(NameIndex::find(name)); }
  Entry& find_or_add(std::string_view name, Arena& arena) {
    return static_cast<Entry&>(add(name, arena, [](Arena& place) -> Name& { return *place.make_list<Entry>(1).data(); }));
  }
  // Calls use(entry) for each, from the last one that was added to the first.
  template <class Use>
  void for_each(const Use& use) const {
    for (const Name* name = last(); name != nullptr; name = name->next) use(static_cast<const Entry&>(*name));
  }
};

}  // namespace broadloom
