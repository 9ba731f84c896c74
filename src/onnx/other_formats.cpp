#include "onnx/other_formats.h"

#include <algorithm>

#include "core/text.h"

namespace broadloom {
namespace {

using namespace std::string_view_literals;

// No ONNX file has one of these signatures.
struct Format {
  std::string_view signature;
  std::size_t at;
  const char* name;
};
constexpr Format formats[] = {
    {"version https://git-lfs"sv, 0, "a Git LFS pointer: run git lfs pull"},
    {"{"sv, 0, "JSON"},
    {"\x1F\x8B"sv, 0, "a gzip file: unpack it"},
    {"\x89HDF"sv, 0, "an HDF5 file (Keras): convert it with tf2onnx"},
    {"\x93NUMPY"sv, 0, "a NumPy array"},
    {"GGUF"sv, 0, "a GGUF file, which has no graph"},
    {"\x28\xB5\x2F\xFD"sv, 0, "a Zstandard file: unpack it"},
    {"TFL3"sv, 4, "a TensorFlow Lite file: convert it with tf2onnx"},
    {"ORTM"sv, 4, "an ORT file: take the ONNX file that it was made from"},
    {"\0\0\0{"sv, 5, "a safetensors file, which has no graph"},
};

const char* name_of_zip(std::string_view file) {
  // The first header has the name of the first file in the zip.
  constexpr std::size_t enough = 150;
  const auto holds = [&](std::string_view extension) {
    return file.substr(0, enough).find(extension) != std::string_view::npos;
  };
  if (holds(".pkl")) return "a PyTorch file: export it with torch.onnx.export";
  return holds(".npy") ? "NumPy arrays" : "a zip file: unpack it";
}

// The format of a file, or nullptr.
const char* format_of(std::string_view file) {
  if (file.starts_with("PK\3\4")) return name_of_zip(file);
  if (file.size() > 1 && file[0] == '\x80' && file[1] <= 5)
    return "a Python pickle (PyTorch): export it with torch.onnx.export";
  for (const auto& [signature, at, name] : formats) {
    if (file.substr(std::min(at, file.size())).starts_with(signature)) return name;
  }
  return nullptr;
}

bool is_text(char character) { return (character >= ' ' && character <= '~') || character == '\n' || character == '\r'; }

}  // namespace

Error in_other_format(Error error, std::string_view file) {
  if (error->code != Code::InvalidModel) return error;
  Text& message = error->message;
  if (file.empty()) {
    message.clear();
    message.append("the file is empty");
    return error;
  }
  // Behind a byte order mark and spaces.
  const std::string_view text = file.substr(std::min(file.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), file.size()));
  const char* format = format_of(file);
  if (text.size() > 1 && text[0] == '<' && (text[1] == '!' || (text[1] | 32) == 'h'))
    format = "an HTML page: check the address";
  constexpr std::size_t enough = 16;
  const std::string_view start = text.substr(0, enough);
  const bool is_a_text = start.size() > enough / 2 && std::all_of(start.begin(), start.end(), is_text);
  if (format == nullptr && !is_a_text) return error;
  message.clear();
  message.append("not an ONNX file, but ");
  format != nullptr ? message.append(format) : message.append("a text: {}", quoted(text.substr(0, text.find('\n'))));
  return error;
}

}  // namespace broadloom
