// An official case: the bytes of its model, and its first set of inputs.
#pragma once

#include <string>
#include <vector>

#include "support/official.h"
#include "support/tensor_files.h"

namespace broadloom::test {

struct OfficialCase {
  std::string file;
  std::vector<Tensor> inputs;
};

inline OfficialCase official_case(const std::filesystem::path& folder) {
  OfficialCase one{file_bytes(folder / "model.onnx"), {}};
  for (int i = 0;; ++i) {
    const std::filesystem::path input = folder / "test_data_set_0" / ("input_" + std::to_string(i) + ".pb");
    if (!std::filesystem::exists(input)) return one;
    Result<Tensor> tensor = read_tensor(file_bytes(input));
    // A file of another kind has a sequence or an optional, whose operators do not run.
    if (!tensor) {
      Error::forget();
      return one;
    }
    one.inputs.push_back(std::move(*tensor));
  }
}

}  // namespace broadloom::test
