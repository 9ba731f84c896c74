#include "ops/packed_operands.h"

#include "core/memory.h"

namespace broadloom {

Result<PackedOperands::Found> PackedOperands::find_or_add(Kind kind, std::span<const Tensor* const> constants, const Dims& form,
                                                          std::uint64_t bytes) {
  BROADLOOM_CHECK(require_memory());
  std::vector<std::int64_t> key{static_cast<std::int64_t>(kind)};
  Entry entry;
  for (const Tensor* constant : constants) {
    const bool is_given = constant != nullptr;
    key.push_back(is_given ? static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(constant->data())) : 0);
    key.push_back(is_given ? static_cast<std::int64_t>(constant->dtype) : 0);
    if (is_given) entry.constants.push_back(constant->storage);
  }
  key.insert(key.end(), form.begin(), form.end());
  const auto found = entries_.find(key);
  if (found != entries_.end()) return Found{found->second.packed, false};
  BROADLOOM_TRY(packed, Storage::allocate(static_cast<std::int64_t>(bytes)));
  entry.packed = packed;
  entries_.insert({std::move(key), std::move(entry)});
  return Found{std::move(packed), true};
}

void PackedOperands::release_unused() {
  for (auto at = entries_.begin(); at != entries_.end();)
    at = at->second.packed->is_shared() ? std::next(at) : entries_.erase(at);
}

}  // namespace broadloom
