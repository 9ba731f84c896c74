// Reproducible random numbers: the seed is printed, and BROADLOOM_SEED sets it.
#pragma once

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace broadloom::test {

inline std::uint64_t seed() {
  static const std::uint64_t value = [] {
    const char* given = std::getenv("BROADLOOM_SEED");
    const std::uint64_t chosen = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
    std::printf("BROADLOOM_SEED=%" PRIu64 "\n", chosen);
    std::fflush(stdout);  // so that a crash does not lose it
    return chosen;
  }();
  return value;
}

class Random {
 public:
  Random() : engine_(seed()) {}
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // A number from `low` to `high`, both included.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(engine_);
  }
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(between(0, static_cast<std::int64_t>(end) - 1)); }
  bool one_in(int n) { return between(1, n) == 1; }
  double real(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }

 private:
  std::mt19937_64 engine_;
};

inline std::string random_bytes(Random& random, std::size_t count) {
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random.between(-128, 127));
  return bytes;
}

// Numbers from -most to most.
inline std::vector<float> random_floats(Random& random, std::size_t count, double most = 2) {
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(random.real(-most, most));
  return values;
}

}  // namespace broadloom::test
