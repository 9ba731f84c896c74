#include "kernels/order/order.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/count.h"
#include "core/limits.h"
#include "kernels/base/simd.h"

namespace broadloom {
namespace {

// The bits of infinity; 0 for types that have none. The bits of NaNs are above.
std::uint64_t infinity_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::float16: return 0x7C00;
    case Dtype::bfloat16: return 0x7F80;
    case Dtype::float32: return 0x7F800000;
    case Dtype::float64: return 0x7FF0000000000000;
    default: return 0;
  }
}

template <class Bits>
struct KeyMasks {
  explicit KeyMasks(Dtype dtype)
      : infinity(static_cast<Bits>(infinity_of(dtype))),
        turned(infinity != 0 || info(dtype).kind == DtypeKind::signed_integer ? sign : Bits{0}) {}

  static constexpr auto sign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
  static constexpr auto others = static_cast<Bits>(sign - 1);
  Bits infinity;
  // Signed numbers are in order when their sign bit is turned, floating-point ones if, of negative ones, all others are, too.
  Bits turned;
};

template <class Bits>
void write_keys(std::uint64_t* to, const std::byte* from, std::ptrdiff_t step, std::size_t count, Dtype dtype) {
  const KeyMasks<Bits> masks(dtype);
  for (std::size_t i = 0; i < count; ++i, from += step) {
    Bits bits;
    std::memcpy(&bits, from, sizeof bits);
    if (masks.infinity != 0) {
      // Without branches, which numbers would decide.
      const auto magnitude = static_cast<Bits>(bits & masks.others);
      bits = magnitude > masks.infinity ? masks.others : bits;
      bits = magnitude == 0 ? Bits{0} : bits;
      bits ^= static_cast<Bits>(static_cast<Bits>(0 - (bits >> (sizeof(Bits) * 8 - 1))) & masks.others);
    }
    to[i] = static_cast<Bits>(bits ^ masks.turned);
  }
}

// Writes the keys of numbers of 32 bits that lie side by side.
void write_dense_keys(std::uint64_t* to, const std::byte* from, std::size_t count, Dtype dtype) {
  using Words = Lanes<std::uint32_t>;
  const KeyMasks<std::uint32_t> masks(dtype);
  std::size_t i = 0;
  for (; i + lanes_of<std::uint32_t> <= count; i += lanes_of<std::uint32_t>) {
    auto bits = load_lanes<std::uint32_t>(from + i * sizeof(std::uint32_t));
    if (masks.infinity != 0) {
      const Words magnitude = bits & masks.others;
      bits = select(magnitude > masks.infinity, Words{} + masks.others, bits);
      bits = select(magnitude == 0, Words{}, bits);
      bits ^= (Words{} - (bits >> 31)) & masks.others;
    }
    const Vector keys = as<Vector>(bits ^ masks.turned);
    store(reinterpret_cast<std::byte*>(to + i), extended<std::uint64_t, std::uint32_t, 0>(keys));
    store(reinterpret_cast<std::byte*>(to + i + 2), extended<std::uint64_t, std::uint32_t, 1>(keys));
  }
  write_keys<std::uint32_t>(to + i, from + i * sizeof(std::uint32_t), sizeof(std::uint32_t), count - i, dtype);
}

// Lets an item of a heap sink to where it belongs. On top is the one that comes after all others.
void sink(std::int64_t* heap, std::size_t at, std::size_t count, const Order& order) {
  for (;;) {
    std::size_t child = 2 * at + 1;
    if (child >= count) return;
    if (child + 1 < count && order.comes_before(order.context, heap[child], heap[child + 1])) ++child;
    if (!order.comes_before(order.context, heap[at], heap[child])) return;
    std::swap(heap[at], heap[child]);
    at = child;
  }
}

// Whether no comparison has failed.
bool goes_on(const Order& order) { return order.stop == nullptr || *order.stop; }

void make_heap(std::int64_t* numbers, std::size_t count, const Order& order) {
  for (std::size_t i = count / 2; i-- > 0 && goes_on(order);) sink(numbers, i, count, order);
}

