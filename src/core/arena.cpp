#include "core/arena.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/growth.h"

namespace broadloom {
namespace {

constexpr std::size_t usual_block = 4000;
constexpr std::size_t item_alignment = 8;

}  // namespace

Arena::~Arena() {
  while (blocks_ != nullptr) ::operator delete(std::exchange(blocks_, blocks_->next));
}

void* Arena::allocate(std::size_t bytes) {
  bytes = (bytes + item_alignment - 1) / item_alignment * item_alignment;
  if (bytes > left_) {
    left_ = std::max(bytes, usual_block);
    auto* block = static_cast<std::byte*>(::operator new(item_alignment + left_));
    grow_ahead();
    blocks_ = new (block) Block{blocks_};
    at_ = block + item_alignment;
  }
  left_ -= bytes;
  return std::exchange(at_, at_ + bytes);
}

std::string_view Arena::copy(std::string_view text) {
  auto* bytes = static_cast<char*>(allocate(text.size()));
  if (!text.empty()) std::memcpy(bytes, text.data(), text.size());
  return {bytes, text.size()};
}

}  // namespace broadloom
