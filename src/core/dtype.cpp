#include "core/dtype.h"

#include <array>
#include <cassert>

#include "core/count.h"

namespace broadloom {
namespace {

constexpr std::array<DtypeInfo, dtype_count> table{{
#define DTYPE(id, name, onnx_id, bits, kind, js_array, onnx_name) {name, bits, DtypeKind::kind},
#include "core/dtype.inc"
#undef DTYPE
}};

// The table is indexed by number, so its rows must be in the order of their numbers, without gaps.
#define DTYPE(id, name, onnx_id, bits, kind, js_array, onnx_name) onnx_id,
constexpr std::array<int, dtype_count> ids{
#include "core/dtype.inc"
};
#undef DTYPE
constexpr bool ids_are_consecutive() {
  for (int i = 0; i < dtype_count; ++i) {
    if (ids[in_memory(i)] != i + 1) return false;
  }
  return true;
}
static_assert(ids_are_consecutive());

}  // namespace

const DtypeInfo& info(Dtype dtype) {
  assert(dtype != Dtype::undefined && static_cast<int>(dtype) <= dtype_count);
  return table[place_of(dtype) - 1];
}

std::optional<Dtype> dtype_from_id(std::int64_t id) {
  if (id < 1 || id > dtype_count) return std::nullopt;
  return static_cast<Dtype>(id);
}

std::optional<Dtype> dtype_from_name(std::string_view name) {
  for (int id = 1; id <= dtype_count; ++id) {
    const auto dtype = static_cast<Dtype>(id);
    if (info(dtype).name == name) return dtype;
  }
  return std::nullopt;
}

}  // namespace broadloom
