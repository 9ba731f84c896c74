// Conversions that models have: halves and quantised elements to float32 and back, and indices. Bytes are those of the result.
#include "kernels/elementwise/convert.h"

#include <string>

#include "../measure.h"

namespace broadloom::bench {
namespace {

struct TypePair {
  Dtype to;
  Dtype from;
};
constexpr TypePair pairs[] = {
    {Dtype::float32, Dtype::float16},  {Dtype::float16, Dtype::float32}, {Dtype::float32, Dtype::bfloat16},
    {Dtype::bfloat16, Dtype::float32}, {Dtype::float32, Dtype::uint8},   {Dtype::int8, Dtype::float32},
    {Dtype::float32, Dtype::int64},    {Dtype::int64, Dtype::float32},   {Dtype::int64, Dtype::int32},
    {Dtype::int32, Dtype::int64},      {Dtype::float64, Dtype::float32}, {Dtype::float32, Dtype::boolean},
};

void convert_items(benchmark::State& state, const TypePair& types) {
  const std::size_t count = size_arg(state, 0);
  // Small numbers, which all of the types have.
  std::vector<std::int32_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<std::int32_t>(i % 2);
  std::vector<std::byte> from(count * item_size(types.from));
  convert(from.data(), types.from, reinterpret_cast<const std::byte*>(numbers.data()), Dtype::int32, count);
  measure(state, count * item_size(types.to), [&](std::byte* to) { convert(to, types.to, from.data(), types.from, count); });
}

const bool registered = [] {
  for (const TypePair& types : pairs) {
    const std::string name =
        std::string("Convert/") + std::string(info(types.from).name) + "->" + std::string(info(types.to).name);
    const auto run = [&types](benchmark::State& state) { convert_items(state, types); };
    benchmark::RegisterBenchmark(name.c_str(), run)->ArgName("items")->Arg(1 << 10)->Arg(1 << 20)->Arg(4 << 20);
  }
  return true;
}();

}  // namespace
}  // namespace broadloom::bench
