// Files of other formats that are given as models.
#include "support/models.h"

namespace broadloom::test::other_formats_test {
namespace {

using namespace std::string_literals;

testing::AssertionResult refuses_file(const std::string& file, std::string_view part) {
  return test::fails(read_model(file), Code::InvalidModel, part);
}

// A binary file that begins with `start`.
std::string beginning_with(const std::string& start) { return start + "\x12\xF0\x01 and more"s; }

TEST(OtherFormats, TheErrorOfAFileNamesTheFormatThatItBeginsAs) {
  const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 5\n";
  EXPECT_TRUE(refuses_file(pointer, "not an ONNX file, but a Git LFS pointer: run git lfs pull"));
  EXPECT_TRUE(refuses_file(beginning_with("\x1F\x8B\x08"), "a gzip file: unpack it"));
  EXPECT_TRUE(refuses_file(beginning_with("\x89HDF\r\n\x1A\n"), "an HDF5 file (Keras)"));
  EXPECT_TRUE(refuses_file(beginning_with("\x93NUMPY\x01"), "a NumPy array"));
  EXPECT_TRUE(refuses_file(beginning_with("GGUF\3\0\0\0"s), "a GGUF file, which has no graph"));
  EXPECT_TRUE(refuses_file(beginning_with("\x28\xB5\x2F\xFD"), "a Zstandard file: unpack it"));
  EXPECT_TRUE(refuses_file(beginning_with("\x1C\0\0\0TFL3"s), "a TensorFlow Lite file: convert it with tf2onnx"));
  EXPECT_TRUE(refuses_file(beginning_with("\x1C\0\0\0ORTM"s), "an ORT file"));
  EXPECT_TRUE(refuses_file(beginning_with("\x58\1\0\0\0\0\0\0{\"w\":"s), "a safetensors file"));
  EXPECT_TRUE(refuses_file(beginning_with("\x80\2\x8A\nl\xFC"), "a Python pickle"));
  EXPECT_TRUE(refuses_file(beginning_with("\x80\4\x95"), "a Python pickle"));
}

TEST(OtherFormats, TheFirstFileOfAZipSaysWhoWroteIt) {
  const auto zip = [](std::string_view first) {
    return "PK\3\4\0\0\0\0"s + std::string(22, '\0') + std::string(first) + std::string(200, '\xFF');
  };
  EXPECT_TRUE(refuses_file(zip("archive/data.pkl"), "a PyTorch file: export it with torch.onnx.export"));
  EXPECT_TRUE(refuses_file(zip("arr_0.npy"), "but NumPy arrays"));
  EXPECT_TRUE(refuses_file(zip("model.onnx"), "a zip file: unpack it"));
  EXPECT_TRUE(refuses_file("PK\3\4", "a zip file: unpack it"));
}

TEST(OtherFormats, TheErrorOfATextQuotesIt) {
  EXPECT_TRUE(refuses_file("<!DOCTYPE html><html>", "an HTML page: check the address"));
  EXPECT_TRUE(refuses_file("\xEF\xBB\xBF\r\n  <html lang=en>", "an HTML page"));
  EXPECT_TRUE(refuses_file("<?xml version='1.0'?><Error>", "but a text: '<?xml version"));
  EXPECT_TRUE(refuses_file("{\"modelTopology\": {}}", "but JSON"));
  EXPECT_TRUE(refuses_file("404: Not Found", "but a text: '404: Not Found'"));
  EXPECT_TRUE(refuses_file("Invalid username or password.\nTry again", "but a text: 'Invalid username or password.'"));
}

TEST(OtherFormats, AnEmptyFileIsCalledEmpty) { EXPECT_TRUE(refuses_file("", "the file is empty")); }

TEST(OtherFormats, ACutFileIsCalledCut) {
  const Graph graph{{node("Shape", {"x"}, {"y"})}, {value_info("x", Dtype::float32)}, {value_info("y", Dtype::int64)}};
  const std::string file = test::model(graph, 25);
  for (std::size_t length = file.size() / 2; length < file.size(); ++length) {
    EXPECT_TRUE(refuses_file(file.substr(0, length), "the file is cut off")) << length;
  }
}

TEST(OtherFormats, AnErrorWithinAnOnnxFileStays) {
  const Graph graph{{node("Shape", {"z"}, {"y"})}, {value_info("x", Dtype::float32)}, {value_info("y", Dtype::int64)}};
  EXPECT_TRUE(refuses_file(test::model(graph, 25), "nothing produces its input 'z'"));
}

}  // namespace
}  // namespace broadloom::test::other_formats_test
