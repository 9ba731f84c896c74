// The bytes of tensors: reference-counted, so that tensors which differ only in layout share them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "core/count.h"
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
  // `bytes` of uninitialised storage, aligned to 16. Fails with OutOfMemory if it does not fit. Here counts become
  // address-sized: whoever got the storage converts its parts by in_memory.
  [[gnu::noinline]] static Result<StorageRef> allocate(Count bytes);

  std::byte* data() { return data_; }
  std::size_t size() const { return size_; }
  bool is_shared() const { return references_ > 1; }
  std::uint32_t references() const { return references_; }

  // Makes the bytes again that were let go. It writes as many.
  class Substitute {
   public:
    Substitute() = default;
    Substitute(const Substitute&) = delete;
    Substitute& operator=(const Substitute&) = delete;
    virtual ~Substitute() = default;
    virtual void write(std::byte* to) const = 0;
  };
  // Frees the bytes, if they are many. Nobody may read them until they are back; whoever may have let them go asks for them
  // first. So weights that are packed do not lie in memory twice.
  void let_go(std::unique_ptr<Substitute> substitute);
  // Puts the bytes back, if they were let go.
  Status bring_back() { return substitute_ == nullptr ? Status() : bring_back_bytes(); }
  // nullptr, unless the bytes were let go.
  const Substitute* substitute() const { return substitute_; }

  // Whether JavaScript has a writable view of the bytes. Then they may change at any time, so no other tensor
  // may share the storage.
  bool exposed = false;

  // Whether only one tensor has the storage, whose owner lets runs write behind its elements, into the gaps of its layout.
  bool grows = false;

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
  ~Storage() {
    live_bytes -= size_;
    if (is_apart_) [[unlikely]]
      free_apart();
  }

  // Smaller blocks all have this size, so that a pool can keep them.
  static constexpr std::size_t small_size = 192;
  // The bytes of larger ones have a block of their own, which can be freed before the record.
  static constexpr std::size_t most_together = std::size_t{64} * 1024;
  static Pool small_blocks;
  static Result<StorageRef> allocate_new(Count size);
  static void free_block(Storage* storage);
  static StorageRef make(void* block, std::size_t size);
  bool allocate_bytes();
  void free_apart();
  Status bring_back_bytes();

  static std::size_t live_bytes;
  // The address of bytes that are not there. It is only used to compute offsets, never read.
  static std::byte nowhere[1];

  std::uint32_t references_ = 1;
  std::byte* data_;
  std::size_t size_;
  bool is_apart_ = false;
  void* block_ = nullptr;  // of the bytes, if they are apart
  Substitute* substitute_ = nullptr;
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
  explicit PlacedStorage(std::size_t size) : storage_(Storage::nowhere, size) { Storage::live_bytes -= size; }
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
  Storage storage_;  // its first reference is this object's, and is never given back
};

inline StorageRef::StorageRef(const StorageRef& other) : storage_(other.storage_) {
  if (storage_ != nullptr) ++storage_->references_;
}

// One block holds the record and then the bytes: one malloc per tensor.
inline Result<StorageRef> Storage::allocate(Count bytes) {
  void* const block = bytes <= small_size ? small_blocks.take() : nullptr;
  return block == nullptr ? allocate_new(bytes) : make(block, in_memory(bytes));
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
