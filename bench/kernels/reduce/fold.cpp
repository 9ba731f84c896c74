// Sums of rows, as layer normalisation and softmax have them, and of columns. Bytes are those that are read.
#include "kernels/reduce/fold.h"

#include "../measure.h"

namespace broadloom::bench {
namespace {

std::vector<float> ones(std::size_t count) { return std::vector<float>(count, 1); }

void FoldRows(benchmark::State& state) {
  const std::size_t size = size_arg(state, 0);
  const std::size_t rows = units_in(size_arg(state, 1) / sizeof(float), size);
  const std::vector<float> from = ones(rows * size);
  const Fold fold = fold_of(Operation::add, Dtype::float32);
  measure(state, rows * sizeof(float), [&](std::byte* to) {
    for (std::size_t i = 0; i < rows; ++i)
      fold.all(to + i * sizeof(float), reinterpret_cast<const std::byte*>(from.data() + i * size), size);
  });
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(rows * size * sizeof(float)));
}
BENCHMARK(FoldRows)->ArgNames({"row", "bytes"})->ArgsProduct({{64, 768, 50257}, sizes});

void FoldColumns(benchmark::State& state) {
  const std::size_t rows = size_arg(state, 0);
  const std::size_t columns = size_arg(state, 1);
  const std::vector<float> from = ones(rows * columns);
  std::vector<std::ptrdiff_t> offsets;
  for (std::size_t i = 0; i < rows; ++i) offsets.push_back(static_cast<std::ptrdiff_t>(i * columns * sizeof(float)));
  const Fold fold = fold_of(Operation::add, Dtype::float32);
  measure(state, columns * sizeof(float), [&](std::byte* to) {
    fold.columns(to, reinterpret_cast<const std::byte*>(from.data()), offsets.data(), rows, columns);
  });
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(rows * columns * sizeof(float)));
}
BENCHMARK(FoldColumns)->ArgNames({"rows", "columns"})->ArgsProduct({{49, 196, 1000}, {64, 512}});

}  // namespace
}  // namespace broadloom::bench
