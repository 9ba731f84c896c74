// Writes a model that was read to be written again (ReadOptions::keeps_messages), after it was simplified.
#pragma once

#include <vector>

#include "graph/model.h"
#include "graph/shape_inference.h"
#include "onnx/wire.h"

namespace broadloom {

// A file, of which large raw_data lie elsewhere: each hole has bytes of its own, or an origin.
struct WrittenFile {
  Tensor structure;  // uint8
  std::vector<Hole> holes;
  std::int64_t bytes = 0;  // of the whole file
};

struct WriteOptions {
  // Whether types and shapes of all values are written, as far as they are known.
  bool writes_value_info = false;
};

// Before, each initializer had to be listed as an input, too. Files are written with this version or a later one.
constexpr std::int64_t first_ir_version_with_defaults = 4;

// The bytes that the file of a model has, without types and shapes that it did not have before.
Result<std::int64_t> count_bytes(Model& model, const ShapeInference& inference, Source& source);

// The file of a model. `source` is what it was read from: what was not changed is copied. Nodes come in the order of their
// graphs; values that would have the name of another one get a number behind it, but for inputs and outputs of the model. The
// model's outputs are declared as in the file then.
Result<WrittenFile> write_model(Model& model, const ShapeInference& inference, Source& source, const WriteOptions& options);

}  // namespace broadloom
