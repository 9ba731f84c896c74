// Reads and writes TensorProto and SparseTensorProto. ONNX: onnx/onnx.proto. Follows the rules of onnx/checker.cc
// (check_tensor), and also requires exact sizes.
#pragma once

#include <string_view>

#include "graph/structure/graph.h"
#include "onnx/wire.h"
#include "onnx/wire_writer.h"
#include "ops/sparse.h"

namespace broadloom {

// The readers read a whole message and leave it at its end. The message's source holds the error, if any. After an error, the
// result is unspecified. They read a message more than once, so that they know sizes before they allocate.

// Where the elements of a tensor lie, if not in its message.
struct External {
  bool is_read = false;  // set by the caller: the file will be read
  bool is_used = false;  // the tensor is external, or its raw_data was left in the model's file
  ExternalData data;     // the location is a part of the source
};

// Reads a TensorProto. `name` receives the tensor's name. External data is an error if `external` is nullptr. Otherwise
// `external` receives its place, and the tensor has a type and dims, but no elements. If the file will be read, its location
// must be inside the model's folder.
// `field` receives the name of the field that holds the elements, if one does.
Tensor read_tensor_proto(WireReader& message, std::string_view* name = nullptr, External* external = nullptr,
                         std::string_view* field = nullptr);

// Reads a SparseTensorProto. Does not check that its parts fit together. `name` receives the name of its values.
SparseTensor read_sparse_tensor_proto(WireReader& message, std::string_view* name = nullptr);

// Read the repeated numbers of `field` as a dense int64 or float32 tensor of one axis.
Tensor read_integers(WireReader& message, std::uint32_t field);
Tensor read_floats(WireReader& message, std::uint32_t field);

// Reads the strings of `field` as a tensor of `dims`, by default of one axis. Fails if one is not UTF-8.
Tensor read_strings(WireReader& message, std::uint32_t field, const Dims* dims = nullptr);

// Writes a TensorProto: dims, data_type, the name if there is one, and raw_data, or string_data for strings.
void write_tensor_proto(WireWriter& to, const Tensor& tensor, const ValueName& name);
// The TensorProto as a file: a dense uint8 tensor of one axis.
Result<Tensor> write_tensor_proto(const Tensor& tensor, const ValueName& name = {});

// Writes repeated numbers, unpacked as in onnx.proto.
void write_numbers(WireWriter& to, std::uint32_t field, std::span<const std::int64_t> numbers);

}  // namespace broadloom
