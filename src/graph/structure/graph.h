// A graph: values, and the nodes that make them. ONNX: onnx/onnx.proto, GraphProto; docs/IR.md.
//
// All records of a model lie in one arena. Every value of every graph has its own place in one frame of tensors, so that
// a subgraph reads the values of outer graphs directly.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/arena.h"
#include "ops/call/operator.h"

namespace broadloom {

struct ExternalData;
struct FusedNode;  // fusion.h
struct Graph;
struct GraphInput;
struct Initializer;
struct Node;

// A size in a declared shape: a number, a name, or neither. That equal names are equal sizes is what the file claims.
struct Dimension {
  Dimension* next = nullptr;
  std::int64_t value = -1;  // -1: not a number
  std::string_view name;
  std::int32_t symbol = -1;  // the number of the name among all names of sizes; -1: no name
  bool is_given = false;     // the caller gave the name, who knows that equal ones are equal sizes
};

// A declared value of a graph (onnx.proto, ValueInfoProto).
struct ValueInfo {
  std::string_view name;
  std::string_view kind = "tensor";  // or "a sequence", "a map", "an optional", "a sparse tensor": these only have a name here
  Dtype dtype = Dtype::undefined;
  bool has_shape = false;
  Chain<Dimension> dims;
  std::uint32_t record = 0;  // of its declaration (file_records.h)

  bool is_tensor() const { return kind == "tensor"; }
};

// A value of a graph: an input, an initializer, or an output of a node.
struct Value {
  std::string_view name;
  std::size_t place = 0;  // in the frame
  Graph* graph = nullptr;
  Dtype dtype = Dtype::undefined;  // undefined: known only in a run
  bool is_of_function = false;     // its name belongs to a function
  bool is_output = false;          // of its graph
  bool is_held = false;            // a graph of an unknown operator reads it: it must not be replaced
  bool is_named = false;           // the file refers to it by name outside of nodes: it keeps its name and its elements
  Node* producer = nullptr;
  // Readers (uses.h): inputs of nodes of its graph; and inputs of nodes, and outputs, of graphs within.
  std::uint32_t uses = 0;
  std::uint32_t captures = 0;
  const Node* last_use = nullptr;      // the last node of its graph that reads it, or else its producer
  GraphInput* input = nullptr;         // its graph's input of this name
  Initializer* initializer = nullptr;  // unless it is only the default of an input
  ValueInfo* declared = nullptr;

  // Whether a node, an input or an initializer gives it: a name alone is not a value.
  bool exists() const { return producer != nullptr || is_kept(); }
  // Whether it stays when all who read it have run.
  bool is_kept() const { return input != nullptr || initializer != nullptr || is_output; }
  // Whether its elements are part of the model, so that they are the same in every run.
  bool is_constant() const { return initializer != nullptr; }
  // Whether only nodes of its graph read it, so that nobody needs it after them.
  bool is_private() const { return captures == 0 && !is_kept(); }
  // Whether somebody besides nodes reads it, so that it must stay what it is.
  bool is_read_outside() const { return is_output || is_named; }
};

// The inputs of a node; nullptr for one that is omitted. Whoever writes them keeps the uses of values right (uses.h).
class InputList : public std::span<Value* const> {
 public:
  InputList() = default;

 private:
  friend class Copier;
  friend class GraphReader;
  friend class Rewriter;

  explicit InputList(std::span<Value*> list) : std::span<Value* const>(list) {}
  InputList& operator=(std::span<Value*> list) { return *this = InputList(list); }
};

// The value that a name in a graph of the file stands for.
struct Named {
  Value* value = nullptr;
  bool is_bound = false;  // to the value of another name, or of another node with this one
};

// A value of the node's graph that is read in a subgraph of the node.
struct Capture {
  Capture* next = nullptr;
  Value* value = nullptr;
};

// A graph in an attribute of a node.
struct Subgraph {
  std::string_view attribute;
  Graph* graph = nullptr;
};

// Why a node is not supported.
struct Fault {
  Code code = Code::InvalidModel;
  std::string_view text;
};

struct Node {
  Node* next = nullptr;
  std::string_view name;
  std::string_view op_type;
  std::string_view domain;
  std::int64_t number = 0;       // its index in the list of the file
  std::uint32_t record = 0;      // of the file (file_records.h)
  const Node* caller = nullptr;  // the call of its function, if it was inlined
  const Node* origin = nullptr;  // the node that it copies or replaces; nullptr for a node that was read
  std::size_t position = 0;      // in the graph's order
  // The operator, supported or not, and its version; nullptr if it is unknown.
  const Operator* op = nullptr;
  const OperatorVersion* version = nullptr;
  std::int64_t opset = 0;        // selects the version
  const Fault* fault = nullptr;  // why the node is not supported; nullptr if it is
  Attributes attributes;
  InputList inputs;
  std::span<Value*> outputs;
  std::span<Dtype> output_types;
  std::span<Subgraph> graphs;
  Chain<Capture> captures;
  bool is_constant = false;  // it ran when the model was loaded, and its outputs are initializers
  bool is_changed = false;   // by simplifying, or it is not in the file: then `attributes` are its attributes

