#include "model/value_info_proto.h"

#include <algorithm>
#include <optional>

namespace broadloom {
namespace {

// Where a ValueInfoProto is read to.
struct Reading {
  ValueInfo& info;
  Arena& arena;
  bool only_tensors;
};

void read_dimension(WireReader message, Reading& to) {
  Dimension& dim = to.info.dims.add(to.arena);
  while (message.next()) {
    if (message.field() == 1) dim.value = std::max<std::int64_t>(message.integer(), -1);
    if (message.field() == 2) dim.name = message.name();
  }
}

void read_tensor_type(WireReader message, Reading& to) {
  while (message.next()) {
    if (message.field() == 1) {
      const std::int64_t id = message.integer();
      const std::optional<Dtype> dtype = dtype_from_id(id);
      if (!dtype) message.fail("elem_type is {}, which is no element type", id);
      to.info.dtype = dtype.value_or(Dtype::undefined);
    } else if (message.field() == 2) {
      to.info.has_shape = true;
      WireReader shape(message, "shape");
      std::int64_t axis = 0;
      while (shape.next()) {
        if (shape.field() != 1) continue;
        if (axis == static_cast<std::int64_t>(most_axes)) shape.fail("more than {} axes", most_axes);
        read_dimension({shape, "dim", axis++}, to);
      }
    }
  }
}

// TypeProto. Only tensors have a type that can be used here.
void read_type(WireReader message, Reading& to) {
  while (message.next()) {
    constexpr std::uint32_t tensor_type = 1, denotation = 6;
    if (message.field() == tensor_type) {
      read_tensor_type({message, "tensor_type"}, to);
    } else if (message.field() != denotation && to.only_tensors) {
      message.fail("not a tensor; sequences, maps and optionals are not supported");
    }
  }
}

}  // namespace

void read_value_info_proto(WireReader& message, ValueInfo& info, Arena& arena, bool only_tensors) {
  Reading to{info, arena, only_tensors};
  while (message.next()) {
    if (message.field() == 1) info.name = message.name();
    if (message.field() == 2) read_type({message, "type"}, to);
  }
}

}  // namespace broadloom
