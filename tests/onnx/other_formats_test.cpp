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
  EXPECT_TRUE(refuses_file(beginning_with("BZh9"), "a bzip2 file: unpack it"));
  EXPECT_TRUE(refuses_file(beginning_with("\xFD\x37zXZ\0"s), "an xz file: unpack it"));
  EXPECT_TRUE(refuses_file(beginning_with("7z\xBC\xAF\x27\x1C"), "a 7z file: unpack it"));
  EXPECT_TRUE(refuses_file(beginning_with("Rar!\x1A\7"), "a RAR file: unpack it"));
  EXPECT_TRUE(refuses_file(beginning_with("\x04\x22\x4D\x18"), "an LZ4 file: unpack it"));
  const std::string name = "model/model.onnx";
  EXPECT_TRUE(refuses_file(beginning_with(name + std::string(257 - name.size(), '\0') + "ustar\0"s), "a tar file: unpack it"));
  EXPECT_TRUE(refuses_file(beginning_with("\x89PNG\r\n"), "a picture (PNG)"));
  EXPECT_TRUE(refuses_file(beginning_with("\xFF\xD8\xFF\xE0"), "a picture (JPEG)"));
  EXPECT_TRUE(refuses_file(beginning_with("RIFF\x24\0\0\0WAVE"s), "a sound or a picture"));
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
  EXPECT_TRUE(refuses_file(zip("net/archive_format"), "a PyTorch file"));
  EXPECT_TRUE(refuses_file(zip("metadata.json"), "a Keras file: convert it with tf2onnx"));
  EXPECT_TRUE(refuses_file(zip("arr_0.npy"), "but NumPy arrays"));
  EXPECT_TRUE(refuses_file(zip("model.onnx"), "a zip file: unpack it"));
  EXPECT_TRUE(refuses_file("PK\3\4", "a zip file: unpack it"));
}

TEST(OtherFormats, TheErrorOfATextQuotesIt) {
  EXPECT_TRUE(refuses_file("<!DOCTYPE html><html>", "an HTML page: check the address"));
  EXPECT_TRUE(refuses_file("\xEF\xBB\xBF\r\n  <html lang=en>", "an HTML page"));
  EXPECT_TRUE(refuses_file("<?xml version='1.0'?><Error>", "but a text: '<?xml version"));
  EXPECT_TRUE(refuses_file("{\"modelTopology\": {}}", "but JSON"));
  EXPECT_TRUE(refuses_file("{\n \"irVersion\": \"8\", \"graph\": {}}", "but ONNX written as a text"));
  EXPECT_TRUE(refuses_file("ir_version: 8\nproducer_name: \"a\"\n", "but ONNX written as a text: write it as a binary file"));
  EXPECT_TRUE(refuses_file("<\n  ir_version: 8,\n  opset_import: [\"\": 15]\n>", "but ONNX written as a text"));
  EXPECT_TRUE(refuses_file("<?xml version=\"1.0\"?>\n<net name=\"a\" version=\"11\">", "an OpenVINO file"));
  EXPECT_TRUE(refuses_file("404: Not Found", "but a text: '404: Not Found'"));
  EXPECT_TRUE(refuses_file("Invalid username or password.\nTry again", "but a text: 'Invalid username or password.'"));
}

TEST(OtherFormats, ATensorOrASequenceInPlaceOfAModelIsNamed) {
  constexpr const char* tensor = "this is a tensor (TensorProto), no model";
  for (const char* name : {"", "input", "a name of a tensor that is longer than a few words"}) {
    EXPECT_TRUE(refuses_file(float_tensor({3}, {1, 2, 3}, name).bytes(), tensor));
    EXPECT_TRUE(refuses_file(int64_tensor({1, 2}, {-1, 2}, name).bytes(), tensor));
    EXPECT_TRUE(refuses_file(tensor_header(Dtype::string, {1}, name).string(6, "x").bytes(), tensor));
    EXPECT_TRUE(refuses_file(tensor_header(Dtype::float16, {}, name).bytes(), tensor));
  }
  EXPECT_TRUE(refuses_file(Proto().packed_varints(1, {2, 3}).varint(2, 1).string(9, std::string(24, 'x')).bytes(), tensor));
  const Proto sequence = Proto().string(1, "s").varint(2, 1).message(3, float_tensor({1}, {1}));
  EXPECT_TRUE(refuses_file(sequence.bytes(), "this is a sequence or an optional, no model"));
}

TEST(OtherFormats, FilesOfTensorFlowAndCoreMlAreRecognised) {
  const Proto info = Proto().string(4, "serve");
  const Proto meta = Proto().message(1, info).message(2, Proto().message(1, Proto().string(1, "x").string(2, "Const")));
  EXPECT_TRUE(refuses_file(Proto().varint(1, 1).message(2, meta).bytes(),
                           "not an ONNX file, but a TensorFlow SavedModel: convert its folder with tf2onnx"));
  const Proto graph = Proto()
                          .message(1, Proto().string(1, "x").string(2, "Placeholder"))
                          .message(1, Proto().string(1, "y").string(2, "Relu").string(3, "x"))
                          .message(4, Proto().varint(1, 1087));
  EXPECT_TRUE(refuses_file(graph.bytes(), "not an ONNX file, but a TensorFlow graph: convert it with tf2onnx"));
  const Proto description = Proto().message(1, Proto().string(1, "image"));
  for (const std::uint32_t kind : {200U, 303U, 500U, 502U, 3000U}) {
    const Proto core_ml = Proto().varint(1, 7).message(2, description).message(kind, Proto().string(1, "x"));
    EXPECT_TRUE(refuses_file(core_ml.bytes(), "not an ONNX file, but a Core ML file")) << kind;
  }
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
