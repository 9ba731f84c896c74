#include "ops/packed_operands.h"

#include <algorithm>

#include "core/count.h"
#include "core/memory.h"

namespace broadloom {

Result<PackedOperands::Found> PackedOperands::find_or_add(Kind kind, std::span<const Tensor* const> constants, const Dims& form,
                                                          Count bytes) {
  BROADLOOM_CHECK(require_memory());
  // The kind, the form, and of each constant its place and type. Its bytes may be elsewhere after they were let go.
  Entry entry{Dims(1 + form.size() + 3 * constants.size()), {}, {}};
  std::int64_t* to = std::copy(form.begin(), form.end(), entry.key.data());
  *to++ = static_cast<std::int64_t>(kind);
  for (const Tensor* constant : constants) {
    if (constant != nullptr) {
      to[0] = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(&*constant->storage));
      to[1] = constant->offset;
      to[2] = static_cast<std::int64_t>(constant->dtype);
      entry.constants.push_back(*constant);
    }
    to += 3;
  }
  const Storage* const place = &*constants.front()->storage;
  const auto [first, last] = entries_.equal_range(place);
  for (auto at = first; at != last; ++at) {
    if (at->second.key == entry.key) return Found{at->second.packed, false};
  }
  for (const Tensor& constant : entry.constants) BROADLOOM_CHECK(constant.storage->bring_back());
  BROADLOOM_TRY(packed, Storage::allocate(bytes));
  entry.packed = packed;
  entries_.insert({place, std::move(entry)});
  return Found{std::move(packed), true};
}

Status PackedOperands::unless_failed(Status written, std::span<const Tensor* const> constants, const StorageRef& packed) {
  if (written) return written;
  const auto [first, last] = entries_.equal_range(&*constants.front()->storage);
  const auto found = std::find_if(first, last, [&](const auto& entry) { return &*entry.second.packed == &*packed; });
  if (found != last) entries_.erase(found);
  return written;
}

void PackedOperands::release_unused() {
  for (auto at = entries_.begin(); at != entries_.end();)
    at = at->second.packed->is_shared() ? std::next(at) : entries_.erase(at);
}

}  // namespace broadloom
