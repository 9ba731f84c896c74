// Constants in the order in which kernels read them: filters, weights, the columns of matrices.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "core/count.h"
#include "core/dims.h"
#include "core/tensor.h"

namespace broadloom {

// Packed constants of a model. They are packed once: its plans, and nodes that read the same constants in the same way, share
// them.
class PackedOperands {
 public:
  enum class Kind : std::uint8_t { columns, filters, recurrent, pairs };

  // The bytes that `Status write(std::byte*)` makes of constants, or those that it made before. They depend on the kind, on the
  // constants' elements and types, and on the numbers of the form. The first constant is given, others may be nullptr.
  template <class Write>
  Result<StorageRef> pack(Kind kind, std::span<const Tensor* const> constants, const Dims& form, Count bytes, Write write) {
    BROADLOOM_TRY(entry, find_or_add(kind, constants, form, bytes));
    if (entry.is_new) BROADLOOM_CHECK(unless_failed(write(entry.packed->data()), constants, entry.packed));
    return entry.packed;
  }
  // Frees those that no plan uses.
  void release_unused();
  // Forgets all.
  void clear() { entries_.clear(); }

 private:
  struct Found {
    StorageRef packed;
    bool is_new;
  };
  struct Entry {
    Dims key;
    std::vector<Tensor> constants;
    StorageRef packed;
  };
  Result<Found> find_or_add(Kind kind, std::span<const Tensor* const> constants, const Dims& form, Count bytes);
  // Forgets what was written in part.
  Status unless_failed(Status written, std::span<const Tensor* const> constants, const StorageRef& packed);

  std::multimap<const Storage*, Entry> entries_;  // by the storage of the first constant
};

}  // namespace broadloom
