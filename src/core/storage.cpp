#include "core/storage.h"

#include <algorithm>
#include <new>

namespace broadloom {
namespace {

constexpr std::size_t alignment = 16;  // the widest item, and the widest SIMD register of wasm

constexpr std::size_t overhead = sizeof(Storage) + alignment - 1;

}  // namespace

Pool Storage::small_blocks;
std::size_t Storage::live_bytes = 0;
std::byte PlacedStorage::nowhere[1];

void* Storage::new_block(std::uint64_t size) {
  if (size > SIZE_MAX - overhead) return nullptr;
  return broadloom::allocate(std::max(static_cast<std::size_t>(size), small_size) + overhead);
}

void Storage::free_block(Storage* storage) { release(storage); }

std::size_t Storage::bytes_in_use() { return live_bytes; }

StorageRef Storage::make(void* block, std::size_t size) {
  std::byte* data = static_cast<std::byte*>(block) + sizeof(Storage);
  data += (alignment - reinterpret_cast<std::uintptr_t>(data) % alignment) % alignment;
  return StorageRef(new (block) Storage(data, size));
}

}  // namespace broadloom
