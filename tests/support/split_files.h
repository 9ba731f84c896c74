// Files read as the bindings read them: part by part, with the large raw_data apart.
#pragma once

#include <string_view>

#include "onnx/split_file.h"
#include "support/expect.h"

namespace broadloom::test {

// Gives the file what it wants: of `looked_at` while it looks for raw_data, and then of `read`, as long, which is the same
// unless the file changes meanwhile.
inline void give(SplitFile& file, std::string_view looked_at, std::string_view read) {
  for (must(file.next()); file.wanted().length != 0; must(file.next())) {
    const SplitFile::Part& part = file.wanted();
    const std::string_view bytes = (file.is_looking() ? looked_at : read).substr(part.offset, part.length);
    ASSERT_EQ(bytes.size(), part.length) << "it wants what is not there";
    std::memcpy(part.to, bytes.data(), bytes.size());
  }
}

}  // namespace broadloom::test
