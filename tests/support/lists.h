// Dims and spans as vectors, which GoogleTest can compare and print.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <span>
#include <vector>

#include "core/layout.h"

namespace broadloom {

inline void PrintTo(Size size, std::ostream* to) {
  size.is_number() ? *to << size.number() : *to << "symbol " << Size::highest_reserved - size.word();
}

}  // namespace broadloom

namespace broadloom::test {

using List = std::vector<std::int64_t>;

inline List list(std::span<const std::int64_t> dims) { return {dims.begin(), dims.end()}; }
inline List list(const Dims& dims) { return list(dims.values()); }
// The dims as a list. All must be numbers.
inline List list(const SymbolicDims& dims) { return list(numbers_of(dims)); }

// Sizes that may be symbolic.
class SizeList : public std::vector<broadloom::Size> {
 public:
  SizeList() = default;
  SizeList(std::initializer_list<broadloom::Size> sizes) : std::vector<broadloom::Size>(sizes) {}
  SizeList(std::size_t count, broadloom::Size size) : std::vector<broadloom::Size>(count, size) {}
  explicit SizeList(const SymbolicDims& dims) : std::vector<broadloom::Size>(dims.begin(), dims.end()) {}
  // As they lie in a tensor.
  SizeList(const List& words) {
    for (const std::int64_t word : words) push_back(broadloom::Size::of_word(word));
  }
  SymbolicDims dims() const { return SymbolicDims(std::span<const broadloom::Size>(*this)); }
};

inline Dims dims_of(const List& values) { return Dims(std::span<const std::int64_t>(values)); }

}  // namespace broadloom::test