void sort_heap(std::int64_t* heap, std::size_t count, const Order& order) {
  while (count > 1 && goes_on(order)) {
    std::swap(heap[0], heap[--count]);
    sink(heap, 0, count, order);
  }
}

// Writes items in the order of 8 bits of their keys, the highest first. Equal ones stay in their order.
void sort_by_byte(Ranked* to, std::span<const Ranked> items, unsigned shift) {
  std::size_t places[256] = {};
  for (const Ranked& item : items) ++places[item.key >> shift & 255U];
  std::size_t place = 0;
  for (std::size_t i = std::size(places); i-- > 0;) place += std::exchange(places[i], place);
  for (const Ranked& item : items) to[places[item.key >> shift & 255U]++] = item;
}

// The time of an item in sort_by_byte, for Watch::check.
constexpr double steps_of_ranking = 4;

// Puts an item in its place among those before `at`, which are in order. They move up to `at`.
void insert(Ranked* items, std::size_t at, const Ranked item) {
  for (; at > 0 && items[at - 1].key < item.key; --at) items[at] = items[at - 1];
  items[at] = item;
}

// The highest numbers of a row that has been read so far.
class Highest {
 public:
  Highest(Ranked* room, std::size_t count, std::size_t size) : items_(room), count_(count), capacity_(capacity(count, size)) {}

  // Beside the highest ones there is room for others, which are sorted together.
  static std::size_t capacity(std::size_t count, std::size_t size) {
    return std::min(size, count + std::max(count, least_others));
  }

  Status add(Ranked item) {
    if (is_full_ && item.key <= least_.key) return {};
    if (count_ <= few) {
      keep(item);
      return {};
    }
    if (held_ == capacity_) {
      BROADLOOM_CHECK(settle());
      is_full_ = true;
      least_ = items_[count_ - 1];
      if (item.key <= least_.key) return {};
    }
    items_[held_++] = item;
    return {};
  }
  bool is_full() const { return is_full_; }
  std::int64_t index_of_least() const { return least_.index; }
  // Puts the highest ones in order, and forgets the others.
  Status settle() {
    if (count_ <= few) return {};
    BROADLOOM_CHECK(rank({items_, held_}, items_ + capacity_));
    held_ = std::min(held_, count_);
    return {};
  }

 private:
  static constexpr std::size_t least_others = 64;
  // Up to this count, the highest ones are always in order.
  static constexpr std::size_t few = 16;

  void keep(Ranked item) {
    insert(items_, held_ == count_ ? held_ - 1 : held_++, item);
    is_full_ = held_ == count_;
    least_ = items_[held_ - 1];
  }

  Ranked* items_;
  std::size_t count_;
  std::size_t capacity_;
  std::size_t held_ = 0;
  bool is_full_ = false;
  Ranked least_{};  // of the highest ones, once they are full: lower keys are no longer among them
};

}  // namespace

void order_keys(std::uint64_t* to, const std::byte* from, std::ptrdiff_t step, std::size_t count, Dtype dtype) {
  switch (item_size(dtype)) {
    case 1: return write_keys<std::uint8_t>(to, from, step, count, dtype);
    case 2: return write_keys<std::uint16_t>(to, from, step, count, dtype);
    case 4:
      if (step == sizeof(std::uint32_t)) return write_dense_keys(to, from, count, dtype);
      return write_keys<std::uint32_t>(to, from, step, count, dtype);
    default: return write_keys<std::uint64_t>(to, from, step, count, dtype);
  }
}

Status sort(std::int64_t* numbers, std::size_t count, const Order& order) {
  make_heap(numbers, count, order);
  sort_heap(numbers, count, order);
  return order.stop == nullptr ? Status() : *order.stop;
}

Status rank(std::span<Ranked> items, Ranked* scratch) {
  constexpr std::size_t few = 32;
  if (items.size() <= few) {
    for (std::size_t i = 1; i < items.size(); ++i) insert(items.data(), i, items[i]);
    return {};
  }
  std::uint64_t differing = 0;
  for (const Ranked& item : items) differing |= item.key ^ items[0].key;
  Ranked* from = items.data();
  for (unsigned shift = 0; shift < 64; shift += 8) {
    if ((differing >> shift & 255U) == 0) continue;
    BROADLOOM_CHECK(Watch::check(steps_of_ranking * static_cast<double>(items.size())));
    sort_by_byte(scratch, {from, items.size()}, shift);
    std::swap(from, scratch);
  }
  if (from != items.data()) std::copy_n(from, items.size(), items.data());
  return {};
}

