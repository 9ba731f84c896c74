// ModelProto. ONNX: onnx/onnx.proto, docs/IR.md.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "graph/check/checker.h"
#include "graph/structure/model.h"
#include "onnx/wire.h"

namespace broadloom {

struct ReadOptions {
  // Unsupported::allowed accepts nodes of unknown operators, domains and element types, initializers in other files, and values
  // of other kinds than tensors. Of the attributes of an unknown operator, only graphs are read.
  Unsupported unsupported = Unsupported::refused;
  // Whether the elements of initializers in other files will be given before the model runs.
  bool gets_external = false;
  // Whether the model will be written again. Then records keep their messages, which are parts of the source, and initializers
  // may lack elements that were left in a file.
  bool keeps_messages = false;
  // Whether an input of the model whose shape has no axes takes any dims, as in onnxruntime, and not scalars alone.
  bool opens_empty_shapes = false;
  // Whether function calls stay, as nodes of unknown operators.
  bool keeps_calls = false;
  // By the number of a function: whether its calls stay. Functions after the end of the list are inlined.
  std::span<const char> kept_functions = {};
};

// Reads a ModelProto and checks all that does not depend on inputs: syntax, opset imports, operators, attributes, arity,
// element types, names, order. Inlines functions and turns Constants into initializers. The file's bytes are not needed
// afterwards, unless keeps_messages is set. Some faults that the ONNX text forbids but real files have are accepted, with a
// warning. With keeps_messages, calls of functions stay whose nodes mean something else under the model's opsets.
Result<std::unique_ptr<Model>> read_model(Source& source, const ReadOptions& options = {});
inline Result<std::unique_ptr<Model>> read_model(std::string_view file, const ReadOptions& options = {}) {
  Source source(file);
  return read_model(source, options);
}

}  // namespace broadloom
