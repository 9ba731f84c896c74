// Writes a model that was read to be written again (ReadOptions::keeps_messages), after it was simplified.
#pragma once

#include <vector>

#include "graph/infer/shape_inference.h"
#include "graph/structure/model.h"
#include "onnx/wire.h"

namespace broadloom {

// A written file. Its large raw_data are external spans: each has bytes, or an origin.
struct WrittenFile {
  Tensor structure;  // uint8
  std::vector<ExternalSpan> spans;
  std::int64_t bytes = 0;  // of the whole file
};

struct WriteOptions {
  // Whether to write the known types and shapes of all values.
  bool writes_value_info = false;
};

// Files are written with first_ir_version_with_defaults or a later version.

// The size of the model's file in bytes, without value_info that the original file lacks.
Result<std::int64_t> count_bytes(Model& model, const ShapeInference& inference, Source& source);

// Writes the file of a model. `source` is the original file; unchanged records are copied from it. Nodes are in the order of
// their graphs. A value whose name is taken gets a number at the end of its name; inputs and outputs of the model keep theirs.
// Updates the model's declared outputs to match the file. `inference` gives the numbers of sizes. `claims`, for which equal
// names are equal sizes, gives their names.
Result<WrittenFile> write_model(Model& model, const ShapeInference& inference, const ShapeInference& claims, Source& source,
                                const WriteOptions& options);

}  // namespace broadloom
