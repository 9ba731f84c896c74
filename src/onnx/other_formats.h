// Recognises files of other formats, which are given in place of ONNX files.
#pragma once

#include <string_view>

#include "core/status.h"
#include "onnx/split_file.h"

namespace broadloom {

// The error of a file that cannot be read as a model or a tensor. If the file has another format, or another message than the
// wanted one, the error names it and says what to do.
Error in_other_format(Error error, std::string_view file, Message wanted);

}  // namespace broadloom
