// A graph that was read from an .onnx file and checked, ready to run.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/arena.h"
#include "ops/operators.h"

namespace broadloom {

// A size in a declared shape: a number, a name (equal names are equal sizes), or neither.
struct Dimension {
  Dimension* next = nullptr;
  std::int64_t value = -1;  // -1: not a number
  std::string_view name;
  std::int32_t symbol = -1;  // the number of the name among all names of sizes; -1: no name
};

// A declared value of the graph (onnx.proto, ValueInfoProto).
struct ValueInfo {
  std::string_view name;
  Dtype dtype = Dtype::undefined;
  bool has_shape = false;
  Chain<Dimension> dims;
};

struct GraphInput;
struct Node;

// A value of a graph: an input, an initializer, or what a node produces.
struct Value {
  // The reader's: see name_index.h.
  Value* next = nullptr;
  Value* children[2] = {};
  std::size_t bit = 0;
  std::string_view name;
  std::size_t number = 0;
  Dtype dtype = Dtype::undefined;  // undefined: only a run would tell
  bool is_defined = false;         // false while its node has not been read
  bool is_kept = false;            // an input, an initializer or an output: not released during a run
  bool is_output = false;          // of the graph
  bool is_external = false;        // its elements are in another file, which is not read
  std::int64_t producer = -1;      // number of its node
  const Node* last_use = nullptr;  // the last node that reads it, or its own
  GraphInput* input = nullptr;     // the graph's input of this name
  const ValueInfo* declared = nullptr;
};

struct Node {
  Node* next = nullptr;
  std::string_view name;
  std::string_view op_type;
  std::string_view domain;
  std::int64_t number = 0;
  // What runs it; nullptr when nothing does.
  const Operator* op = nullptr;
  const OperatorVersion* version = nullptr;
  // Why it cannot run, if it cannot.
  std::string_view error;
  Code code = Code::InvalidModel;
  Attributes attributes;
  std::span<Value*> inputs;  // nullptr: left out
  std::span<Value*> outputs;
  std::span<Dtype> output_types;
};

// Runs a node, whose operator must be there, on the tensors of values, by their numbers.
Status run_node(const Node& node, std::span<Tensor> values);

// Adds the node's name, cut if it is long, or #7 for the nameless node 7.
void append_label(Text& text, const Node& node);

struct GraphInput {
  GraphInput* next = nullptr;
  ValueInfo info;
  Value* value = nullptr;
  bool has_default = false;  // an initializer of the same name
};

struct GraphOutput {
  GraphOutput* next = nullptr;
  ValueInfo info;
  const Value* value = nullptr;
};

struct Initializer {
  Initializer* next = nullptr;
  const Value* value = nullptr;
  Tensor tensor;
};

// What a model that holds things which Broadloom cannot run is.
enum class Unsupported : std::uint8_t { refused, allowed };

class Model {
 public:
  // Reads and checks a ModelProto. Everything that can be known before inputs are: syntax, opset imports, operators,
  // attributes, arity, element types, names, order. Constants are evaluated. The file's bytes are not needed afterwards.
  //
  // With Unsupported::allowed, these do not refuse the file: nodes of operators, domains and element types that Broadloom
  // does not have, whose attributes are not read; initializers in other files; values that are no tensors, between nodes.
  static Result<std::unique_ptr<Model>> load(std::string_view file, Unsupported unsupported = Unsupported::refused);

  Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  ~Model();

  struct Feed {
    std::string_view name;
    const Tensor* tensor;
  };

  // Runs the graph; returns the tensors of `outputs`, in their order. Feeds must cover all inputs without a default,
  // with their declared types, ranks and sizes. On an error nothing is kept.
  Result<std::vector<Tensor>> run(std::span<const Feed> feeds) const;

 private:
  Arena arena_;  // all that follows lies there

 public:
  std::int64_t opset = 0;  // of the default domain; 0 when it is not imported
  // The graph's inputs, with those that an initializer gives a default to.
  Chain<GraphInput> inputs;
  Chain<GraphOutput> outputs;
  Chain<Node> nodes;                // in the file's order
  Chain<Initializer> initializers;  // and what nodes without inputs made
  std::size_t value_count = 0;
  std::size_t symbol_count = 0;
  const Value* last_symbol = nullptr;  // names of sizes, from the last to the first

 private:
  friend class GraphReader;

  Status check_supported() const;
  Status bind(std::span<const Feed> feeds, std::span<Tensor> values) const;
};

}  // namespace broadloom
