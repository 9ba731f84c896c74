// The limit: memset over as many bytes.
#include <cstring>

#include "measure.h"

namespace broadloom::bench {
namespace {

void Limit(benchmark::State& state) {
  const std::size_t bytes = size_arg(state, 0);
  measure(state, bytes, [&](std::byte* to) { std::memset(to, 1, bytes); });
}
BENCHMARK(Limit)->ArgName("bytes")->ArgsProduct({sizes});

}  // namespace
}  // namespace broadloom::bench
