#include "ops/normalise/normalize.h"

#include <cmath>

#include "core/text.h"
#include "kernels/elementwise/convert.h"
#include "ops/call/dense.h"

namespace broadloom {
namespace {

using Value = Program::Value;

constexpr std::size_t mean = 0;
constexpr std::size_t factor = 1;  // of elements: 1 / norm

// Replaces each group's norm by its reciprocal.
void invert(const RowTiles& tiles, const Normalization& how) {
  tiles.change(factor, [&](auto norm) {
    const auto small = static_cast<decltype(norm)>(how.epsilon);
    if (!how.is_root_first) norm += small;
    if (how.has_root) norm = std::sqrt(norm);
    if (how.is_root_first) norm += small;
    return 1 / norm;
  });
}

Status set_statistics(const RowTiles& tiles, const Normalization& how) {
  Reduction norm = how.norm;
  if (how.has_mean) {
    BROADLOOM_CHECK(tiles.reduce(mean, {Operation::add, Reduction::Before::nothing, Reduction::After::mean}));
    norm.shifts = tiles.statistic(mean);
  } else {
    tiles.change(mean, [](auto value) { return decltype(value){0}; });
  }
  BROADLOOM_CHECK(tiles.reduce(factor, norm));
  invert(tiles, how);
  return {};
}

// The steps of a tile's elements.
class Steps {
 public:
  Steps(const RowTiles& tiles, Dtype dtype) : tiles_(tiles), dtype_(dtype), value_(tiles.elements(program_, dtype)) {}

  void add_statistic(Operation operation, std::size_t statistic) {
    value_ = program_.apply(operation, value_, tiles_.statistic(program_, statistic, dtype_));
  }
  void add(Operation operation, const Parameters& parameters) {
    const Tensor& tensor = parameters.tensor;
    if (!tensor.has_elements()) return;
    LayoutRef layout(SymbolicDims{tiles_.layout().dims[0], parameters.length, parameters.each});
    layout.edit().strides = {parameters.step, 1, 0};
    const std::byte* first =
        tensor.data() + tiles_.first() * parameters.step * static_cast<std::int64_t>(item_size(tensor.dtype));
    const Value operand = converted(program_, program_.operand(tensor.dtype, first, std::move(layout)), dtype_);
    value_ = program_.apply(operation, value_, operand);
  }
  Status run(Tensor& output) {
    return program_.run(converted(program_, value_, output.dtype), tiles_.place_in(output), tiles_.count());
  }

 private:
  const RowTiles& tiles_;
  Dtype dtype_;
  Program program_;
  Value value_;
};

// Writes the statistics of a tile to an output, if it is requested.
void store(const RowTiles& tiles, Call& call, std::size_t output, std::size_t statistic) {
  if (output >= call.outputs.size()) return;
  Tensor& tensor = call.outputs[output];
  std::byte* to = tensor.data() + tiles.groups_before() * item_size(tensor.dtype);
  convert(to, tensor.dtype, tiles.statistic(statistic), tiles.statistics_type(), tiles.groups());
}

}  // namespace

Normalization::~Normalization() = default;

Status take(Parameters& to, const Tensor& tensor, std::int64_t length, std::int64_t each, std::int64_t step) {
  BROADLOOM_TRY(dense, densify(tensor));
  to.tensor = std::move(dense);
  to.length = length;
  to.each = each;
  to.step = step;
  return {};
}

Status normalize(Call& call, const Dims& dims, const AxisSet& reduced, const Normalization& how) {
  BROADLOOM_TRY(input, densify(*call.inputs[0]));
  Tensor& output = call.outputs[0];
  RowTiles tiles(input, dims, reduced);
  if (how.has_norm) BROADLOOM_CHECK(tiles.allocate(2));
  while (tiles.next()) {
    Steps steps(tiles, accumulate_type_of(output.dtype).dtype);
    if (how.has_norm) {
      BROADLOOM_CHECK(set_statistics(tiles, how));
      if (how.has_mean) steps.add_statistic(Operation::subtract, mean);
      steps.add_statistic(Operation::multiply, factor);
      store(tiles, call, 1, how.has_factor_alone ? factor : mean);
      store(tiles, call, 2, factor);
    }
    steps.add(Operation::subtract, how.shift);
    steps.add(Operation::multiply, how.scale);
    steps.add(Operation::add, how.bias);
    BROADLOOM_CHECK(steps.run(output));
  }
  return {};
}

}  // namespace broadloom
