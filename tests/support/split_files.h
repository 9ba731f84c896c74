// Reads files as the bindings do: part by part, with external spans for large raw_data.
#pragma once

#include <string_view>

#include "onnx/split_file.h"
#include "support/expect.h"

namespace broadloom::test {

// Copies the wanted parts: windows come from `looked_at`, all others from `read`. Both have the same size, and are equal
// unless the file changes while it is read.
inline void give(SplitFile& file, std::string_view looked_at, std::string_view read) {
  for (must(file.next()); file.wanted().length != 0; must(file.next())) {
    const SplitFile::Part& part = file.wanted();
    const std::string_view bytes = (file.is_looking() ? looked_at : read).substr(part.offset, part.length);
    ASSERT_EQ(bytes.size(), part.length) << "it wants what is not there";
    std::memcpy(part.to, bytes.data(), bytes.size());
  }
}

}  // namespace broadloom::test
