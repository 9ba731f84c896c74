#include "core/dims.h"

#include <new>

namespace broadloom {

Dims::Block* Dims::allocate(std::size_t size) {
  if (size == 0) return nullptr;
  return new (::operator new(sizeof(Block) + size * sizeof(std::int64_t))) Block{1, static_cast<std::uint32_t>(size)};
}

Dims::Dims(std::size_t size, std::int64_t value) : block_(allocate(size)) {
  for (std::size_t i = 0; i < size; ++i) block_->values()[i] = value;
}

Dims::Dims(std::span<const std::int64_t> values) : block_(allocate(values.size())) {
  for (std::size_t i = 0; i < values.size(); ++i) block_->values()[i] = values[i];
}

Dims::Dims(const Dims& other) : block_(other.block_) {
  if (block_ != nullptr) ++block_->references;
}

Dims::~Dims() {
  if (block_ != nullptr && --block_->references == 0) ::operator delete(block_);
}

}  // namespace broadloom
