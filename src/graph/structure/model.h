// A model that was read from an .onnx file and checked.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "graph/structure/file_records.h"
#include "graph/structure/graph.h"
#include "graph/structure/name_index.h"

namespace broadloom {

// Since this version of files an initializer need not be an input. One that is an input has been its default from then on;
// before, all were inputs, and only constants.
inline constexpr std::int64_t first_ir_version_with_defaults = 4;

// A fault that was accepted although the ONNX text forbids it.
struct Warning {
  Warning* next = nullptr;
  std::string_view text;
};

// An opset_import.
struct Import {
  Import* next = nullptr;
  std::string_view domain;
  std::int64_t version = 0;
};

// An entry of metadata_props.
struct Property {
  Property* next = nullptr;
  std::string_view key;
  std::string_view value;
};

// A function of the file (onnx.proto, FunctionProto).
struct FunctionInfo {
  FunctionInfo* next = nullptr;
  std::string_view domain;
  std::string_view name;
  std::string_view overload;
  std::string_view doc;
};

// The file's words about the model besides its graph. Texts are not checked to be UTF-8.
struct Metadata {
  std::string_view producer_name;
  std::string_view producer_version;
  std::string_view domain;
  std::int64_t model_version = 0;
  std::string_view doc;
  std::string_view graph_name;
  std::string_view graph_doc;
  Chain<Property> properties;        // of the model
  Chain<Property> graph_properties;  // of its graph
  Chain<Import> imports;
  Chain<FunctionInfo> functions;
};

class Model {
 public:
  Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  ~Model();

  // The value of the graph that the name stands for, or nullptr.
  Value* find(std::string_view name) {
    const Named* named = names.find(name);
    return named == nullptr ? nullptr : named->value;
  }
  const Value* find(std::string_view name) const { return const_cast<Model*>(this)->find(name); }

  Graph& add_graph() {
    Graph& added = graphs_.add(arena);
    added.number = graphs_.size() - 1;
    return added;
  }
  // The graphs of the model, whose records lie in its arena.
  const Chain<Graph>& graphs() const { return graphs_; }
  // Removes all other graphs. Their records must not be used.
  void keep_graphs(std::span<Graph* const> graphs) {
    graphs_.assign(graphs);
    std::size_t number = 0;
    for (Graph& kept : graphs_) kept.number = number++;
  }

  // Adds a warning. After many, a last one says that there are more.
  template <class... Values>
  void warn(const char* pattern, const Values&... values) const {
    warn_with(pattern, parts_of(values...));
  }

  Arena arena;  // of all records
  std::int64_t ir_version = 0;
  std::int64_t opset = 0;  // of the default domain; 0 if it is not imported
  Graph* graph = nullptr;  // the model's own
  NameMap<Named> names;    // in that graph
  std::size_t frame_size = 0;
  FileRecords records;
  Metadata metadata;                // unless the model will be written again
  NameIndex symbols;                // the names of sizes; only their numbers are used
  mutable Chain<Warning> warnings;  // a run may add some
  // If the model will be written again: imports of its functions that the model lacks; and whether calls of functions
  // were kept.
  Chain<Import> added_imports;
  bool has_calls = false;
  bool has_functions = false;

 private:
  void warn_with(const char* pattern, std::span<const Part> parts) const;

  Chain<Graph> graphs_;
  mutable Arena texts_;  // of warnings
};

// Checks a feed or a default against the input's declaration, except that equal names are equal sizes: files only claim that.
Status check_feed(const ValueInfo& info, const Tensor& tensor);

// The elements of a value's initializer, which may be nullptr. Writes those of a sparse one. Fails for external ones that were
// not given.
Result<Tensor> elements_of(const Value& value, const Initializer* initializer);

// The error for a name that no input has.
[[gnu::cold]] Failure no_input(std::string_view name, const Graph& graph);

// The names of sizes, by their numbers.
Result<std::vector<std::string_view>> size_names(const Model& model);

// Adds the node to an error, unless the error has a node.
[[gnu::cold]] Failure in_node(Error error, const Node& node);

}  // namespace broadloom