std::size_t room_of_highest(std::size_t count, std::size_t size) { return 2 * Highest::capacity(count, size); }

namespace {

// The number of keys that are written at a time.
constexpr std::size_t block = 256;

// Calls `Status use(first, length)` for each block of a row.
template <class Use>
Status for_blocks(const NumberRow& row, Use use) {
  for (std::size_t first = 0; first < row.size; first += block) {
    const std::size_t length = std::min(block, row.size - first);
    BROADLOOM_CHECK(Watch::check(4 * static_cast<double>(length)));
    BROADLOOM_CHECK(use(first, length));
  }
  return {};
}

// Calls `Status use({key, index})` for each number of a block.
template <class Use>
Status for_items(const NumberRow& row, std::size_t first, std::size_t length, bool is_lowest, Use use) {
  const std::uint64_t turned = is_lowest ? UINT64_MAX : 0;
  std::uint64_t keys[block];
  order_keys(keys, row.from + static_cast<std::ptrdiff_t>(first) * row.step, row.step, length, row.dtype);
  for (std::size_t i = 0; i < length; ++i) {
    BROADLOOM_CHECK(use(Ranked{keys[i] ^ turned, static_cast<std::int64_t>(first + i)}));
  }
  return {};
}

// Whether any float of a group can be among the highest ones, by a comparison with the least of these. NaNs can. In a long row
// few groups have one: 50 of 50,257 take 0.4 of the time.
constexpr std::size_t group = 4 * lanes_of<float>;
bool is_any_beyond(const std::byte* from, const std::byte* least, bool is_lowest) {
  const auto limit = as<Lanes<float>>(splat<sizeof(float)>(least));
  Lanes<std::uint32_t> beyond{};
  for (std::size_t i = 0; i < group; i += lanes_of<float>) {
    const auto numbers = load_lanes<float>(from + i * sizeof(float));
    beyond |= as<Lanes<std::uint32_t>>(is_lowest ? ~(numbers >= limit) : ~(numbers <= limit));
  }
  return any(beyond);
}

}  // namespace

Status find_highest(Ranked* found, std::size_t count, const NumberRow& row, bool is_lowest) {
  // Floats side by side are skipped in groups where few can be among the highest. (100 of 1,000 would take 1.15 times as long.)
  const bool can_skip = row.dtype == Dtype::float32 && row.step == sizeof(float) && row.size / 16 >= count;
  if (count == 1 && (!can_skip || row.size < block)) {
    // Without branches that numbers decide: rows of 21 take 0.6 of the time.
    Ranked best{};
    BROADLOOM_CHECK(for_blocks(row, [&](std::size_t first, std::size_t length) {
      return for_items(row, first, length, is_lowest, [&](const Ranked& item) {
        best.index = item.key > best.key ? item.index : best.index;
        best.key = std::max(best.key, item.key);
        return Status();
      });
    }));
    *found = best;
    return {};
  }
  Highest highest(found, count, row.size);
  const auto add = [&](std::size_t first, std::size_t length) {
    return for_items(row, first, length, is_lowest, [&](const Ranked& item) { return highest.add(item); });
  };
  const Status read = for_blocks(row, [&](std::size_t first, std::size_t length) -> Status {
    if (!can_skip || !highest.is_full()) return add(first, length);
    const auto place = [&](std::size_t index) { return row.from + index * sizeof(float); };
    for (std::size_t end = first + length; first < end; first += group) {
      const std::byte* const least = place(in_memory(highest.index_of_least()));
      if (end - first < group) return add(first, end - first);
      if (is_any_beyond(place(first), least, is_lowest)) BROADLOOM_CHECK(add(first, group));
    }
    return Status();
  });
  return read ? highest.settle() : read;
}

}  // namespace broadloom
