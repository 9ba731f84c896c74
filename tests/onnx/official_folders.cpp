#include <algorithm>

#include "support/official.h"

namespace broadloom::test {

std::vector<std::filesystem::path> official_folders() {
  std::vector<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(BROADLOOM_OFFICIAL)) {
    if (entry.path().filename() == "model.onnx") folders.push_back(entry.path().parent_path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

}  // namespace broadloom::test
