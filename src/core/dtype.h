// Element types of ONNX tensors (onnx.proto, TensorProto.DataType) and sets of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/count.h"

namespace broadloom {

// The value of each constant is its TensorProto.DataType number. `undefined` means an unknown or undeclared
// type. In a run, no tensor has it.
enum class Dtype : std::uint8_t {
  undefined = 0,
#define DTYPE(id, name, onnx_id, bits, kind, js_array, onnx_name) id = (onnx_id),
#include "core/dtype.inc"
#undef DTYPE
};

inline constexpr int dtype_count = 26;

enum class DtypeKind : std::uint8_t {
  real_float,
  mini_float,
  signed_integer,
  unsigned_integer,
  boolean,
  complex,
  string,
};

struct DtypeInfo {
  std::string_view name;  // the public name: float32, bool, ...
  int bits;
  DtypeKind kind;
};

// Facts about a type, which must not be `undefined`.
const DtypeInfo& info(Dtype dtype);

// The type with this TensorProto.DataType number, if ONNX has one.
std::optional<Dtype> dtype_from_id(std::int64_t id);

// The type with this public name.
std::optional<Dtype> dtype_from_name(std::string_view name);

// The element type of an input or output before a run: known, unknown, or absent if there is no such input.
class ElementType {
 public:
  constexpr ElementType() = default;  // absent
  // `undefined` means an unknown type.
  constexpr explicit ElementType(Dtype dtype) : dtype_(dtype), is_absent_(false) {}
  constexpr bool is_absent() const { return is_absent_; }
  constexpr bool is_known() const { return dtype_ != Dtype::undefined; }
  // The type, or `undefined`.
  constexpr Dtype dtype() const { return dtype_; }
  friend constexpr bool operator==(ElementType a, ElementType b) = default;

 private:
  Dtype dtype_ = Dtype::undefined;
  bool is_absent_ = true;
};

inline bool is_packed(Dtype dtype) { return info(dtype).bits < 8; }

// Bytes of one element. Packed types have no such size.
inline std::size_t item_size(Dtype dtype) { return in_memory(info(dtype).bits) / 8; }

// A set of element types, one bit each.
class TypeSet {
 public:
  constexpr TypeSet() = default;
  constexpr TypeSet(Dtype dtype) : bits_(1U << static_cast<unsigned>(dtype)) {}
  constexpr bool contains(Dtype dtype) const { return ((bits_ >> static_cast<unsigned>(dtype)) & 1U) != 0; }
  // Bit n is the type with TensorProto.DataType n.
  constexpr std::uint32_t bits() const { return bits_; }
  // The only type of a set of one; undefined for other sets.
  constexpr Dtype single() const {
    if (bits_ == 0 || (bits_ & (bits_ - 1)) != 0) return Dtype::undefined;
    unsigned id = 0;
    while ((bits_ >> id) != 1U) ++id;
    return static_cast<Dtype>(id);
  }
  // Whether it is int64, or int64 and int32: the types of indices and counts.
  constexpr bool is_of_indices() const {
    const std::uint32_t others = bits_ & ~TypeSet(Dtype::int32).bits_;
    return others == TypeSet(Dtype::int64).bits_;
  }
  friend constexpr TypeSet operator|(TypeSet a, TypeSet b) { return TypeSet(a.bits_ | b.bits_); }

 private:
  constexpr explicit TypeSet(std::uint32_t bits) : bits_(bits) {}
  std::uint32_t bits_ = 0;
};

constexpr TypeSet operator|(Dtype a, Dtype b) { return TypeSet(a) | TypeSet(b); }

}  // namespace broadloom
