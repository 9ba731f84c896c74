// Elements of initializers in other files. ONNX: docs/ExternalData.md.
#pragma once

#include "graph/graph.h"

namespace broadloom {

// Allocates the elements of an initializer with external data, to be copied from its file, which has `file_bytes`. Fails when
// they do not lie in the file, and when the length that the model gives is not theirs.
Status allocate_external(Initializer& initializer, std::int64_t file_bytes);

// Checks what was copied: bytes of bools, of which bad ones are refused, and bits that no element uses, which are cleared.
Status check_external(Initializer& initializer);

}  // namespace broadloom
