#include "kernels/movement/copy.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernels/base/simd.h"

namespace broadloom {
namespace {

template <class Word>
void copy_ends(std::byte* to, const std::byte* from, std::size_t bytes) {
  const std::size_t last = bytes - sizeof(Word);
  Word first_word;
  Word last_word;
  std::memcpy(&first_word, from, sizeof(Word));
  std::memcpy(&last_word, from + last, sizeof(Word));
  std::memcpy(to, &first_word, sizeof(Word));
  std::memcpy(to + last, &last_word, sizeof(Word));
}

}  // namespace

void copy_vectors(std::byte* to, const std::byte* from, std::size_t bytes) {
  const std::size_t last = bytes - vector_bytes;
  store(to, load(from));
  // All other stores but the last are aligned: at other addresses they have 0.7 of the speed.
  std::size_t i = vector_bytes - reinterpret_cast<std::uintptr_t>(to) % vector_bytes;
  for (; i + 3 * vector_bytes < last; i += 4 * vector_bytes) {
    store(to + i, load(from + i));
    store(to + i + vector_bytes, load(from + i + vector_bytes));
    store(to + i + 2 * vector_bytes, load(from + i + 2 * vector_bytes));
    store(to + i + 3 * vector_bytes, load(from + i + 3 * vector_bytes));
  }
  for (; i < last; i += vector_bytes) store(to + i, load(from + i));
  store(to + last, load(from + last));
}

void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes >= few_bytes) {
    std::memcpy(to, from, bytes);
  } else if (bytes >= vector_bytes) {
    copy_vectors(to, from, bytes);
  } else if (bytes >= 8) {
    // Two words. The last one overlaps the first; the same below.
    copy_ends<std::uint64_t>(to, from, bytes);
  } else if (bytes >= 4) {
    copy_ends<std::uint32_t>(to, from, bytes);
  } else {
    for (std::size_t i = 0; i < bytes; ++i) to[i] = from[i];
  }
}

void repeat_block(std::byte* to, std::size_t block_bytes, std::size_t bytes) {
  std::size_t written = block_bytes;
  while (written < bytes && 2 * written <= cached_block) {
    const std::size_t more = std::min(written, bytes - written);
    copy_bytes(to + written, to, more);
    written += more;
  }
  const std::size_t block = written;
  for (; written < bytes; written += block) {
    const std::size_t more = std::min(block, bytes - written);
    if (bytes > cached_result && more >= vector_bytes) {
      copy_vectors(to + written, to, more);
    } else {
      copy_bytes(to + written, to, more);
    }
  }
}

void gather(std::byte* to, const std::byte* from, std::ptrdiff_t stride_bytes, std::size_t item_size, std::size_t count) {
  with_item_size(item_size, [&]<std::size_t size>() {
    std::size_t i = 0;
    if constexpr (size < vector_bytes) {
      constexpr std::size_t step = vector_bytes / size;
      // The loop stops before the last item: memory after it may not be allocated.
      for (; stride_bytes == 2 * size && i + step < count; i += step) {
        const std::byte* pairs = from + 2 * i * size;
        store(to + i * size, first_halves<2 * size>(load(pairs), load(pairs + vector_bytes)));
      }
    }
    for (; i < count; ++i) std::memcpy(to + i * size, from + static_cast<std::ptrdiff_t>(i) * stride_bytes, size);
  });
}

void copy_rows(std::byte* to, std::size_t to_pitch, const std::byte* from, std::size_t from_pitch, std::size_t row_bytes,
               std::size_t rows) {
  if (is_item(row_bytes)) {
    with_item_size(row_bytes, [&]<std::size_t size>() {
      for (std::size_t i = 0; i < rows; ++i) std::memcpy(to + i * to_pitch, from + i * from_pitch, size);
    });
  } else {
    for (std::size_t i = 0; i < rows; ++i) copy_bytes(to + i * to_pitch, from + i * from_pitch, row_bytes);
  }
}

}  // namespace broadloom
