// A graph that was read from an .onnx file and checked, ready to run.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ops/operators.h"

namespace broadloom {

// A size in a declared shape: a number, a name (equal names are equal sizes), or neither.
struct Dimension {
  std::int64_t value = -1;  // -1: not a number
  std::string name;
  std::int32_t symbol = -1;  // the number of the name among all names of sizes; -1: no name
};

// A declared input or output of the graph (onnx.proto, ValueInfoProto).
struct ValueInfo {
  std::string name;
  Dtype dtype = Dtype::undefined;
  bool has_shape = false;
  std::list<Dimension> dims;
};

// Records of which a file may hold any number stand in lists: each is one small allocation (see core/memory.h).

// Values of a graph (inputs, initializers, node outputs) are numbered.
using ValueId = std::int32_t;
inline constexpr ValueId no_value = -1;

struct Node {
  Selection selection;
  std::string label;  // its name, cut if it is long, or #7 for the nameless node 7
  Attributes attributes;
  std::vector<ValueId> inputs;   // no_value: left out
  std::vector<ValueId> outputs;  // no_value: not wanted
  Dtypes output_types;
  std::vector<ValueId> last_uses;  // values that no later node and no output of the graph needs
};

struct GraphInput {
  ValueInfo info;
  ValueId value = no_value;
  bool has_default = false;  // an initializer of the same name
};

struct GraphOutput {
  ValueInfo info;
  ValueId value = no_value;
};

struct Initializer {
  ValueId value = no_value;
  Tensor tensor;
};

class Model {
 public:
  // Reads and checks a ModelProto. Everything that can be known before inputs are: syntax, opset imports, operators,
  // attributes, arity, element types, names, order. Constants are evaluated. The file's bytes are not needed afterwards.
  static Result<std::unique_ptr<Model>> load(std::string_view file);

  struct Feed {
    std::string_view name;
    const Tensor* tensor;
  };

  // Runs the graph; returns the tensors of `outputs`, in their order. Feeds must cover all inputs without a default,
  // with their declared types, ranks and sizes. On an error nothing is kept.
  Result<std::vector<Tensor>> run(std::span<const Feed> feeds) const;

  // The graph's inputs, with those that an initializer gives a default to.
  std::list<GraphInput> inputs;
  std::list<GraphOutput> outputs;

 private:
  friend class GraphReader;
  std::list<Initializer> initializers_;  // and the values of Constant nodes
  std::list<Node> nodes_;
  ValueId value_count_ = 0;
  std::int32_t symbol_count_ = 0;

  Status bind(std::span<const Feed> feeds, std::span<Tensor> values) const;
};

}  // namespace broadloom