  bool runs() const { return fault == nullptr; }
  // Whether a schema accepts its attributes and the number of its inputs and outputs.
  bool has_schema() const { return op != nullptr && op->runs(); }
  // Whether the operator is supported, but not with the types of this node.
  bool has_refused_types() const { return has_schema() && !runs() && fault->code == Code::UnsupportedType; }
  // Whether the schema accepts the node, including types. Other nodes must not be computed.
  bool is_checked() const { return has_schema() && !has_refused_types(); }
  // The graph in the attribute of this name, or nullptr.
  const Graph* graph(std::string_view attribute) const;
  // Whether `attributes` suffices to compare nodes.
  bool has_comparable_attributes() const;
};

// Whether `view`, which has elements of `base`, is read after the last reader of `base`. A small view is copied then: the rest
// of the storage is free as soon as nobody reads it.
inline bool outlives(const Value& view, const Value& base) {
  if (base.is_kept() || base.graph != view.graph || base.last_use == nullptr) return false;
  return view.is_output || (view.last_use != nullptr && view.last_use->position > base.last_use->position);
}

struct GraphInput {
  GraphInput* next = nullptr;
  std::size_t number = 0;  // among the graph's inputs
  ValueInfo info;
  Value* value = nullptr;
  Initializer* initializer = nullptr;  // of the same name: a default
  bool is_dropped = false;             // by simplifying: it became a constant
};

struct GraphOutput {
  GraphOutput* next = nullptr;
  ValueInfo info;
  Value* value = nullptr;
  bool is_dropped = false;  // by simplifying: it is not requested
};

// A value to which the file refers by name outside of nodes: in an annotation, in training_info, or in metadata.
struct NamedValue {
  NamedValue* next = nullptr;
  Value* value = nullptr;
  std::string_view name;  // in the file
};

// The quantisation of a value by its graph (onnx.proto, TensorAnnotation).
struct Annotation {
  Annotation* next = nullptr;
  const Value* value = nullptr;  // the annotated value; nullptr if there is none of that name
  Chain<NamedValue> named;       // it and its parameters, in the order of the record
  bool is_needed = true;         // the outputs that stay need the annotated value
  std::uint32_t record = 0;
};

// The place of an initializer's elements in another file (onnx.proto, TensorProto.external_data), or in the model's own file,
// if they were left there: then the location is empty.
struct ExternalData {
  std::string_view location;
  std::int64_t offset = 0;
  std::int64_t length = -1;  // -1: not given; then the size of the elements
};

// An initializer, or the output of a node without inputs. Its tensor may have no elements yet: those of a sparse one are
// written when they are read, and those of an external one may never be provided.
struct Initializer {
  Initializer* next = nullptr;
  Value* value = nullptr;
  Tensor tensor;
  std::unique_ptr<SparseTensor> sparse;
  const ExternalData* external = nullptr;
  std::string_view field;    // of the TensorProto that holds the elements; empty for external and sparse ones
  bool is_promised = false;  // external elements will be provided before the model runs
  bool is_copy = false;      // it shares its storage with the initializer that it copies
  bool is_of_node = false;   // a node Constant makes it
  std::uint32_t record = 0;  // 0 for a new initializer
};

struct Graph {
  Graph* next = nullptr;
  std::size_t number = 0;        // among the graphs of the model
  const Graph* outer = nullptr;  // the graph of its node; nullptr for the model's graph
  Node* owner = nullptr;         // the node that has it
  std::string_view attribute;    // the node's attribute that is this graph
  std::size_t depth = 0;         // the number of outer graphs
  // All inputs, including those with a default from an initializer.
  Chain<GraphInput> inputs;
  Chain<GraphOutput> outputs;
  Chain<Node> nodes;           // in the file's order
  std::span<Node*> order;      // in the order in which they run
  std::span<FusedNode> fused;  // by their positions there; empty: nothing was fused
  Chain<Initializer> initializers;
  Chain<Node> calls;  // of functions, whose nodes are in `nodes`
  // If the model will be written again.
  Chain<NamedValue> named;  // besides those of annotations
  Chain<Annotation> annotations;
  std::uint32_t record = 0;
  bool is_checked = false;
  bool can_run = true;  // all nodes are supported, including those of subgraphs

  // Whether it belongs to an unknown operator, which may depend on the names, the order and the defaults of its inputs, and on
  // the names of its outputs.
  bool is_of_unknown() const { return owner != nullptr && (owner->op == nullptr || !owner->op->traits.has_graphs); }
  // Whether its inputs and outputs must keep their names.
  bool keeps_names() const { return owner == nullptr || is_of_unknown(); }
};

// The first graph of the node that cannot run, or nullptr.
const Subgraph* unsupported_graph(const Node& node);

// Adds the node's name, cut if it is long, or #7 for node 7 without a name.
void append_label(Text& text, const Node& node);
// Adds the node's place in the file: graph.node[2].then_branch.node[0]. The place of an inlined node starts with its call.
void append_place(Text& text, const Graph& graph, const Node& node);

// Adds the declared dims: [3, batch, ?].
void append_dims(Text& text, const ValueInfo& info);

}  // namespace broadloom
