// Measures the fixed cost of a call: small calls as JavaScript makes them, through the page (bindings/frame.h;
// js/src/calls/call.ts writes the same frames). Run it under callgrind to count the instructions of each function.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "functions.h"

namespace broadloom::bench {
namespace {

constexpr int float32 = 1;  // TensorProto.DataType
constexpr int opset = 25;
constexpr int tensor_kind = 3;  // Kind in bindings/attributes.cpp
constexpr int outputs = 0;      // Wanted in bindings/operator_exports.cpp

// A power of ten, so that the instructions of a call are those of a run with the decimal point moved.
constexpr benchmark::IterationCount calls = 100000;

using Numbers = std::vector<double>;

// The address that a function returned. A negative one means an error.
double* words_at(double address) {
  if (address >= 0) return reinterpret_cast<double*>(static_cast<std::uintptr_t>(address));
  std::fputs("a call failed\n", stderr);
  std::abort();
}

double* page() {
  static double* const words = words_at(reservePage(0));
  return words;
}

// Writes a frame. It is short, so that the page has room.
class Frame {
 public:
  Frame& number(double value) {
    *at_++ = value;
    return *this;
  }
  Frame& list(const Numbers& values) {
    number(static_cast<double>(values.size()));
    for (const double value : values) number(value);
    return *this;
  }
  Frame& string(std::string_view text) {
    number(static_cast<double>(text.size()));
    std::memcpy(at_, text.data(), text.size());
    at_ += (text.size() + 7) / 8;
    return *this;
  }

 private:
  double* at_ = page();
};

// Reads the page of a result: the number of tensors, then the handle of the first.
double first_tensor() { return page()[1]; }

double make_tensor(const Numbers& dims, const Numbers& values) {
  Frame().list(dims).list(values);
  words_at(encodeTensor(float32));
  return first_tensor();
}

int find_operator(std::string_view name) {
  Frame().string(name);
  const double number = findOperator();
  if (number < 0) words_at(number);
  return static_cast<int>(number);
}

// Repeats a call: writes its frame with `write`, runs the operator, reads the result's bytes, and disposes of the result.
template <class Write>
void measure_calls(benchmark::State& state, std::string_view name, Write write) {
  const int number = find_operator(name);
  for (auto _ : state) {
    write();
    words_at(callOperator(number, opset, outputs));
    const double result = first_tensor();
    benchmark::DoNotOptimize(words_at(tensorData(result)));
    disposeTensor(result);
  }
  state.SetItemsProcessed(state.iterations());
}

// In both, the shape is an input given as a list: -1, then its numbers.

void SmallExpand(benchmark::State& state) {
  const double input = make_tensor({3, 1}, {1, 2, 3});
  const Numbers shape{2, 1, 6};
  measure_calls(state, "Expand", [&] { Frame().number(2).number(input).number(-1).list(shape).number(0); });
  disposeTensor(input);
}
BENCHMARK(SmallExpand)->Name("SmallCall/Expand:3x1->2x3x6")->Iterations(calls);

void SmallConstantOfShape(benchmark::State& state) {
  const double value = make_tensor({1}, {1.5});
  const Numbers shape{4, 3, 2};
  measure_calls(state, "ConstantOfShape",
                [&] { Frame().number(1).number(-1).list(shape).number(1).string("value").number(tensor_kind).number(value); });
  disposeTensor(value);
}
BENCHMARK(SmallConstantOfShape)->Name("SmallCall/ConstantOfShape:4x3x2")->Iterations(calls);

}  // namespace
}  // namespace broadloom::bench
