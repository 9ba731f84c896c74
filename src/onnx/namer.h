// Names of what is written.
#pragma once

#include <vector>

#include "graph/structure/model.h"
#include "graph/structure/unique_names.h"

namespace broadloom {

// Gives each written value and node a unique name.
class Namer {
 public:
  explicit Namer(Model& model) : model_(model), values_(model.arena), nodes_(model.arena) {}

  Status run();
  // Restores the names from before run().
  void undo() {
    for (std::size_t i = changed_.size(); i-- > 0;) *changed_[i].name = changed_[i].before;
  }

 private:
  Status name(Graph& graph);
  Status name_initializers(Graph& graph, bool are_new);
  Status name(Value& value);
  Status claim(UniqueNames& names, std::string_view& name, const void* owner);

  struct Change {
    std::string_view* name;
    std::string_view before;
  };

  Model& model_;
  UniqueNames values_;
  UniqueNames nodes_;
  std::vector<Change> changed_;
};

}  // namespace broadloom
