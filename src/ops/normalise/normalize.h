// Shared by normalisations: subtract a mean, divide by a standard deviation or another norm, then often scale and shift.
//
// Computations are in float32, or in float64 if the result is, and are rounded once. By the texts, float16 is also rounded
// before scaling, and `stash_type` may request float32 for float64 elements. Here it only determines the type of statistics
// that are outputs.
#pragma once

#include "ops/dims/like.h"
#include "ops/row_tiles.h"
#include "ops/type_sets.h"

namespace broadloom {

// A parameter: in each unit of the tiles' first axis, each of `length` values applies to `each` elements.
struct Parameters {
  Tensor tensor;  // dense; without elements if there is no parameter
  std::int64_t length = 0;
  std::int64_t each = 1;
  std::int64_t step = 0;  // from one unit's values to the next unit's
};

struct Normalization {
  ~Normalization();

  // Statistics: whether there is a norm, whether the mean is subtracted, and how the norm is computed: the reduction of a
  // group, whether its root is taken, and a number that is added before or after the root, to avoid a division by 0.
  bool has_norm = true;
  bool has_mean = true;
  bool has_root = true;
  bool is_root_first = false;
  Reduction norm = {Operation::add, Reduction::Before::square, Reduction::After::mean};
  double epsilon = 0;

  bool has_factor_alone = false;  // as the second output

  Parameters shift = {};  // is subtracted
  Parameters scale = {};
  Parameters bias = {};
};

// Takes a tensor's elements as parameters.
Status take(Parameters& to, const Tensor& tensor, std::int64_t length, std::int64_t each, std::int64_t step = 0);

inline constexpr Kernels normalize_kernels =
    loops(Operation::add, Operation::subtract, Operation::multiply, Operation::divide) | folds(Operation::add);

// Writes the normalised elements of the call's first input to its first output. Further outputs are the mean of each
// group (0 if it is not subtracted), and its factor.
Status normalize(Call& call, const Dims& dims, const AxisSet& reduced, const Normalization& how);

inline constexpr AttributeSpec epsilon_attribute = with_default("epsilon", AttributeType::FLOAT, 1e-5F);

}  // namespace broadloom
