// TensorProto and SparseTensorProto, in and out. ONNX: onnx/onnx.proto; the rules are those of onnx/checker.cc
// (check_tensor), with exact sizes.
#pragma once

#include <string_view>

#include "graph/graph.h"
#include "onnx/wire.h"
#include "onnx/wire_writer.h"
#include "ops/sparse.h"

namespace broadloom {

// These read a whole message and leave it at its end. After an error, which the message's source holds, what they return
// means nothing. They pass over a message more than once, so that sizes are known before memory is taken.

// Where the elements of a tensor are, if they are in another file.
struct External {
  bool is_read = false;  // somebody will read the file: set by the caller
  bool is_used = false;  // also of raw_data that was left in the file
  ExternalData data;     // the location stays where it is in the file
};

// A TensorProto. `name` receives the tensor's name. External data is an error, unless there is `external` to tell of it: then
// the tensor has its type and dims, but no elements. A file that is to be read must lie in the model's folder.
Tensor read_tensor_proto(WireReader& message, std::string_view* name = nullptr, External* external = nullptr);

// A SparseTensorProto, without checking that the parts fit together. `name` is that of its values.
SparseTensor read_sparse_tensor_proto(WireReader& message, std::string_view* name = nullptr);

// The repeated numbers of `field` as a dense int64 or float32 tensor of one axis.
Tensor read_integers(WireReader& message, std::uint32_t field);
Tensor read_floats(WireReader& message, std::uint32_t field);

// The strings of `field`, all of which must be UTF-8, as a tensor of `dims`, or of one axis.
Tensor read_strings(WireReader& message, std::uint32_t field, const Dims* dims = nullptr);

// Writes the TensorProto of a tensor: dims, data_type, its name if it has one, and raw_data, or string_data for strings.
void write_tensor_proto(WireWriter& to, const Tensor& tensor, const ValueName& name);
// The same as a file: a dense uint8 tensor of one axis.
Result<Tensor> write_tensor_proto(const Tensor& tensor, const ValueName& name = {});

// Writes repeated numbers, not packed, as onnx.proto has them.
void write_numbers(WireWriter& to, std::uint32_t field, std::span<const std::int64_t> numbers);

}  // namespace broadloom
