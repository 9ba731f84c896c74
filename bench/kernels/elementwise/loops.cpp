// Loops over float32: those of activations and of sums of two operands.
#include "kernels/elementwise/loops.h"

#include <string>

#include "../measure.h"

namespace broadloom::bench {
namespace {

struct NamedOperation {
  const char* name;
  Operation operation;
};
constexpr NamedOperation operations[] = {
    {"add", Operation::add},         {"multiply", Operation::multiply}, {"divide", Operation::divide},
    {"maximum", Operation::maximum}, {"sqrt", Operation::square_root},  {"exp", Operation::exp},
    {"log", Operation::log},         {"sigmoid", Operation::sigmoid},   {"tanh", Operation::tanh},
    {"erf", Operation::erf},         {"sin", Operation::sin},           {"power", Operation::power},
};

void run_loop(benchmark::State& state, Operation operation) {
  const std::size_t bytes = size_arg(state, 0);
  const std::size_t count = bytes / sizeof(float);
  std::vector<float> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<float>(i % 251 + 1) / 64;
  const auto* const from = reinterpret_cast<const std::byte*>(numbers.data());
  const std::byte* const operands[] = {from, from};
  const InnerLoop loop = computation_of(operation, Dtype::float32).loop;
  measure(state, bytes, [&](std::byte* to) { loop(to, operands, count); });
}

const bool registered = [] {
  for (const auto& [name, operation] : operations) {
    const Operation its_operation = operation;
    const auto run = [its_operation](benchmark::State& state) { run_loop(state, its_operation); };
    benchmark::RegisterBenchmark((std::string("Loop/") + name).c_str(), run)->ArgName("bytes")->ArgsProduct({sizes});
  }
  return true;
}();

}  // namespace
}  // namespace broadloom::bench
