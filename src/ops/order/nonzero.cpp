// NonZero and Compress: indices of nonzero elements, and elements there. ONNX: onnx/defs/tensor/defs.cc and old.cc.
#include "kernels/order/nonzero.h"

#include <algorithm>
#include <optional>

#include "core/count.h"
#include "core/limits.h"
#include "core/text.h"
#include "kernels/movement/blocks.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr Parameter non_zero_inputs[] = {{"X", T}};
constexpr Parameter non_zero_outputs[] = {{"Y", Dtype::int64}};
constexpr Signature non_zero_signature{{}, non_zero_inputs, non_zero_outputs, {T}};

constexpr OperatorVersion non_zero_versions[] = {
    {9, &non_zero_signature, {types::all_opset_1}},
    {13, &non_zero_signature, {types::all_opset_13}},
};

constexpr AttributeSpec compress_attributes[] = {{"axis", INT}};
constexpr Parameter compress_inputs[] = {{"input", T}, {"condition", T1}};
constexpr Parameter compress_outputs[] = {{"output", T}};
constexpr Signature compress_signature{compress_attributes, compress_inputs, compress_outputs, {T, T1}};

constexpr OperatorVersion compress_versions[] = {
    {9, &compress_signature, {types::all_opset_1, Dtype::boolean}},
    {11, &compress_signature, {types::all_opset_1, Dtype::boolean}},
};

ItemMask mask_of(Dtype dtype) {
  const DtypeInfo& type = info(dtype);
  constexpr std::uint64_t all = UINT64_MAX;
  constexpr std::uint64_t length = all << 32U;  // of a string
  constexpr std::uint64_t two_floats = 0x7FFFFFFF7FFFFFFF;
  const auto sign = std::uint64_t{1} << (static_cast<unsigned>(std::min(type.bits, 64)) - 1U);
  switch (type.kind) {
    case DtypeKind::string: return {{length, 0}};
    case DtypeKind::real_float:
    case DtypeKind::mini_float: return {{~sign, 0}};
    case DtypeKind::complex:
      if (type.bits == 64) return {{two_floats, 0}};
      return {{~sign, ~sign}};
    default: return {{all, 0}};
  }
}

// Iterates over the nonzero elements of a dense tensor, some at a time.
class NonZeros {
 public:
  static constexpr std::size_t most = 256;
  explicit NonZeros(const Tensor& dense)
      : from_(dense.data()),
        mask_(mask_of(dense.dtype)),
        item_size_(item_size(dense.dtype)),
        count_(in_memory(dense.count())) {}

  bool is_done() const { return done_ == count_; }
  // The indices of nonzero elements among the next ones, relative to `first`.
  std::span<const std::size_t> next(std::size_t& first) {
    first = done_;
    const std::size_t count = std::min(most, count_ - done_);
    const std::size_t found = find_nonzero(numbers_, from_ + done_ * item_size_, mask_, item_size_, count);
    done_ += count;
    return {numbers_, found};
  }

 private:
  const std::byte* from_;
  ItemMask mask_;
  std::size_t item_size_;
  std::size_t count_;
  std::size_t done_ = 0;
  std::size_t numbers_[most];
};

// The number of nonzero elements, and the end of the last one.
struct Found {
  std::size_t count = 0;
  std::size_t end = 0;
};

Result<Found> count_nonzero(const Tensor& tensor) {
  BROADLOOM_TRY(dense, densify(tensor));
  NonZeros rest(dense);
  Found found;
  while (!rest.is_done()) {
    BROADLOOM_CHECK(Watch::check(NonZeros::most));
    std::size_t first = 0;
    const std::span<const std::size_t> numbers = rest.next(first);
    found.count += numbers.size();
    if (!numbers.empty()) found.end = first + numbers.back() + 1;
  }
  return found;
}

Status prepare_non_zero(Call& call) {
  const Tensor& input = *call.inputs[0];
  SymbolicDims dims(2, unknown_size);
  if (input.is_ranked()) dims[0] = static_cast<std::int64_t>(input.dims().size());
  if (call.is_run() && input.has_elements()) {
    BROADLOOM_TRY(found, count_nonzero(input));
    dims[1] = static_cast<std::int64_t>(found.count);
  }
  call.outputs[0] = known_dims(Dtype::int64, dims);
  return {};
}

