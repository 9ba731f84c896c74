#include "onnx/other_formats.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "core/count.h"
#include "core/text.h"
#include "onnx/wire.h"

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
    {"\x1F\x8B"sv, 0, "a gzip file: unpack it"},
    {"\x28\xB5\x2F\xFD"sv, 0, "a Zstandard file: unpack it"},
    {"\x04\x22\x4D\x18"sv, 0, "an LZ4 file: unpack it"},
    {"BZh"sv, 0, "a bzip2 file: unpack it"},
    {"\xFD\x37zXZ\0"sv, 0, "an xz file: unpack it"},
    {"7z\xBC\xAF\x27\x1C"sv, 0, "a 7z file: unpack it"},
    {"Rar!\x1A\x07"sv, 0, "a RAR file: unpack it"},
    {"ustar"sv, 257, "a tar file: unpack it"},
    {"\x89HDF"sv, 0, "an HDF5 file (Keras): convert it with tf2onnx"},
    {"\x93NUMPY"sv, 0, "a NumPy array"},
    {"GGUF"sv, 0, "a GGUF file, which has no graph"},
    {"TFL3"sv, 4, "a TensorFlow Lite file: convert it with tf2onnx"},
    {"ORTM"sv, 4, "an ORT file: take the ONNX file that it was made from"},
    {"\0\0\0{"sv, 5, "a safetensors file, which has no graph"},
    {"\x89PNG"sv, 0, "a picture (PNG)"},
    {"\xFF\xD8\xFF"sv, 0, "a picture (JPEG)"},
    {"RIFF"sv, 0, "a sound or a picture (RIFF)"},
};

const char* name_of_zip(std::string_view file) {
  // The first header has the name of the first file in the zip.
  constexpr std::size_t enough = 150;
  const auto holds = [&](std::string_view extension) {
    return file.substr(0, enough).find(extension) != std::string_view::npos;
  };
  if (holds(".pkl") || holds("/archive_format")) return "a PyTorch file: export it with torch.onnx.export";
  if (holds("metadata.json")) return "a Keras file: convert it with tf2onnx";
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

// ---- Texts ----

bool is_text(char character) { return (character >= ' ' && character <= '~') || character == '\n' || character == '\r'; }

// Appends what a text is. False for other files.
bool describe_text(std::string_view file, Text& to) {
  // The text after a byte order mark and spaces.
  const std::string_view text = file.substr(std::min(file.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), file.size()));
  constexpr std::size_t enough = 16;
  const std::string_view start = text.substr(0, enough);
  const bool is_page = text.size() > 1 && text[0] == '<' && (text[1] == '!' || (text[1] | 32) == 'h');
  const bool is_a_text = start.size() > enough / 2 && std::all_of(start.begin(), start.end(), is_text);
  constexpr std::size_t head = 300;
  const auto says = [&](std::string_view word) { return text.substr(0, head).find(word) != std::string_view::npos; };
  if (is_page) {
    to.append("an HTML page: check the address");
  } else if (is_a_text && (says("ir_version") || says("\"irVersion\""))) {
    to.append("ONNX written as a text: write it as a binary file with onnx.save");
  } else if (is_a_text && says("<net ")) {
    to.append("an OpenVINO file: take the ONNX file that it was made from");
  } else if (text.starts_with('{')) {
    to.append("JSON");
  } else if (is_a_text) {
    to.append("a text: {}", quoted(text.substr(0, text.find('\n'))));
  }
  return !to.empty();
}

// ---- Messages of protobuf ----

constexpr std::uint32_t fields(std::initializer_list<std::uint32_t> numbers) {
  std::uint32_t set = 0;
  for (const std::uint32_t number : numbers) set |= 1U << number;
  return set;
}

// The fields of a message, those below 32 as sets of bits.
struct Outline {
  std::uint32_t varints = 0;
  std::uint32_t lengths = 0;  // strings, messages and packed numbers
  std::uint32_t others = 0;
  bool has_large = false;     // a field from 200 on
  std::string_view first[3];  // the first string or message of the fields 1 and 2

