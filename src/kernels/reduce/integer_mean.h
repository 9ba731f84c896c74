// Exact means of integers, whose sums may need more than 64 bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace broadloom {

// An integer of 64 bits is high * 2^32 + low, with 0 <= low < 2^32. Sums of 2^30 highs or lows fit 64 bits.
// Writes both parts of `count` integers, which are int64 if `is_signed`, else uint64.
void split_integers(std::int64_t* high, std::int64_t* low, const std::byte* from, std::size_t count, bool is_signed);

// Whether each sum of `elements` of `count` integers fits int64.
bool sums_fit(const std::byte* from, std::size_t count, std::int64_t elements, bool is_signed);

// Writes `count` means of `elements` integers each, 1 <= elements <= 2^30, rounded toward zero, from the sums of their parts.
void means_of_sums(std::byte* to, const std::int64_t* high, const std::int64_t* low, std::size_t count, std::int64_t elements);

}  // namespace broadloom
