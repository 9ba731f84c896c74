// Unique names of values.
#pragma once

#include <vector>

#include "graph/structure/model.h"

namespace broadloom {

// Assigns unique names, in time proportional to their length, for any names in a file.
class UniqueNames {
 public:
  // New names are written to `arena`.
  explicit UniqueNames(Arena& arena) : arena_(arena) {}

  // Assigns the name to the owner. If another owner has it, first appends the lowest free number (h_1).
  Status claim(std::string_view& name, const void* owner);
  // Prevents the name from being made by appending a number. An owner of that name may still claim it.
  Status reserve(std::string_view name);

 private:
  struct Entry {
    const void* owner = nullptr;
    std::int64_t last = 0;  // the last number that was appended to the name
  };

  Arena& arena_;
  Arena index_arena_;
  NameIndex index_;
  std::vector<Entry> entries_;  // by the numbers of the names
};

// Gives each value of a function a unique name in the model, for each call. Values
// of graphs keep their names.
Status name_function_values(Model& model);

}  // namespace broadloom
