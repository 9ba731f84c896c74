// Products of matrices.
#include "ops/dims/product.h"

#include <algorithm>

#include "ops/foreign/foreign.h"

namespace broadloom {

using namespace foreign;

namespace {

void set_product(Call& call, const SymbolicDims& a, const SymbolicDims& b) {
  const Result<SymbolicDims> dims = product_dims(a.values(), b.values());
  if (dims) set(call, 0, *dims);
}

// The product of the first input and the input `second`.
void matrix_product(Call& call, std::size_t second) {
  const SymbolicDims* a = dims_of(call, 0);
  const SymbolicDims* b = dims_of(call, second);
  if (a != nullptr && b != nullptr) set_product(call, *a, *b);
}

void fused_product(Call& call) {
  const SymbolicDims* a = dims_of(call, 0);
  const SymbolicDims* b = dims_of(call, 1);
  if (a == nullptr || b == nullptr) return;
  SymbolicDims first = *a;
  SymbolicDims second = *b;
  const auto transpose = [&](SymbolicDims& dims, std::string_view name, std::string_view batch) {
    if (dims.size() >= 2 && integer(call, name) != 0) std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
    if (integer(call, batch) != 0) dims = SymbolicDims(dims.size(), unknown_size);
  };
  transpose(first, "transA", "transBatchA");
  transpose(second, "transB", "transBatchB");
  set_product(call, first, second);
}

// The second matrix is packed. Attribute N is the number of its columns.
void packed_product(Call& call) {
  if (const SymbolicDims* a = dims_of(call, 0)) set(call, 0, with_last(a->values(), integer(call, "N", unknown_size)));
}

void distances(Call& call) { set(call, 0, {size_of(call, 0, 0), size_of(call, 1, 0)}); }

}  // namespace

BROADLOOM_OPERATOR(op::ruled::microsoft, cdist) = microsoft_operator("CDist", by<distances>, first_input);
BROADLOOM_OPERATOR(op::ruled::microsoft, fused_mat_mul_activation) = microsoft_operator("FusedMatMulActivation",
                                                                                        by<fused_product>, first_input);
BROADLOOM_OPERATOR(op::ruled::microsoft, gemm_fast_gelu) = microsoft_operator("GemmFastGelu", by<matrix_product, 1>,
                                                                              first_input);
BROADLOOM_OPERATOR(op::ruled::microsoft, mat_mul_bnb4) = microsoft_operator("MatMulBnb4", by<packed_product>, first_input);
BROADLOOM_OPERATOR(op::ruled::microsoft, mat_mul_integer16) = microsoft_operator("MatMulInteger16", by<matrix_product, 1>,
                                                                                 int32s);

}  // namespace broadloom
