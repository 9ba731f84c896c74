// The operators that other code than their own file names: passes, the readers of files, and operators that call others.
#pragma once

#include "ops/call/operator.h"

namespace broadloom::op {

extern const Operator add, average_pool, batch_normalization, cast, cast_like, concat, constant, constant_of_shape, conv,
    conv_transpose, dequantize_linear, div, dropout, dynamic_quantize_linear, expand, gather, gemm, global_average_pool, gru,
    identity, log, log_softmax, logical_and, logical_not, logical_or, lstm, mat_mul, max_pool, mul, pad, pow, qlinear_conv,
    quantize_linear, reduce_mean, reshape, rnn, shape, size, slice, softmax, split, sqrt, squeeze, sub, tile, transpose,
    unsqueeze, where;

namespace microsoft {
extern const Operator dequantize_linear, fused_conv, mat_mul_integer_to_float, quantize_linear;
}

}  // namespace broadloom::op
