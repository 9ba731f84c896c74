// Elements of 4 and 2 bits, several in a byte: element i has the bits from i * bits % 8 on of byte i * bits / 8.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/layout.h"

namespace broadloom {

// Writes each of `count` elements, from number `first` on, to a byte of its own, whose other bits are 0. `bits` is 4 or 2.
void unpack(std::byte* to, const std::byte* from, std::size_t first, std::size_t count, std::size_t bits);

// Makes unpacked elements of a signed type, of `bits` bits each, int8.
void extend_signs(std::byte* elements, std::size_t count, std::size_t bits);

// Packs the low bits of `count` bytes. The last byte's bits after the last element are 0.
void pack(std::byte* to, const std::byte* from, std::size_t count, std::size_t bits);

// materialize for packed elements: writes those that `layout` finds from element number `offset` of `from` on.
// The places do not overlap. The memory it takes does not depend on the layout.
void materialize_packed(std::byte* to, const std::byte* from, std::int64_t offset, const Layout& layout, std::size_t bits);

}  // namespace broadloom
