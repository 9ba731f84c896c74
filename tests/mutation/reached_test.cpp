// Writes the faults whose code a test ran, after each test, to the file that BROADLOOM_REACHED names.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "faults.h"

namespace broadloom::faults {
namespace {

class Listener : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo&) override {
    for (volatile unsigned char& one : reached) one = 0;
  }
  void OnTestEnd(const testing::TestInfo& test) override {
    const char* path = std::getenv("BROADLOOM_REACHED");
    if (path == nullptr) return;
    std::FILE* file = std::fopen(path, "a");
    if (file == nullptr) std::abort();
    std::fprintf(file, "%s.%s", test.test_suite_name(), test.name());
    for (int i = 0; i < most; ++i) {
      if (reached[i] != 0) std::fprintf(file, " %d", i);
    }
    std::fprintf(file, "\n");
    std::fclose(file);
  }
};

[[maybe_unused]] const bool is_listening = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new Listener);
  return true;
}();

}  // namespace
}  // namespace broadloom::faults