  std::uint32_t all() const { return varints | lengths | others; }
};

// Moves past a field, from the end of its tag. Returns false if the field does not end in the file.
bool skip_field(const char*& at, const char* end, std::uint32_t type, std::uint64_t& length) {
  length = 0;
  if (type == wire_type::varint) return read_varint(at, end, length);
  if (type == wire_type::fixed32) length = 4;
  if (type == wire_type::fixed64) length = 8;
  if (type == wire_type::length_delimited ? !read_varint(at, end, length) : length == 0) return false;
  if (length > static_cast<std::uint64_t>(end - at)) return false;
  at += length;
  return true;
}

// The outline of a whole file that is a message.
std::optional<Outline> outline_of(std::string_view file) {
  Outline outline;
  const char* at = file.data();
  const char* const end = at + file.size();
  while (at < end) {
    std::uint64_t tag = 0;
    std::uint64_t length = 0;
    if (!read_varint(at, end, tag)) return std::nullopt;
    const auto type = static_cast<std::uint32_t>(tag & 7);
    const std::uint64_t field = tag >> 3;
    if (field == 0 || !skip_field(at, end, type, length)) return std::nullopt;
    const bool has_length = type == wire_type::length_delimited;
    std::uint32_t& set = type == wire_type::varint ? outline.varints : has_length ? outline.lengths : outline.others;
    if (field < 32) set |= 1U << field;
    if (field >= 200) outline.has_large = true;
    if (field < 3 && has_length && outline.first[field].empty()) outline.first[field] = {at - length, in_memory(length)};
  }
  return outline;
}

// Whether a message has a name of less than 128 bytes in its first field, and then a text in the second one.
bool is_tensorflow_node(std::string_view message) {
  if (message.size() < 2 || message[0] != '\x0A') return false;
  const std::size_t name = static_cast<unsigned char>(message[1]);
  return message.size() > 2 + name && message[2 + name] == '\x12';
}

// The name of the message, if it is not the wanted one; or nullptr. Field numbers come from onnx.proto, and from the files of
// TensorFlow and Core ML.
const char* message_of(std::string_view file, Message wanted) {
  const std::optional<Outline> outline = outline_of(file);
  if (!outline) return nullptr;
  const bool wants_model = wanted == Message::model;
  const auto has = [](std::uint32_t set, std::uint32_t number) { return (set >> number & 1) != 0; };
  const auto& [varints, lengths, others, has_large, first] = *outline;
  constexpr std::uint32_t of_tensors = fields({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16});
  if (has(varints, 2) && !has_large && (outline->all() & ~of_tensors) == 0) {
    if (!wants_model) return nullptr;
    return has(lengths, 3) ? "this is a sequence or an optional, no model" : "this is a tensor (TensorProto), no model";
  }
  if (has(varints, 1) && has(lengths, 7) && has(lengths, 8))
    return wants_model ? nullptr : "this is a model (ModelProto), no tensor";
  if (has(varints, 1) && first[2].starts_with('\x0A')) {
    if (has_large) return "not an ONNX file, but a Core ML file: export the model from its framework as ONNX";
    if (outline->all() == fields({1, 2}))
      return "not an ONNX file, but a TensorFlow SavedModel: convert its folder with tf2onnx";
  }
  return is_tensorflow_node(first[1]) ? "not an ONNX file, but a TensorFlow graph: convert it with tf2onnx" : nullptr;
}

}  // namespace

Error in_other_format(Error error, std::string_view file, Message wanted) {
  if (error->code != Code::InvalidModel) return error;
  Text found;
  if (file.empty()) {
    found.append("the file is empty");
  } else if (const char* format = format_of(file)) {
    found.append("not an ONNX file, but {}", format);
  } else if (describe_text(file, found)) {
    found.prepend("not an ONNX file, but ");
  } else if (const char* message = message_of(file, wanted)) {
    found.append("{}", message);
  }
  if (!found.empty()) error->message = found;
  return error;
}

}  // namespace broadloom
