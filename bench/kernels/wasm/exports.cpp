// The exports for bench/kernels.mjs and bench/functions.mjs: the strided kernel, memory.copy and the loops over elements. Each
// repeats its work, so that the cost of calls from JavaScript is negligible.
#include <cstdlib>
#include <cstring>

#include "kernels/elementwise/loops.h"
#include "kernels/movement/strided.h"

namespace broadloom::bench {

extern "C" {

// Aligned as the elements of tensors are.
[[gnu::used, clang::export_name("allocate")]] void* allocate(std::size_t bytes) {
  return std::aligned_alloc(16, (bytes + 15) / 16 * 16);
}
[[gnu::used, clang::export_name("release")]] void release(void* place) { std::free(place); }

[[gnu::used, clang::export_name("copyBytes")]] void copy_all(std::byte* to, const std::byte* from, std::size_t bytes,
                                                             int times) {
  for (; times > 0; --times) std::memcpy(to, from, bytes);
}

// `axes` holds the dims, then the strides.
[[gnu::used, clang::export_name("materialize")]] void materialize_all(std::byte* to, const std::byte* from,
                                                                      const std::int64_t* axes, std::size_t rank,
                                                                      std::size_t item_size, int times) {
  const Layout layout{Dims(std::span(axes, rank)), Dims(std::span(axes + rank, rank))};
  for (; times > 0; --times) materialize(to, from, layout, item_size);
}

[[gnu::used, clang::export_name("compute")]] void compute_all(int operation, bool in_double, std::byte* to, const std::byte* a,
                                                              const std::byte* b, std::size_t count, int times) {
  const InnerLoop loop = computation_of(static_cast<Operation>(operation), in_double ? Dtype::float64 : Dtype::float32).loop;
  const std::byte* const from[] = {a, b};
  for (; times > 0; --times) loop(to, from, count);
}

}  // extern "C"

}  // namespace broadloom::bench
