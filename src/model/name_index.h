// Finds the values of a graph by their names.
#pragma once

#include "model/model.h"

namespace broadloom {

// A tree that branches by two bits of the name's hash at a time: values lie in the arena, and nothing is ever rebuilt.
class NameIndex {
 public:
  // nullptr when there is none.
  Value* find(std::string_view name) { return *place_of(name); }
  Value& find_or_add(std::string_view name, Arena& arena);
  // All values are numbered from 0, in the order in which they were added.
  std::size_t size() const { return size_; }
  // The last one; `next` of each leads to the one before.
  const Value* last() const { return last_; }

 private:
  Value** place_of(std::string_view name);

  Value* root_ = nullptr;
  Value* last_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace broadloom
