// Runs of any model with small feeds and bounded work.
#pragma once

#include <map>

#include "core/limits.h"
#include "fuzz/outcomes.h"
#include "support/random.h"

namespace broadloom::fuzz {

// A number that follows from the bytes, so that a file is always run in the same way.
inline std::uint64_t number_of(std::string_view bytes) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3U;
  return hash;
}

// Small numbers, now and then with the special ones of the type.
inline Tensor random_elements(Dtype dtype, const test::List& dims, test::Random& random) {
  Tensor tensor = test::zeros(dtype, test::dims_of(dims));
  const std::int64_t count = tensor.count();
  if (dtype == Dtype::string) {
    std::vector<std::string> texts(static_cast<std::size_t>(count));
    for (std::string& text : texts) text = random.one_in(3) ? "" : std::string(1, static_cast<char>(random.between('a', 'e')));
    return test::strings(test::dims_of(dims), texts);
  }
  const DtypeKind kind = info(dtype).kind;
  const bool is_positive = kind == DtypeKind::unsigned_integer || kind == DtypeKind::boolean || dtype == Dtype::float8e8m0;
  const std::int64_t most = kind == DtypeKind::boolean || info(dtype).bits < 4 ? 1 : 3;
  test::Numbers numbers(static_cast<std::size_t>(count) * (kind == DtypeKind::complex ? 2 : 1));
  for (double& number : numbers) {
    number = static_cast<double>(random.between(is_positive ? 0 : -std::min<std::int64_t>(most, 2), most));
    if (dtype == Dtype::float8e8m0) number = std::exp2(number);
    if (kind == DtypeKind::real_float && random.one_in(8)) number = number / 3;
    if (kind == DtypeKind::real_float && random.one_in(64)) number = number > 0 ? HUGE_VAL : std::nan("");
  }
  test::must(encode(dtype, numbers, tensor.data()));
  return tensor;
}

// Whether inputs with a default are fed, too. Simplification takes their defaults for constants.
enum class Defaults : std::uint8_t { stay, are_fed_now_and_then };

// A feed for every input that a tensor can be fed to: with the declared dims where they are small.
inline test::Feeds random_feeds(const Model& model, test::Random& random, Defaults defaults) {
  test::Feeds feeds;
  std::map<std::string_view, std::int64_t> sizes;
  for (const GraphInput& input : model.graph->inputs) {
    if (feeds.size() > 64) break;
    if (!input.info.is_tensor()) continue;
    if (input.initializer != nullptr && (defaults == Defaults::stay || random.one_in(2))) continue;
    test::List dims;
    std::int64_t count = 1;
    for (const Dimension& dim : input.info.dims) {
      if (dims.size() == 8) break;
      std::int64_t size = dim.value;
      if (size < 0 && dim.symbol >= 0) {
        const auto [place, is_new] = sizes.try_emplace(dim.name, 0);
        if (is_new) place->second = random.between(random.one_in(8) ? 0 : 1, 4);
        size = place->second;
      }
      if (size < 0) size = random.between(1, 3);
      if (size > 4096 / std::max<std::int64_t>(count, 1)) size = 1;  // the run says that it does not fit
      count *= size;
      dims.push_back(size);
    }
    const Dtype dtype = input.info.dtype == Dtype::undefined ? Dtype::float32 : input.info.dtype;
    feeds.emplace_back(input.info.name, random_elements(dtype, dims, random));
  }
  return feeds;
}

struct Outcome {
  std::vector<Tensor> outputs;
  std::string error;
  bool is_too_large = false;  // for the limits of targets (target.cpp), or for the memory
};

inline Outcome outcome_of(ModelRun& runs, const test::Feeds& feeds, const ModelRun::Options& options) {
  Outcome outcome;
  Watch::start();
  auto outputs = runs.run(test::list_of(feeds), options);
  if (outputs) {
    outcome.outputs = std::move(*outputs);
  } else {
    outcome.error = test::error_text(outputs);
    outcome.is_too_large = is_about_size(expect_proper_error(outputs));
  }
  return outcome;
}

// Expects equal results or equal errors. Errors about size may differ: two runs may need different memory and work.
inline void expect_same(const Outcome& a, const Outcome& b) {
  if (a.is_too_large || b.is_too_large) return;
  ASSERT_EQ(a.error, b.error);
  if (a.error.empty()) expect_same(a.outputs, b.outputs);
}

}  // namespace broadloom::fuzz
