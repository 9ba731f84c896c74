// The official test files in Debian's package libonnx-testdata.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace broadloom::test {

inline const std::filesystem::path official_folder = "/usr/share/libonnx-testdata/data";

inline bool official_files_exist() { return std::filesystem::exists(official_folder / "node"); }

// The folders of all cases with a model.
inline std::vector<std::filesystem::path> official_folders() {
  std::vector<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(official_folder)) {
    if (entry.path().filename() == "model.onnx") folders.push_back(entry.path().parent_path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

inline std::string file_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace broadloom::test
