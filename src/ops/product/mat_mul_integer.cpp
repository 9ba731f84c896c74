// MatMulInteger: products of matrices of integers of 8 bits. ONNX: onnx/defs/math/defs.cc, MatMulInteger.
#include "ops/call/operator.h"
#include "ops/product/integer_product.h"
#include "ops/product/products.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum Option;
using enum TypeVariable;

constexpr Parameter inputs[] = {{"A", T1}, {"B", T2}, {"a_zero_point", T1, Optional}, {"b_zero_point", T2, Optional}};
constexpr Parameter outputs[] = {{"Y", T3}};
constexpr Signature signature{{}, inputs, outputs, {T1, T2, T3}};
constexpr OperatorVersion versions[] = {{10, &signature, {types::bytes, types::bytes, types::int32}}};

constexpr std::uint8_t absent = ProductInputs::none;
constexpr ProductInputs places{0, 1, {2, 3, absent, absent, absent, absent, absent}};

Status prepare(Call& call) { return prepare_integer_product(call, places); }
Result<Ready> ready(const Call& call, PackedOperands* packed) { return ready_integer_product(call, places, packed); }

}  // namespace

BROADLOOM_OPERATOR(op, mat_mul_integer){
    .name = "MatMulInteger",
    .versions = versions,
    .prepare = prepare,
    .compute = run_once<ready>,
    .ready = ready,
    .extra_work = work_of_products,
};

}  // namespace broadloom
