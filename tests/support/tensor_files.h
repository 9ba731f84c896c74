// Reads and writes TensorProtos in memory, as the bindings do.
#pragma once

#include <string>

#include "onnx/tensor_proto.h"
#include "support/proto.h"
#include "support/tensors.h"

namespace broadloom::test {

inline Result<Tensor> read_tensor(std::string_view bytes) {
  Source source(bytes);
  WireReader message(source, "");
  Tensor tensor = read_tensor_proto(message);
  if (!source.ok()) return Failure(source.error());
  return tensor;
}

inline Result<Tensor> read_tensor(const Proto& proto) { return read_tensor(proto.bytes()); }

inline std::string written(const Tensor& tensor) {
  const Tensor proto = must(write_tensor_proto(tensor));
  return {reinterpret_cast<const char*>(proto.data()), dense_size(proto)};
}

}  // namespace broadloom::test
