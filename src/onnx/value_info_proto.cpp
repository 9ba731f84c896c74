#include "onnx/value_info_proto.h"

#include <algorithm>
#include <optional>

#include "onnx/fields.h"

namespace broadloom {
namespace {

// dim_value and dim_param are a oneof: the last one counts.
void read_dimension(WireReader message, Dimension& dim) {
  while (message.next()) {
    if (message.field() == tensor_shape_proto::dim_value) {
      dim.value = std::max<std::int64_t>(message.integer(), -1);
      dim.name = {};
    }
    if (message.field() == tensor_shape_proto::dim_param) {
      dim.name = message.name();
      dim.value = -1;
    }
  }
}

void read_shape(WireReader shape, ValueInfo& info, Arena& arena) {
  info.has_shape = true;
  std::int64_t axis = 0;
  while (shape.next()) {
    if (shape.field() != tensor_shape_proto::dim) continue;
    if (axis == static_cast<std::int64_t>(most_axes)) shape.fail("more than {} axes", most_axes);
    read_dimension({shape, "dim", axis++}, info.dims.add(arena));
  }
}

void read_tensor_type(WireReader message, ValueInfo& info, Arena& arena) {
  while (message.next()) {
    if (message.field() == tensor_type_proto::elem_type) {
      const std::int64_t id = message.integer();
      const std::optional<Dtype> dtype = dtype_from_id(id);
      // 0 means no type, like a missing field.
      if (!dtype && id != 0) message.fail("elem_type is {}, which is not an element type", id);
      info.dtype = dtype.value_or(Dtype::undefined);
    } else if (message.field() == tensor_type_proto::shape && !info.has_shape) {
      read_shape({message, "shape"}, info, arena);
    }
  }
}

using type_proto::tensor_type;

// The members of TypeProto's oneof.
std::string_view kind_of(std::uint32_t field) {
  switch (field) {
    case tensor_type: return "tensor";
    case 4: return "a sequence";
    case 5: return "a map";
    case 8: return "a sparse tensor";
    case 9: return "an optional";
    default: return {};
  }
}

void read_type(WireReader message, ValueInfo& info, Arena& arena, bool only_tensors) {
  while (message.next()) {
    const std::string_view kind = kind_of(message.field());
    if (!kind.empty()) info.kind = kind;  // the last one counts
  }
  if (!info.is_tensor()) {
    if (only_tensors) message.fail("not a tensor: {}; Broadloom computes tensors alone", info.kind);
    return;
  }
  for (message.rewind(); message.next();) {
    if (message.field() == tensor_type) return read_tensor_type({message, "tensor_type"}, info, arena);
  }
}

}  // namespace

void read_value_info_proto(WireReader& message, ValueInfo& info, Arena& arena, bool only_tensors) {
  bool has_type = false;
  while (message.next()) {
    if (message.field() == value_info_proto::name) info.name = message.name();
    if (message.field() == value_info_proto::type && !has_type) {
      has_type = true;
      read_type({message, "type"}, info, arena, only_tensors);
    }
  }
}

}  // namespace broadloom
