#include "kernels/order.h"

#include <utility>

#include "core/bits.h"

namespace broadloom {
namespace {

// Of floating-point types: the bits of infinity, above which are those of NaNs.
std::uint64_t infinity_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::float16: return 0x7C00;
    case Dtype::bfloat16: return 0x7F80;
    case Dtype::float32: return 0x7F800000;
    case Dtype::float64: return 0x7FF0000000000000;
    default: return 0;
  }
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

void make_heap(std::int64_t* numbers, std::size_t count, const Order& order) {
  for (std::size_t i = count / 2; i-- > 0;) sink(numbers, i, count, order);
}

void sort_heap(std::int64_t* heap, std::size_t count, const Order& order) {
  while (count > 1) {
    std::swap(heap[0], heap[--count]);
    sink(heap, 0, count, order);
  }
}

bool is_higher(const void* context, std::int64_t a, std::int64_t b) {
  const auto* keys = static_cast<const std::uint64_t*>(context);
  return keys[a] > keys[b] || (keys[a] == keys[b] && a < b);
}

}  // namespace

void order_keys(std::uint64_t* to, const std::byte* from, std::ptrdiff_t step, std::size_t count, Dtype dtype) {
  const DtypeInfo& type = info(dtype);
  const std::uint64_t infinity = infinity_of(dtype);
  const std::uint64_t sign = std::uint64_t{1} << (static_cast<unsigned>(type.bits) - 1U);
  // Signed numbers are in order when their sign bit is turned, floating-point ones if, of negative ones, all others are, too.
  const std::uint64_t turned = infinity != 0 || type.kind == DtypeKind::signed_integer ? sign : 0;
  const std::size_t size = item_size(dtype);
  for (std::size_t i = 0; i < count; ++i, from += step) {
    std::uint64_t bits = load_bits(from, size);
    if (infinity != 0) {
      const std::uint64_t magnitude = bits & (sign - 1);
      if (magnitude == 0 || magnitude > infinity) bits = magnitude == 0 ? 0 : sign - 1;
      if ((bits & sign) != 0) bits ^= sign - 1;
    }
    to[i] = bits ^ turned;
  }
}

void sort(std::int64_t* numbers, std::size_t count, const Order& order) {
  make_heap(numbers, count, order);
  sort_heap(numbers, count, order);
}

void find_highest(std::int64_t* numbers, std::size_t count, std::span<const std::uint64_t> keys) {
  const Order order{is_higher, keys.data()};
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<std::int64_t>(i);
  make_heap(numbers, count, order);
  for (std::size_t i = count; i < keys.size(); ++i) {
    if (keys[i] <= keys[static_cast<std::size_t>(numbers[0])]) continue;
    numbers[0] = static_cast<std::int64_t>(i);
    sink(numbers, 0, count, order);
  }
  sort_heap(numbers, count, order);
}

}  // namespace broadloom
