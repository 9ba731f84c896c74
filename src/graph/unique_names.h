// Names that no other value has.
#pragma once

#include <vector>

#include "graph/model.h"

namespace broadloom {

// Hands out names. Time follows the length of the names, whatever names a file chooses.
class UniqueNames {
 public:
  // New names are written to `arena`.
  explicit UniqueNames(Arena& arena) : arena_(arena) {}

  // Makes the name the owner's. If it is another owner's, changes it first: puts the first free number behind it (h_1).
  Status claim(std::string_view& name, const void* owner);
  // The name is put behind no other. Who has it already, may claim it.
  Status reserve(std::string_view name);

 private:
  struct Entry {
    const void* owner = nullptr;
    std::int64_t last = 0;  // the last number that was put behind the name
  };

  Arena& arena_;
  Arena index_arena_;
  NameIndex index_;
  std::vector<Entry> entries_;  // by the numbers of the names
};

// Gives each value that comes from a function a name that no other value of the model has, in each call of the function. Those
// of graphs keep theirs.
Status name_function_values(Model& model);

}  // namespace broadloom
