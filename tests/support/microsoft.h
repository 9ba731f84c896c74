// The cases of tests/data/microsoft.bin (tools/extract/microsoft-vectors.mjs).
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "support/official.h"
#include "support/tensor_files.h"

namespace broadloom::test {

// A model of one node, and what onnxruntime makes of its inputs.
struct MicrosoftCase {
  std::string name;
  std::string model;
  int levels = 0;  // so far may bytes be from the outputs
  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;
};

class MicrosoftReader {
 public:
  explicit MicrosoftReader(std::string bytes) : bytes_(std::move(bytes)) {}
  bool is_at_end() const { return at_ == bytes_.size(); }
  MicrosoftCase next() {
    MicrosoftCase one{text(), text(), static_cast<int>(number()), {}, {}};
    for (std::vector<Tensor>* list : {&one.inputs, &one.outputs}) {
      for (std::uint32_t left = number(); left > 0; --left) list->push_back(must(read_tensor(text())));
    }
    return one;
  }

 private:
  std::uint32_t number() {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::string text() {
    const std::size_t length = number();
    at_ += length;
    return bytes_.substr(at_ - length, length);
  }

  std::string bytes_;
  std::size_t at_ = 0;
};

inline std::vector<MicrosoftCase> microsoft_cases(const std::string& path) {
  MicrosoftReader reader(file_bytes(path));
  std::vector<MicrosoftCase> list;
  while (!reader.is_at_end()) list.push_back(reader.next());
  return list;
}

}  // namespace broadloom::test
