// A model that was read from an .onnx file and checked, ready to run.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "graph/name_index.h"
#include "graph/profile.h"

namespace broadloom {

// Something that was accepted though the ONNX text forbids it.
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

class Execution;
class Plans;

class Model {
 public:
  Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  ~Model();

  struct Feed {
    std::string_view name;
    const Tensor* tensor;
  };

  // Runs the graph; returns the tensors of its outputs, in their order. Feeds cover all inputs without a default,
  // and feeds and defaults have the types, ranks and sizes that are declared. On an error nothing is kept.
  Result<std::vector<Tensor>> run(std::span<const Feed> feeds) const { return run(feeds, {optimizes}); }

  struct RunOptions {
    bool optimizes = true;  // whether nodes are fused; results have the same bits without
    Profile* profile = nullptr;
  };
  Result<std::vector<Tensor>> run(std::span<const Feed> feeds, const RunOptions& options) const;

  // A tensor for each value, with those of initializers.
  Result<std::vector<Tensor>> make_frame() const;
  // The outputs, after a run on the frame.
  Result<std::vector<Tensor>> take_results(Execution& execution, std::span<const Tensor> frame) const;

  Graph& add_graph() { return graphs_.add(arena); }
  // The records of these go with the model's.
  const Chain<Graph>& graphs() const { return graphs_; }
  // Those that are left, of which others have no records.
  void keep_graphs(std::span<Graph* const> graphs) { graphs_.assign(graphs); }

  // Adds a warning. After many, one more says that there are others.
  template <class... Values>
  void warn(const char* pattern, const Values&... values) {
    warn_with(pattern, parts_of(values...));
  }

  Arena arena;  // all records lie there
  std::int64_t ir_version = 0;
  std::int64_t opset = 0;  // of the default domain; 0 when it is not imported
  Graph* graph = nullptr;  // the model's own
  NameIndex names;         // of the values of that graph
  std::size_t frame_size = 0;
  bool optimizes = true;  // what a run does, unless it says otherwise
  NameIndex symbols;      // names of sizes, of which only the number matters
  Chain<Warning> warnings;
  // Of a model that is to be written again: what its functions import, but not the model; and whether nodes call functions
  // that were left as they are, since they import other opsets than the model.
  Chain<Import> added_imports;
  bool has_calls = false;
  bool has_functions = false;

 private:
  void warn_with(const char* pattern, std::span<const Part> parts);
  Status check_supported() const;
  Status bind(std::span<const Feed> feeds, std::span<Tensor> frame) const;
  Result<std::vector<Tensor>> run_planned(std::span<const Feed> feeds, Profile* profile) const;
  Result<std::vector<Tensor>> run_by_node(std::span<const Feed> feeds, const RunOptions& options) const;

  Chain<Graph> graphs_;
  // Once it has run: a copy that runs in its place, where it has less to do, and the plans of the one that runs.
  mutable std::unique_ptr<Model> optimized_;
  mutable std::unique_ptr<Plans> plans_;
};

// Checks what an input is to be, or else its default: both are as the input is declared. `sizes` holds what the named sizes
// are so far, by their numbers; -1 for those not seen yet.
Status check_feed(const ValueInfo& info, const Tensor& tensor, std::span<std::int64_t> sizes);

// The error of a name that no input has.
[[gnu::cold]] Failure no_input(std::string_view name, const Graph& graph);

// The names of sizes, by their numbers.
Result<std::vector<std::string_view>> size_names(const Model& model);

// Adds the node to an error that arose in it, unless it has one.
[[gnu::cold]] Failure in_node(Error error, const Node& node);

}  // namespace broadloom
