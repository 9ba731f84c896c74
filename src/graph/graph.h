// A graph: values, and the nodes that make them. ONNX: onnx/onnx.proto, GraphProto; docs/IR.md.
//
// All records of a model lie in one arena. Every value of every graph has a place of its own in one frame of tensors, so that
// a graph within a node reads the values of the graphs around it where they are.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/arena.h"
#include "ops/operators.h"

namespace broadloom {

struct ExternalData;
struct FileRecord;  // of src/onnx, which knows files
struct Graph;
struct GraphInput;
struct Initializer;
struct Node;

// A size in a declared shape: a number, a name (equal names are equal sizes), or neither.
struct Dimension {
  Dimension* next = nullptr;
  std::int64_t value = -1;  // -1: not a number
  std::string_view name;
  std::int32_t symbol = -1;  // the number of the name among all names of sizes; -1: no name
};

// A declared value of a graph (onnx.proto, ValueInfoProto).
struct ValueInfo {
  std::string_view name;
  std::string_view kind = "tensor";  // or "sequence", "map", "optional", "sparse tensor": these have no more than a name here
  Dtype dtype = Dtype::undefined;
  bool has_shape = false;
  Chain<Dimension> dims;
  FileRecord* record = nullptr;  // where the file declares it

  bool is_tensor() const { return kind == "tensor"; }
};

// A value of a graph: an input, an initializer, or what a node produces.
struct Value {
  // The reader's: see name_index.h.
  Value* next = nullptr;
  Value* children[2] = {};
  std::size_t bit = 0;
  std::string_view name;
  std::size_t number = 0;  // in the index
  Value* alias = nullptr;  // the value that the name stands for, if it is another one

  std::size_t place = 0;  // in the frame
  Graph* graph = nullptr;
  Dtype dtype = Dtype::undefined;  // undefined: only a run would tell
  bool is_defined = false;         // an input or an initializer
  bool is_produced = false;        // by a node
  bool is_of_constant = false;     // by a node Constant
  bool is_repeated = false;        // by several of them, while the graph is read
  bool is_of_function = false;     // its name is one in a function
  bool is_kept = false;            // an input, an initializer or an output: not released during a run
  bool is_output = false;          // of its graph
  bool is_needed = false;          // after simplifying: something that is kept reads it
  bool is_held = false;            // a graph of an operator that is not known reads it: others stand for it nowhere
  bool is_named = false;           // the file refers to it by its name, beside nodes: it stays
  Node* producer = nullptr;
  std::uint32_t reads = 0;             // how often nodes of its graph name it as an input
  Node* last_use = nullptr;            // the last node of its graph that reads it, or its own
  const Node* captured_by = nullptr;   // the node of its graph that was last found to read it in a graph of its own
  GraphInput* input = nullptr;         // its graph's input of this name
  Initializer* initializer = nullptr;  // unless it is only the default of an input
  ValueInfo* declared = nullptr;

  // Something gives it: a name alone is no value.
  bool exists() const { return is_defined || is_produced; }
  // Its elements are part of the model, the same in every run.
  bool is_constant() const { return initializer != nullptr; }
};

// A value of the node's graph that is read in a graph which the node has.
struct Capture {
  Capture* next = nullptr;
  Value* value = nullptr;
};

// A graph in an attribute of a node.
struct Subgraph {
  std::string_view attribute;
  Graph* graph = nullptr;
};

struct Node {
  Node* next = nullptr;
  std::string_view name;
  std::string_view op_type;
  std::string_view domain;
  std::int64_t number = 0;       // in the list that it was read from
  const Node* caller = nullptr;  // the call that it is inlined for, if it stands in a function
  const Node* origin = nullptr;  // the node that it is a copy of, or stands for; nullptr for one that was read
  std::size_t position = 0;      // in the graph's order
  // The operator, whether it runs here or not, and its version; nullptr for one that is not known.
  const Operator* op = nullptr;
  const OperatorVersion* version = nullptr;
  std::int64_t opset = 0;  // that chose the version
  // Why the node does not run; empty for one that runs.
  std::string_view error;
  Code code = Code::InvalidModel;
  Attributes attributes;
  std::span<Value*> inputs;  // nullptr: left out
  std::span<Value*> outputs;
  std::span<Dtype> output_types;
  std::span<Subgraph> graphs;
  Chain<Capture> captures;
  // Of a model that is to be written again: where it stood in the file, and how many bytes it takes there.
  FileRecord* record = nullptr;
  std::size_t written_bytes = 0;
  // Nodes with the same number have the same attributes, though `attributes` cannot say so. 0: it can.
  std::size_t written_attributes = 0;
  // Of a Constant: where its tensor stood, and where the elements are, if they were left in the file.
  FileRecord* value_record = nullptr;
  const ExternalData* external = nullptr;
  bool is_constant = false;  // it ran when the model was loaded: its outputs are initializers
  bool is_changed = false;   // by simplifying, or not in the file at all: its attributes are `attributes`
  // Elementwise nodes (fusion.h). A node that is fused into another one is computed with it, the only reader of its output.
  bool is_elementwise = false;
  std::uint8_t depth = 0;  // how many nodes in a row are computed with it
  Node* fused_into = nullptr;
  Node* fusion_root = nullptr;          // the last node of the fused row, or itself
  const Node* transposed_by = nullptr;  // the Transpose that alone reads its output

