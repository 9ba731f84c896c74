#include "core/storage.h"

#include <algorithm>
#include <new>

#include "core/count.h"

namespace broadloom {
namespace {

constexpr std::size_t alignment = 16;  // the widest item, and the widest SIMD register of wasm

constexpr std::size_t overhead = sizeof(Storage) + alignment - 1;

// Bytes apart take a multiple of this: a little more than a weight takes fits where it was.
constexpr std::size_t unit = 1024;

}  // namespace

Pool Storage::small_blocks;
std::size_t Storage::live_bytes = 0;
std::byte Storage::nowhere[1];

Result<StorageRef> Storage::allocate_new(Count size) {
  const bool is_apart = size > most_together;
  if ((size + overhead + unit).is_addressable()) {
    void* const block = broadloom::allocate(overhead + (is_apart ? 0 : std::max(in_memory(size), small_size)));
    if (block != nullptr) {
      StorageRef made = make(block, in_memory(size));
      made->is_apart_ = is_apart;
      if (!is_apart || made->allocate_bytes()) return made;
    }
  }
  return Failure(out_of_memory(size));
}

void Storage::free_block(Storage* storage) { release(storage); }

std::size_t Storage::bytes_in_use() { return live_bytes; }

StorageRef Storage::make(void* block, std::size_t size) {
  std::byte* data = static_cast<std::byte*>(block) + sizeof(Storage);
  data += (alignment - reinterpret_cast<std::uintptr_t>(data) % alignment) % alignment;
  return StorageRef(new (block) Storage(data, size));
}

// ---- Bytes apart from the record ----

bool Storage::allocate_bytes() {
  block_ = broadloom::allocate((size_ + alignment - 1) / unit * unit + unit);
  data_ = static_cast<std::byte*>(block_);
  data_ += (alignment - reinterpret_cast<std::uintptr_t>(data_) % alignment) % alignment;
  return block_ != nullptr;
}

void Storage::free_apart() {
  release(block_);
  if (substitute_ != nullptr) live_bytes += size_;
  delete substitute_;
}

void Storage::let_go(std::unique_ptr<Substitute> substitute) {
  if (!is_apart_ || substitute_ != nullptr) return;
  release(block_);
  block_ = nullptr;
  data_ = nowhere;
  substitute_ = substitute.release();
  live_bytes -= size_;
}

Status Storage::bring_back_bytes() {
  if (!allocate_bytes()) {
    data_ = nowhere;
    return Failure(out_of_memory(size_));
  }
  live_bytes += size_;
  substitute_->write(data_);
  delete substitute_;
  substitute_ = nullptr;
  return {};
}

}  // namespace broadloom
