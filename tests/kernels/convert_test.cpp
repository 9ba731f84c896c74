#include "kernels/convert.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/random.h"

namespace broadloom {
namespace {

using Bytes = std::vector<std::byte>;

std::vector<Dtype> types_of_bytes() {
  std::vector<Dtype> types;
  for (int id = 1; id <= dtype_count; ++id) {
    const auto dtype = static_cast<Dtype>(id);
    const DtypeInfo& type = info(dtype);
    if (type.kind != DtypeKind::string && type.kind != DtypeKind::complex && type.bits >= 8) types.push_back(dtype);
  }
  return types;
}

// Elements of any bits, which for bools are 0 and 1.
Bytes elements_of(Dtype dtype, std::size_t count) {
  test::Random random;
  Bytes bytes(count * item_size(dtype));
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.between(0, dtype == Dtype::boolean ? 1 : 255));
  return bytes;
}

TEST(Convert, GivesOfManyElementsWhatItGivesOfEachAlone) {
  for (const std::size_t count : {1U, 15U, 16U, 40U, 256U, 257U, 600U}) {
    for (const Dtype from : types_of_bytes()) {
      const Bytes elements = elements_of(from, count);
      for (const Dtype to : types_of_bytes()) {
        Bytes together(count * item_size(to) + 1, std::byte{0x5A});
        convert(together.data(), to, elements.data(), from, count);
        Bytes alone(together.size(), std::byte{0x5A});
        for (std::size_t i = 0; i < count; ++i) {
          convert(alone.data() + i * item_size(to), to, elements.data() + i * item_size(from), from, 1);
        }
        EXPECT_EQ(together, alone) << count << " of " << info(from).name << " to " << info(to).name;
      }
    }
  }
}

}  // namespace
}  // namespace broadloom