  bool runs() const { return error.empty(); }
  // Whether its attributes and the number of its inputs and outputs are as a schema wants them.
  bool has_schema() const { return op != nullptr && op->runs(); }
  // Whether the operator runs, but not with the types of this node.
  bool has_refused_types() const { return has_schema() && !runs() && code == Code::UnsupportedType; }
  // Whether all is as the schema wants it, types too. Nothing may be computed of other nodes.
  bool is_checked() const { return has_schema() && !has_refused_types(); }
  // The graph in the attribute of this name, or nullptr.
  const Graph* graph(std::string_view attribute) const;
  // Whether two nodes can be told apart by `attributes`.
  bool has_comparable_attributes() const;
};

struct GraphInput {
  GraphInput* next = nullptr;
  std::size_t number = 0;  // among the graph's inputs
  ValueInfo info;
  Value* value = nullptr;
  Initializer* initializer = nullptr;  // of the same name: a default
  bool is_dropped = false;             // by simplifying: it is a constant
};

struct GraphOutput {
  GraphOutput* next = nullptr;
  ValueInfo info;
  Value* value = nullptr;
  bool is_dropped = false;  // by simplifying: it is not asked for
};

// How a value is quantised, as its graph says (onnx.proto, TensorAnnotation).
struct Annotation {
  Annotation* next = nullptr;
  const Value* value = nullptr;  // the value that it is about; nullptr where there is none of the name
  FileRecord* record = nullptr;
};

// A value to which the file refers by its name, beside nodes: in an annotation, or in what it says of training.
struct NamedValue {
  NamedValue* next = nullptr;
  Value* value = nullptr;
  const Annotation* annotation = nullptr;
};

// Where the elements of an initializer are, if they are in another file (onnx.proto, TensorProto.external_data), or were left
// in the model's own: then there is no location.
struct ExternalData {
  std::string_view location;
  std::int64_t offset = 0;
  std::int64_t length = -1;  // -1: not given; those of the elements
};

// An initializer, or what a node without inputs made. Its tensor may have no elements yet: those of a sparse one are written
// when they are read, and those of an external one may never be given.
struct Initializer {
  Initializer* next = nullptr;
  Value* value = nullptr;
  Tensor tensor;
  std::unique_ptr<SparseTensor> sparse;
  const ExternalData* external = nullptr;
  bool is_promised = false;      // external elements will be given before the model runs
  FileRecord* record = nullptr;  // where it stood in the file; nullptr for a new one
};

struct Graph {
  Graph* next = nullptr;
  const Graph* outer = nullptr;  // that of the node which has it; nullptr for the model's
  Node* owner = nullptr;         // the node that has it
  std::string_view attribute;    // in which
  std::size_t depth = 0;         // how many graphs are around it
  // All inputs, also those that an initializer gives a default to.
  Chain<GraphInput> inputs;
  Chain<GraphOutput> outputs;
  Chain<Node> nodes;       // in the file's order
  std::span<Node*> order;  // in which they run
  Chain<Initializer> initializers;
  Chain<Node> calls;  // of functions: the functions' nodes stand among the others
  // Of a model that is to be written again.
  Chain<NamedValue> named;
  Chain<Annotation> annotations;
  FileRecord* record = nullptr;
  std::size_t written_bytes = 0;  // in the file
  bool is_checked = false;
  bool can_run = true;  // all of its nodes run, and those of the graphs within them

  // Whether an operator that is not known here has it. It may go by the names, the order and the defaults of its inputs, and by
  // the names of its outputs.
  bool is_of_unknown() const { return owner != nullptr && (owner->op == nullptr || !owner->op->traits.has_graphs); }
  // Whether its inputs and outputs keep their names.
  bool keeps_names() const { return owner == nullptr || is_of_unknown(); }
};

// The first graph of the node that cannot run, or nullptr.
const Subgraph* unsupported_graph(const Node& node);

// Adds the node's name, cut if it is long, or #7 for the nameless node 7.
void append_label(Text& text, const Node& node);
// Adds the node's place in the file: graph.node[2].then_branch.node[0]. A node of a function stands behind the call.
void append_place(Text& text, const Graph& graph, const Node& node);

// Adds the declared dims: [3, batch, ?].
void append_dims(Text& text, const ValueInfo& info);

}  // namespace broadloom
