#include "model/value_info_proto.h"

#include <algorithm>
#include <optional>

namespace broadloom {
namespace {

void read_dimension(WireReader message, ValueInfo& info) {
  Dimension& dim = info.dims.emplace_back();
  while (message.next()) {
    if (message.field() == 1) dim.value = std::max<std::int64_t>(message.integer(), -1);
    if (message.field() == 2) dim.name = message.name();
  }
}

void read_tensor_type(WireReader message, ValueInfo& info) {
  while (message.next()) {
    if (message.field() == 1) {
      const std::int64_t id = message.integer();
      const std::optional<Dtype> dtype = dtype_from_id(id);
      if (!dtype) message.fail("elem_type is {}, which is no element type", id);
      info.dtype = dtype.value_or(Dtype::undefined);
    } else if (message.field() == 2) {
      info.has_shape = true;
      WireReader shape(message, "shape");
      std::int64_t axis = 0;
      while (shape.next()) {
        if (shape.field() == 1) read_dimension({shape, "dim", axis++}, info);
      }
    }
  }
}

// TypeProto. Only tensors have a type that can be used here.
void read_type(WireReader message, ValueInfo& info) {
  while (message.next()) {
    constexpr std::uint32_t tensor_type = 1, denotation = 6;
    if (message.field() == tensor_type) {
      read_tensor_type({message, "tensor_type"}, info);
    } else if (message.field() != denotation) {
      message.fail("not a tensor; sequences, maps and optionals are not supported");
    }
  }
}

}  // namespace

std::string_view read_value_info_proto(WireReader& message, ValueInfo& info) {
  std::string_view name;
  while (message.next()) {
    if (message.field() == 1) name = message.name();
    if (message.field() == 2) read_type({message, "type"}, info);
  }
  info.name = name;
  return name;
}

}  // namespace broadloom
