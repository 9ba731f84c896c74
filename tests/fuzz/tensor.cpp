// Any bytes as a TensorProto: there is a tensor, or an error; a tensor is written so that the same is read again.
#include "fuzz/outcomes.h"
#include "fuzz/target.h"
#include "support/split_files.h"
#include "support/tensor_files.h"

namespace broadloom::fuzz {
namespace {

// Reads the file with its large raw_data apart, as the bindings do.
Result<Tensor> read_in_parts(std::string_view bytes) {
  SplitFile file(Message::tensor, bytes.size(), 20);
  test::give(file, bytes, bytes);
  Source source = file.source();
  WireReader message(source, "");
  Tensor tensor = read_tensor_proto(message);
  if (!source.ok()) return Failure(source.error());
  return tensor;
}

void tensor(std::string_view bytes) {
  Tensor tensor;
  std::string error;
  if (auto read = test::read_tensor(bytes)) {
    tensor = std::move(*read);
  } else {
    error = read.error()->message.view();
    expect_proper_error(read);
  }
  note(error.empty() ? "read" : "refused");
  {
    const auto parts = read_in_parts(bytes);
    ASSERT_EQ(parts.has_value(), error.empty()) << error;
    if (!parts) {
      EXPECT_EQ(parts.error()->message.view(), error);
      expect_proper_error(parts);
      return;
    }
    expect_same(*parts, tensor);
  }
  if (tensor.count() > most_compared) return;
  const auto file = write_tensor_proto(tensor);
  if (!file) return static_cast<void>(expect_proper_error(file));
  const std::string_view written(reinterpret_cast<const char*>(file->data()), dense_size(*file));
  const auto again = test::read_tensor(written);
  ASSERT_TRUE(succeeds(again));
  expect_same(*again, tensor);
  const auto rewritten = write_tensor_proto(*again);
  ASSERT_TRUE(succeeds(rewritten));
  expect_same(*rewritten, *file);
}

}  // namespace
}  // namespace broadloom::fuzz

BROADLOOM_FUZZ_TARGET("tensor", tensor);
