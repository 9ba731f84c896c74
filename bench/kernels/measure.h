// Shared by the kernels' benchmarks: sizes, source bytes and the timing loop.
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace broadloom::bench {

using Numbers = std::vector<std::int64_t>;

inline const Numbers item_sizes{1, 2, 4, 8, 16};
inline const Numbers sizes{4 << 10, 64 << 10, 1 << 20, 16 << 20};

// The benchmark's argument of that index, as a size.
inline std::size_t size_arg(const benchmark::State& state, std::size_t number) {
  return static_cast<std::size_t>(state.range(number));
}

// `size` divided by `unit`, rounded up.
constexpr std::size_t units_in(std::size_t size, std::size_t unit) { return (size + unit - 1) / unit; }

// No two neighbours are equal, because kernels have a shorter path for items whose bytes are all equal.
inline std::vector<std::byte> distinct_bytes(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i % 251);
  return bytes;
}

// Times `write(to)`, which writes `bytes` bytes to memory that was written before.
template <class Write>
void measure(benchmark::State& state, std::size_t bytes, Write write) {
  std::vector<std::byte> memory(bytes);
  std::byte* to = memory.data();
  for (auto _ : state) {
    benchmark::DoNotOptimize(to);
    write(to);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

}  // namespace broadloom::bench
