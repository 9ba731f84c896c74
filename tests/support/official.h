// The official test files of the operators, where Debian's libonnx-testdata is installed.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace broadloom::test {

inline const std::filesystem::path official_folder = "/usr/share/libonnx-testdata/data";

inline const std::vector<std::string> official_cases = {
    "node/test_constant",
    "node/test_constantofshape_float_ones",
    "node/test_constantofshape_int_shape_zero",
    "node/test_constantofshape_int_zeros",
    "node/test_expand_dim_changed",
    "node/test_expand_dim_unchanged",
    "node/test_identity",
    "node/test_shape",
    "node/test_shape_clip_end",
    "node/test_shape_clip_start",
    "node/test_shape_end_1",
    "node/test_shape_end_negative_1",
    "node/test_shape_example",
    "node/test_shape_start_1",
    "node/test_shape_start_1_end_2",
    "node/test_shape_start_1_end_negative_1",
    "node/test_shape_start_negative_1",
    "simple/test_expand_shape_model1",
    "simple/test_expand_shape_model2",
    "simple/test_expand_shape_model3",
    "simple/test_expand_shape_model4",
};

inline bool official_files_exist() { return std::filesystem::exists(official_folder / "node"); }

inline std::string file_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace broadloom::test