Status compute_non_zero(Call& call) {
  BROADLOOM_TRY(dense, densify(*call.inputs[0]));
  Tensor& output = call.outputs[0];
  const std::span<const std::int64_t> dims = dense.run_dims();
  const auto row = in_memory(output.run_dims()[1]);
  auto* to = reinterpret_cast<std::int64_t*>(output.data());
  NonZeros rest(dense);
  for (std::size_t column = 0; !rest.is_done();) {
    BROADLOOM_CHECK(Watch::check(static_cast<double>(NonZeros::most * (1 + 4 * dims.size()))));
    std::size_t first = 0;
    for (const std::size_t number : rest.next(first)) {
      std::size_t place = first + number;
      for (std::size_t i = dims.size(); i-- > 0;) {
        const auto size = in_memory(dims[i]);
        to[i * row + column] = static_cast<std::int64_t>(place % size);
        place /= size;
      }
      ++column;
    }
  }
  return {};
}

Status prepare_compress(Call& call) {
  const Tensor& input = *call.inputs[0];
  const Tensor& condition = *call.inputs[1];
  if (condition.is_ranked() && condition.dims().size() != 1) {
    return fail(Code::InvalidArgument, "condition has dims {}, wanted one axis", condition.dims().values());
  }
  SymbolicDims dims{unknown_size};
  Size size = unknown_size;
  std::size_t place = 0;
  if (input.is_ranked()) {
    BROADLOOM_TRY(axis, find_axis(call, input.dims().size()));
    size = axis ? input.dims()[*axis] : call.sizes().product(input.dims());
    if (axis) dims = input.dims();
    place = axis.value_or(0);
    dims[place] = unknown_size;
  } else if (call.attributes.find("axis") != nullptr) {
    return {};
  }
  if (call.is_run() && condition.has_elements()) {
    BROADLOOM_TRY(found, count_nonzero(condition));
    if (static_cast<std::int64_t>(found.end) > size.number()) {
      return fail(Code::InvalidArgument, "condition holds at {}, but there are {} to choose from", found.end - 1, size);
    }
    dims[place] = static_cast<std::int64_t>(found.count);
  }
  call.outputs[0] = known_dims(input.dtype, dims);
  return {};
}

Status compute_compress(Call& call) {
  Tensor& output = call.outputs[0];
  if (output.count() == 0) return {};
  BROADLOOM_TRY(input, densify(*call.inputs[0]));
  BROADLOOM_TRY(condition, densify(*call.inputs[1]));
  const std::span<const std::int64_t> dims = input.run_dims();
  BROADLOOM_TRY(axis, find_axis(call, dims.size()));
  const std::size_t rows = axis ? in_memory(count_of(dims.first(*axis))) : 1;
  const std::size_t block = dense_size(input) / rows / in_memory(axis ? dims[*axis] : input.count());
  const std::size_t pitch = dense_size(output) / rows;
  NonZeros rest(condition);
  for (std::byte* to = output.data(); !rest.is_done();) {
    std::size_t first = 0;
    const std::span<const std::size_t> numbers = rest.next(first);
    std::ptrdiff_t offsets[NonZeros::most];
    for (std::size_t i = 0; i < numbers.size(); ++i) offsets[i] = static_cast<std::ptrdiff_t>((first + numbers[i]) * block);
    for (std::size_t row = 0; row < rows; ++row) {
      gather_blocks(to + row * pitch, input.data() + row * (dense_size(input) / rows), {offsets, numbers.size()}, block);
    }
    to += numbers.size() * block;
  }
  return {};
}

}  // namespace

BROADLOOM_OPERATOR(op, non_zero){
    .name = "NonZero",
    .versions = non_zero_versions,
    .prepare = prepare_non_zero,
    .compute = compute_non_zero,
    .traits = {.depends_on_data = true},
};
BROADLOOM_OPERATOR(op, compress){
    .name = "Compress",
    .versions = compress_versions,
    .prepare = prepare_compress,
    .compute = compute_compress,
    .data_movement_inputs = inputs_at({0}),
    .traits = {.depends_on_data = true},
};

}  // namespace broadloom
