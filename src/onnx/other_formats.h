// Recognises files of other formats, which are given in place of ONNX files.
#pragma once

#include <string_view>

#include "core/status.h"

namespace broadloom {

// The error of a file that cannot be read. If the file begins as those of another format, the error says which, and what to do.
// `file` needs no more than the first bytes.
Error in_other_format(Error error, std::string_view file);

}  // namespace broadloom
