// ModelProto. ONNX: onnx/onnx.proto, docs/IR.md.
#pragma once

#include <memory>
#include <string_view>

#include "graph/checker.h"
#include "graph/model.h"
#include "onnx/wire.h"

namespace broadloom {

struct ReadOptions {
  // With Unsupported::allowed, these do not refuse the file: nodes of operators, domains and element types that Broadloom
  // does not have, whose attributes are not read, but for graphs; initializers in other files; values that are no tensors.
  Unsupported unsupported = Unsupported::refused;
  // Whether the elements of initializers in other files will be given before the model runs.
  bool gets_external = false;
  // Whether the model is to be written again: records keep their messages, which are parts of the source, and initializers may
  // lack elements that were left in a file.
  bool keeps_messages = false;
  // Whether nodes that call functions are left as they are, as nodes of operators that are not known.
  bool keeps_calls = false;
};

// Reads and checks a ModelProto. Everything that can be known before inputs are: syntax, opset imports, operators,
// attributes, arity, element types, names, order. Functions are inlined, and Constants become initializers. The file's bytes
// are not needed afterwards. What real files do though the ONNX text forbids it is accepted, with a warning.
// With keeps_messages, calls are kept where the functions import other opsets than the model does.
Result<std::unique_ptr<Model>> read_model(Source& source, const ReadOptions& options = {});
inline Result<std::unique_ptr<Model>> read_model(std::string_view file, const ReadOptions& options = {}) {
  Source source(file);
  return read_model(source, options);
}

}  // namespace broadloom
