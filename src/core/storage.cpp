#include "core/storage.h"

#include <new>

#include "core/memory.h"

namespace broadloom {
namespace {

constexpr std::size_t alignment = 16;  // the widest item, and the widest SIMD register of wasm

constexpr std::size_t overhead = sizeof(Storage) + alignment - 1;

// Blocks for up to so many bytes all have this size, so that they can be kept.
constexpr std::size_t small_size = 192;
Pool small_blocks;

std::size_t live_bytes = 0;

}  // namespace

void StorageRef::destroy(Storage* storage) {
  const bool small = storage->size_ <= small_size;
  storage->~Storage();
  if (!small || !small_blocks.give(storage)) release(storage);
}

Storage::Storage(std::byte* data, std::size_t size) : data_(data), size_(size) { live_bytes += size; }

Storage::~Storage() { live_bytes -= size_; }

std::size_t Storage::bytes_in_use() { return live_bytes; }

// One block holds the record and, behind it, the bytes: one malloc a tensor.
Result<StorageRef> Storage::allocate(std::int64_t bytes) {
  const auto size = static_cast<std::uint64_t>(bytes);
  void* block = nullptr;
  if (size <= small_size) {
    block = small_blocks.take();
    if (block == nullptr) block = broadloom::allocate(small_size + overhead);
  } else if (size <= SIZE_MAX - overhead) {
    block = broadloom::allocate(static_cast<std::size_t>(size) + overhead);
  }
  if (block == nullptr) return Failure(out_of_memory(static_cast<double>(bytes)));
  std::byte* data = static_cast<std::byte*>(block) + sizeof(Storage);
  data += (alignment - reinterpret_cast<std::uintptr_t>(data) % alignment) % alignment;
  return StorageRef(new (block) Storage(data, static_cast<std::size_t>(size)));
}

}  // namespace broadloom
