// The bytes of tensors: reference-counted, so that tensors which differ only in layout share them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/memory.h"
#include "core/status.h"

namespace broadloom {

class Storage;

// A counted reference to a Storage, or an empty one. Not thread-safe.
class StorageRef {
 public:
  StorageRef() = default;
  inline StorageRef(const StorageRef& other);
  StorageRef(StorageRef&& other) noexcept : storage_(std::exchange(other.storage_, nullptr)) {}
  StorageRef& operator=(StorageRef other) noexcept {
    std::swap(storage_, other.storage_);
    return *this;
  }
  [[gnu::always_inline]] inline ~StorageRef();

  Storage* operator->() const { return storage_; }
  Storage& operator*() const { return *storage_; }
  explicit operator bool() const { return storage_ != nullptr; }

 private:
  friend class Storage;
  friend class BorrowedStorage;
  friend class PlacedStorage;
  explicit StorageRef(Storage* storage) : storage_(storage) {}
  inline static void destroy(Storage* storage);
  Storage* storage_ = nullptr;
};

class Storage {
 public:
  // `bytes` of uninitialised storage, aligned to 16. Fails with OutOfMemory if it does not fit, also for counts beyond size_t.
  static Result<StorageRef> allocate(std::int64_t bytes);

  std::byte* data() { return data_; }
  std::size_t size() const { return size_; }
  bool is_shared() const { return references_ > 1; }

  // Whether JavaScript has a writable view of the bytes. Then they may change at any time, so no other tensor
  // may share the storage.
  bool exposed = false;

  // For string elements: the storage of the UTF-8 text that their references point into (see core/strings.h).
  StorageRef text;

  // The bytes of all live storages.
  static std::size_t bytes_in_use();

  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

 private:
  friend class StorageRef;
  friend class BorrowedStorage;
  friend class PlacedStorage;
  Storage(std::byte* data, std::size_t size) : data_(data), size_(size) { live_bytes += size; }
  ~Storage() { live_bytes -= size_; }

  // Smaller blocks all have this size, so that a pool can keep them.
  static constexpr std::size_t small_size = 192;
  static Pool small_blocks;
  static void* new_block(std::uint64_t size);
  static void free_block(Storage* storage);
  static StorageRef make(void* block, std::size_t size);

  static std::size_t live_bytes;

  std::uint32_t references_ = 1;
  std::byte* data_;
  std::size_t size_;
};

// Storage over bytes of another owner, for a tensor that lives no longer than this object. It counts as exposed:
// code that would share it copies it.
class BorrowedStorage {
 public:
  BorrowedStorage(std::byte* data, std::size_t size) : storage_(data, size) { storage_.exposed = true; }
  StorageRef share() {
    ++storage_.references_;
    return StorageRef(&storage_);
  }

 private:
  Storage storage_;  // its first reference is this object's, and is never released
};

// Storage over `size` bytes whose address changes, for tensors that live no longer than this object and are
// not shared. It does not count as bytes in use.
class PlacedStorage {
 public:
  explicit PlacedStorage(std::size_t size) : storage_(nowhere, size) { Storage::live_bytes -= size; }
  PlacedStorage(const PlacedStorage&) = delete;
  PlacedStorage& operator=(const PlacedStorage&) = delete;
  ~PlacedStorage() { Storage::live_bytes += storage_.size_; }

  void place(std::byte* data) { storage_.data_ = data; }
  StorageRef share() {
    ++storage_.references_;
    return StorageRef(&storage_);
  }
  bool is(const StorageRef& other) const { return other.storage_ == &storage_; }

 private:
  // The address before it is placed. It is only used to compute offsets, never read.
  static std::byte nowhere[1];
  Storage storage_;  // its first reference is this object's, and is never given back
};

inline StorageRef::StorageRef(const StorageRef& other) : storage_(other.storage_) {
  if (storage_ != nullptr) ++storage_->references_;
}

// One block holds the record and then the bytes: one malloc per tensor.
inline Result<StorageRef> Storage::allocate(std::int64_t bytes) {
  const auto size = static_cast<std::uint64_t>(bytes);
  void* block = size <= small_size ? small_blocks.take() : nullptr;
  if (block == nullptr) block = new_block(size);
  if (block == nullptr) return Failure(out_of_memory(static_cast<double>(bytes)));
  return make(block, static_cast<std::size_t>(size));
}

inline void StorageRef::destroy(Storage* storage) {
  const bool is_small = storage->size_ <= Storage::small_size;
  storage->~Storage();
  if (!is_small || !Storage::small_blocks.give(storage)) Storage::free_block(storage);
}

inline StorageRef::~StorageRef() {
  if (storage_ != nullptr && --storage_->references_ == 0) destroy(storage_);
}

}  // namespace broadloom
