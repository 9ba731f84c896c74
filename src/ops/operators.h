// The list of operators.
#pragma once

#include <span>
#include <string_view>

#include "ops/operator.h"

namespace broadloom {

// Named as ONNX names them.
namespace op {

<<<<<<< HEAD
extern const Operator compress;
=======
extern const Operator cast;
extern const Operator cast_like;
extern const Operator center_crop_pad;
>>>>>>> m/o-shape
extern const Operator concat;
extern const Operator constant;
extern const Operator constant_of_shape;
extern const Operator depth_to_space;
extern const Operator expand;
extern const Operator eye_like;
extern const Operator flatten;
extern const Operator gather;
extern const Operator gather_elements;
extern const Operator gather_nd;
extern const Operator identity;
<<<<<<< HEAD
extern const Operator non_zero;
extern const Operator one_hot;
extern const Operator reshape;
extern const Operator scatter;
extern const Operator scatter_elements;
extern const Operator scatter_nd;
=======
extern const Operator pad;
extern const Operator range;
extern const Operator reshape;
extern const Operator reverse_sequence;
>>>>>>> m/o-shape
extern const Operator shape;
extern const Operator size;
extern const Operator slice;
extern const Operator space_to_depth;
extern const Operator split;
extern const Operator squeeze;
<<<<<<< HEAD
extern const Operator top_k;
extern const Operator transpose;
extern const Operator unique;
=======
extern const Operator tile;
extern const Operator transpose;
extern const Operator trilu;
>>>>>>> m/o-shape
extern const Operator unsqueeze;
extern const Operator where;

}  // namespace op

// All operators of the default domain, in alphabetical order.
std::span<const Operator* const> all_operators();

// The operator of this name in the default domain, or nullptr.
const Operator* find_operator(std::string_view name);

}  // namespace broadloom
