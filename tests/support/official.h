// ONNX's official tests (tests/data/README.md).
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace broadloom::test {

// The folders of all cases, in order.
std::vector<std::filesystem::path> official_folders();

inline std::string file_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace broadloom::test
