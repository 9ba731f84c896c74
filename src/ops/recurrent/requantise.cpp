#include "ops/recurrent/requantise.h"

#include <algorithm>

#include "kernels/elementwise/program.h"
#include "kernels/elementwise/quantize.h"
#include "kernels/reduce/reduce.h"

namespace broadloom {

Status Requantised::add(const std::byte* from, std::size_t rows, std::size_t columns, std::size_t width) {
  const auto size = [](std::size_t count) { return static_cast<std::int64_t>(count); };
  const Layout layout{Dims{size(rows), size(columns)}, {size(width), 1}};
  float bound;
  BROADLOOM_CHECK(reduce({Operation::minimum}, Dtype::float32, reinterpret_cast<std::byte*>(&bound), from, {}, layout));
  least_ = std::min(least_, bound);
  BROADLOOM_CHECK(reduce({Operation::maximum}, Dtype::float32, reinterpret_cast<std::byte*>(&bound), from, {}, layout));
  greatest_ = std::max(greatest_, bound);
  return {};
}

Status Requantised::write(std::byte* to, const std::byte* from, std::size_t count) const {
  const DynamicLevels levels = dynamic_levels(least_, greatest_);
  Program program;
  const Program::Value x = program.operand(Dtype::float32, from, dense_layout({static_cast<std::int64_t>(count)}));
  const auto constant = [&](float number) { return program.constant(static_cast<double>(number), x); };
  const Program::Value operands[] = {x, constant(levels.scale), constant(-levels.zero), constant(255 - levels.zero),
                                     constant(levels.scale)};
  return program.run(program.apply(quantize_and_dequantize, Dtype::float32, operands), to, count);
}

}  // namespace broadloom
