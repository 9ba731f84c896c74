#include "graph/rewrite/value_numbers.h"

namespace broadloom {

void ValueNumbers::add(const void* bytes, std::size_t size) {
  const auto* first_byte = static_cast<const char*>(bytes);
  key_.insert(key_.end(), first_byte, first_byte + size);
}

void ValueNumbers::add(std::string_view text) {
  add(text.data(), text.size());
  key_.push_back('\0');
}

void ValueNumbers::add(std::span<const std::int64_t> numbers) {
  add(static_cast<std::int64_t>(numbers.size()));
  add(numbers.data(), numbers.size_bytes());
}

const ValueNumbers::Entry* ValueNumbers::find_or_add(Entry entry, Arena& arena) {
  const std::string_view key{key_.data(), key_.size()};
  if (const Name* found = index_.find(key)) return &entries_[found->number];
  index_.find_or_add(arena.copy(key), arena);
  entries_.push_back(entry);
  return nullptr;
}

void ValueNumbers::forget(const Node& node) {
  for (Entry& entry : entries_) {
    if (entry.node == &node) entry.node = nullptr;
  }
}

}  // namespace broadloom
