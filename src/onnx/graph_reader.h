// Reads a GraphProto into a Graph. ONNX: onnx/onnx.proto, docs/IR.md; the rules come from onnx/checker.cc (check_graph,
// check_node), except where real files break them.
#pragma once

#include <vector>

#include "core/limits.h"
#include "onnx/attribute_proto.h"
#include "onnx/reader_context.h"

namespace broadloom {

// Whether there are too many graphs and functions around this one. Protobuf's own readers stop at 100 nested messages, and each
// graph takes three of them.
inline bool is_too_deep(std::size_t depth) { return static_cast<double>(depth) >= limits.nesting; }

// The parts of a NodeProto that choose its operator.
struct NodeHeader {
  std::string_view op_type;
  std::string_view domain;
  std::string_view overload;
  std::string_view name;
  std::string_view doc;
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::size_t attributes = 0;
};
NodeHeader read_node_header(WireReader& message);

struct Scope;

// An attribute that a function call passes, or a default.
struct CallAttribute {
  std::string_view message;
  bool is_default = false;  // a default of the function
};

// A call of a function that is being inlined.
struct FunctionCall {
  const ModelFunction& function;
  WireReader& message;  // the node
  const Scope& caller;
  const Node& node;
  NameIndex attribute_names;
  std::vector<CallAttribute> attributes;  // by the numbers of their names
};

// A value while its graph is read: names are declared before the nodes that make them are read.
struct ReadValue : Value {
  bool is_produced = false;           // by a node
  bool is_of_constant = false;        // by a node Constant
  bool is_repeated = false;           // by several
  const Node* captured_by = nullptr;  // the last node of its graph that captures it
};

// The names that a node can see.
struct Scope {
  Graph& graph;
  const Imports& imports;
  NameMap<Named>& names;
  const Scope* outer = nullptr;  // of the enclosing graph; nullptr for the model's graph and for functions
  const FunctionCall* call = nullptr;
  std::size_t depth = 0;
};

// An attribute with its references resolved: its own name, and the value of the call's attribute if it refers to one.
struct GivenAttribute {
  AttributeHeader header;
  std::string_view message;
  const Scope* scope = nullptr;  // where the message stands
};

// Builds the model while it reads. The source holds the first error. After an error, the reader does nothing more.
class GraphReader {
 public:
  explicit GraphReader(ReaderContext& context) : context_(context), model_(context.model) {}

  void read(WireReader& message, Scope& scope);

 private:
  // Calls read(message, number) for every message in a repeated field.
  template <class Read>
  static void each(WireReader& parent, std::uint32_t field, const char* name, const Read& read) {
    each(
        parent, field, name,
        [](const void* what, WireReader& message, std::int64_t number) { (*static_cast<const Read*>(what))(message, number); },
        &read);
  }
  using ReadOne = void(const void* what, WireReader& message, std::int64_t number);
  static void each(WireReader& parent, std::uint32_t field, const char* name, ReadOne* read, const void* what);

  void read_input(WireReader& message, Scope& scope);
  void read_initializer(WireReader& message, Scope& scope);
  void read_sparse_initializer(WireReader& message, Scope& scope);
  const ExternalData* keep_external(const External& external);
  void add_initializer(WireReader& message, Scope& scope, std::string_view name, Initializer& initializer);
  void declare_node_outputs(WireReader& message, Scope& scope);
  void declare_output(WireReader& message, Scope& scope, std::string_view name, bool is_constant);
  void read_value_info(WireReader& message, Scope& scope);
  bool is_listed(WireReader& message, const Scope& scope);
  void read_output(WireReader& message, Scope& scope);
  void read_info(WireReader& message, ValueInfo& info);
  void read_annotation(WireReader& message, Scope& scope);
  void warn_of_sizes(const ValueInfo& info);

  Status count_node();
  static Status check_depth(const Scope& scope);
  void read_node(WireReader& message, Scope& scope, std::int64_t number);
  [[gnu::cold, gnu::noinline]] void fail_in_node(WireReader& message, const Status& status, const Node& node);
  Status select_operator(const NodeHeader& header, const Scope& scope, Node& node);
  Status resolve_node(WireReader& message, const NodeHeader& header, Scope& scope, Node& node);
  Status resolve_inputs(WireReader& message, std::span<Value*> inputs, Scope& scope, Node& node);
  Status resolve_outputs(WireReader& message, Scope& scope, Node& node);
  Value& output_of(Scope& scope, std::string_view name, Node& node);
  void capture(const Scope& scope, Value& value, Node& node);

  void read_attributes(WireReader& message, Scope& scope, Node& node);
  void keep_attributes(WireReader& message, std::span<WrittenAttribute> attributes, Node& node);
  bool find_attribute(WireReader& attribute, const Scope& scope, bool is_checked, GivenAttribute& given);
  void read_subgraph(WireReader& attribute, const Scope& scope, Node& node, Subgraph& subgraph);

  void add_attribute(WireReader& attribute, FunctionCall& call, bool is_default);
  const ModelFunction* find_function(const NodeHeader& header);
  bool keeps_calls_of(const ModelFunction& function) const;
  Status inline_function(WireReader& message, const NodeHeader& header, Scope& scope, const ModelFunction& function,
                         Node& node);
  Status bind_inputs(WireReader& body, const FunctionCall& call, Scope& inner);
  Status bind_outputs(WireReader& body, const FunctionCall& call, Scope& scope, Scope& inner);
  void unbind_repeated(WireReader& body, Scope& inner);
  Status check_outputs(WireReader& body, const FunctionCall& call, Scope& inner);
  void add_identity(Value& from, Value& to, const FunctionCall& call, Graph& graph);

  // The number of a record for the message; 0 unless keeps_messages is set.
  std::uint32_t keep(std::string_view message);
  std::uint32_t keep(const WireReader& message) { return keep(message.whole()); }

  // All values of a model are made by its reader.
  static ReadValue& reading(Value& value) { return static_cast<ReadValue&>(value); }
  static bool is_declared(Value& value) { return value.exists() || reading(value).is_produced; }
  ReadValue& new_value(std::string_view name, Graph& graph);
  // Finds or adds the value of a name in the scope's own graph or function.
  Value& value_of(std::string_view name, Scope& scope);
  NodeRecord& record_of(const Node& node) const { return model_.records.nodes.at(node.record); }
  // The value of a name in the scope or in an enclosing one; nullptr if there is none.
  static Value* find(std::string_view name, const Scope& scope);

  ReaderContext& context_;
  Model& model_;
  NameIndex empty_names_;  // placeholder names of sizes that have a warning
  ReadValue left_out_;     // stands for inputs that a function call omits
};

// Reads the model's graph with its subgraphs, inlines function calls, and sorts the nodes. The source holds the error, if any.
// After an error, the model must not be used.
void read_graph(WireReader& graph, ReaderContext& context);

}  // namespace broadloom
