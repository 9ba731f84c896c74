// com.microsoft: MatMulNBits, products with weights of 2, 4 or 8 bits. onnxruntime: docs/ContribOperators.md.
#include <bit>
#include <cstring>

#include "core/count.h"
#include "core/text.h"
#include "kernels/movement/packed.h"
#include "kernels/products/blockwise.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/checks.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {
    required("K", INT),           required("N", INT),          with_default("accuracy_level", INT, 0),
    with_default("bits", INT, 4), required("block_size", INT), with_default("weight_prepacked", INT, 0)};
constexpr Parameter inputs[] = {{"A", T1},
                                {"B", T2},
                                {"scales", T1},
                                {"zero_points", T3, Optional},
                                {"g_idx", Dtype::int32, Optional},
                                {"bias", T1, Optional}};
constexpr Parameter outputs[] = {{"Y", T1}};
constexpr Signature signature{attributes, inputs, outputs, {T1, T2, T3}};
constexpr OperatorVersion versions[] = {
    {1, &signature, {types::single_floats, types::uint8, types::single_floats | types::uint8}}};

// The attributes, and sizes that follow from them.
struct WeightSizes {
  std::int64_t sums;
  std::int64_t columns;
  std::int64_t bits;
  std::int64_t block_size;

  std::int64_t blocks() const { return (sums - 1) / block_size + 1; }
  std::int64_t block_bytes() const { return block_size * bits / 8; }
  std::int64_t zero_bytes() const { return (blocks() * bits + 7) / 8; }
};

Result<WeightSizes> read_sizes(const Call& call) {
  const WeightSizes sizes{call.integer("K"), call.integer("N"), call.integer("bits"), call.integer("block_size")};
  constexpr std::int64_t most = INT32_MAX;
  const auto refuse = [](const char* name, std::int64_t value, const char* wanted) {
    return fail(Code::InvalidArgument, "attribute '{}' is {}, wanted {}", name, value, wanted);
  };
  if (sizes.sums < 1 || sizes.sums > most) return refuse("K", sizes.sums, "1 to 2^31 - 1");
  if (sizes.columns < 1 || sizes.columns > most) return refuse("N", sizes.columns, "1 to 2^31 - 1");
  if (sizes.bits != 2 && sizes.bits != 4 && sizes.bits != 8) return refuse("bits", sizes.bits, "2, 4 or 8");
  if (sizes.block_size < 16 || sizes.block_size > most || !std::has_single_bit(static_cast<std::uint64_t>(sizes.block_size))) {
    return refuse("block_size", sizes.block_size, "a power of 2 from 16 on");
  }
  const std::int64_t packed = call.integer("weight_prepacked");
  if (packed != 0) return refuse("weight_prepacked", packed, "0");
  return sizes;
}

// Fails unless an input has these dims, or one axis with their number of elements.
Status check_dims(const Call& call, std::size_t input, std::initializer_list<Size> wanted) {
  const Tensor* tensor = call.input(input);
  if (tensor == nullptr || !tensor->is_ranked()) return {};
  const SymbolicDims& dims = tensor->dims();
  Size count = 1;
  for (const Size size : wanted) count = call.sizes().multiply(count, size);
  if (dims.size() == 1 && !differ(dims[0], count)) return {};
  return want_dims(call, input, wanted);
}

Status prepare(Call& call) {
  BROADLOOM_TRY(sizes, read_sizes(call));
  BROADLOOM_CHECK(refuse_input(call, 4));  // g_idx
  BROADLOOM_CHECK(check_dims(call, 1, {sizes.columns, sizes.blocks(), sizes.block_bytes()}));
  BROADLOOM_CHECK(check_dims(call, 2, {sizes.columns, sizes.blocks()}));
  const bool is_packed = call.input(3) != nullptr && call.input(3)->dtype == Dtype::uint8;
  BROADLOOM_CHECK(check_dims(call, 3, {sizes.columns, is_packed ? sizes.zero_bytes() : sizes.blocks()}));
  BROADLOOM_CHECK(check_length(call, 5, sizes.columns));
  const Tensor& a = *call.inputs[0];
  if (!a.is_ranked()) return {};
  SymbolicDims dims = a.dims();
  if (dims.empty() || differ(dims[dims.size() - 1], sizes.sums)) {
    return fail(Code::InvalidArgument, "'A' has dims {}, wanted {} as the last", dims.values(), sizes.sums);
  }
  dims[dims.size() - 1] = sizes.columns;
  call.outputs[0] = known_dims(call.output_types[0], dims);
  return {};
}

// The zero points of all blocks in float32, or no tensor.
Result<Tensor> zeros_of(const Call& call, const WeightSizes& sizes) {
  const Tensor* zeros = call.input(3);
  if (zeros == nullptr) return Tensor();
  if (zeros->dtype != Dtype::uint8) return in_type(*zeros, Dtype::float32);
  BROADLOOM_TRY(dense, densify(*zeros));
  BROADLOOM_TRY(unpacked, make_tensor(Dtype::uint8, {sizes.columns, sizes.blocks()}));
  const auto blocks = in_memory(sizes.blocks());
  for (std::size_t i = 0; i < in_memory(sizes.columns); ++i) {
    std::byte* const to = unpacked.data() + i * blocks;
    const std::byte* from = dense.data() + i * in_memory(sizes.zero_bytes());
    if (sizes.bits == 8) {
      std::memcpy(to, from, blocks);
    } else {
      unpack(to, from, 0, blocks, in_memory(sizes.bits));
    }
  }
  return in_type(unpacked, Dtype::float32);
}

Status compute(Call& call) {
  const Tensor& y = call.outputs[0];
  if (y.count() == 0) return {};
  BROADLOOM_TRY(sizes, read_sizes(call));
  BROADLOOM_TRY(a, in_type(*call.inputs[0], Dtype::float32));
  BROADLOOM_TRY(b, densify(*call.inputs[1]));
  BROADLOOM_TRY(scales, in_type(*call.inputs[2], Dtype::float32));
  BROADLOOM_TRY(zeros, zeros_of(call, sizes));
  BROADLOOM_TRY(wide, unrounded(y, Dtype::float32));
  const auto columns = in_memory(sizes.columns);
  const std::size_t bytes = blockwise_workspace_bytes();
  constexpr std::size_t tail = tile_panels * panel_bytes;
  BROADLOOM_TRY(workspace, Storage::allocate(Count(columns) * sizeof(float) + bytes + tail));
  std::byte* bias = nullptr;
  if (call.input(5) != nullptr) {
    BROADLOOM_TRY(added, in_type(*call.input(5), Dtype::float32));
    bias = workspace->data() + bytes;
    std::memcpy(bias, added.data(), columns * sizeof(float));
  }
  const auto number = [](const Tensor& tensor) {
    return tensor.has_elements() ? reinterpret_cast<const float*>(tensor.data()) : nullptr;
  };
  const BlockwiseWeights weights{b.data(),     in_memory(sizes.bits), in_memory(sizes.block_size),
                                 columns,      in_memory(sizes.sums), number(scales),
                                 number(zeros)};
  BROADLOOM_CHECK(multiply_blockwise(wide.data(), a.data(), in_memory(y.count()) / columns, weights, bias, workspace->data()));
  return write_rounded(y, wide);
}

double extra_work(const Call& call) {
  return static_cast<double>(call.outputs[0].count()) * static_cast<double>(call.integer("K"));
}

}  // namespace

BROADLOOM_OPERATOR(op::microsoft, mat_mul_nbits){
    .name = "MatMulNBits",
    .domain = "com.microsoft",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .extra_work = extra_work,
};

}  // namespace broadloom
