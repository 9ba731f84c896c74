// Changes models as protobuf messages: fields are erased, repeated, moved, copied from another model and altered, and the
// lengths around them fit again. A fuzzer that changes bytes alone breaks lengths, and so seldom gets beyond the reader.
#pragma once

#include <cstddef>
#include <cstdint>

namespace broadloom::fuzz {

// The model starts after the first `header` bytes, which change as libFuzzer changes bytes.
std::size_t mutate_model(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed, std::size_t header);
std::size_t cross_models(const std::uint8_t* first, std::size_t first_size, const std::uint8_t* second, std::size_t second_size,
                         std::uint8_t* to, std::size_t most, unsigned seed, std::size_t header);

}  // namespace broadloom::fuzz

#if defined(__EMSCRIPTEN__)
#define BROADLOOM_FUZZ_MODELS(header) static_assert(true)
#else
#define BROADLOOM_FUZZ_MODELS(header)                                                                                     \
  extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) { \
    return ::broadloom::fuzz::mutate_model(data, size, most, seed, header);                                               \
  }                                                                                                                       \
  extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,                     \
                                                   const std::uint8_t* second, std::size_t second_size, std::uint8_t* to, \
                                                   std::size_t most, unsigned seed) {                                     \
    return ::broadloom::fuzz::cross_models(first, first_size, second, second_size, to, most, seed, header);               \
  }                                                                                                                       \
  static_assert(true)
#endif
