// Random elements.
#include <algorithm>

#include "ops/foreign/foreign.h"

namespace broadloom {

using namespace foreign;

namespace {

constexpr TypeSource dtype_or_like_input[] = {like(0).unless("dtype")};
constexpr TypeSource dtype_or_int32[] = {of(int32).unless("dtype")};
constexpr TypeSource dtype_or_float32[] = {of(float32).unless("dtype")};

void random(Call& call) {
  const IntegerList shape = list(call, "shape");
  if (shape.has_length) set(call, 0, shape.values);
}

void samples(Call& call) { set(call, 0, {size_of(call, 0, 0), integer(call, "sample_size", 1)}); }

}  // namespace

BROADLOOM_OPERATOR(op::ruled, bernoulli) = onnx_operator("Bernoulli", prepare_like_input, dtype_or_like_input,
                                                         {.is_random = true});
BROADLOOM_OPERATOR(op::ruled, multinomial) = onnx_operator("Multinomial", by<samples>, dtype_or_int32, {.is_random = true});
BROADLOOM_OPERATOR(op::ruled, random_normal) = onnx_operator("RandomNormal", by<random>, dtype_or_float32, {.is_random = true});
BROADLOOM_OPERATOR(op::ruled, random_normal_like) = onnx_operator("RandomNormalLike", prepare_like_input, dtype_or_like_input,
                                                                  {.is_random = true});
BROADLOOM_OPERATOR(op::ruled, random_uniform) = onnx_operator("RandomUniform", by<random>, dtype_or_float32,
                                                              {.is_random = true});
BROADLOOM_OPERATOR(op::ruled, random_uniform_like) = onnx_operator("RandomUniformLike", prepare_like_input, dtype_or_like_input,
                                                                   {.is_random = true});

}  // namespace broadloom
