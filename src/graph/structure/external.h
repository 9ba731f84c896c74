// Elements of initializers in other files. ONNX: docs/ExternalData.md.
#pragma once

#include "graph/structure/graph.h"

namespace broadloom {

// Allocates the elements of an initializer with external data, which the caller copies from its file of `file_bytes`. Fails if
// they do not lie in the file, or if the length in the model does not fit.
Status allocate_external(Initializer& initializer, std::int64_t file_bytes);

// Fails if the length in the model is not that of the elements.
Status check_external_length(const Initializer& initializer);

// Fails for bytes of bools other than 0 and 1.
Status check_external_bools(const Initializer& initializer);

// Checks the copied elements: fails for bytes of bools other than 0 and 1, and clears unused bits.
Status check_external(Initializer& initializer);

}  // namespace broadloom
