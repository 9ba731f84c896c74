// Unique: elements or slices that differ. ONNX: onnx/defs/tensor/defs.cc, Unique.
#include <optional>

#include "core/strings.h"
#include "core/text.h"
#include "kernels/copy.h"
#include "kernels/order.h"
#include "ops/arguments.h"
#include "ops/dense.h"
#include "ops/operators.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {{"axis", INT}, with_default("sorted", INT, 1)};
constexpr Parameter inputs[] = {{"X", T}};
constexpr Parameter outputs[] = {{"Y", T},
                                 {"indices", Dtype::int64, Optional},
                                 {"inverse_indices", Dtype::int64, Optional},
                                 {"counts", Dtype::int64, Optional}};
constexpr Signature signature{attributes, inputs, outputs, {T}};

constexpr OperatorVersion versions[] = {{11, &signature, {types::all_opset_1}}};

// The slices of a dense tensor along an axis: number i has, of each of `rows` rows, the elements from i * `length` on.
struct Slices {
  Tensor tensor;
  std::size_t count;
  std::size_t rows;
  std::size_t length;
  // What tells their order: so many for each slice, one behind the other. Strings are compared themselves.
  std::size_t width = 0;
  std::vector<std::uint64_t> keys = {};

  const StringRef& string(std::size_t slice, std::size_t i) const {
    const auto* elements = reinterpret_cast<const StringRef*>(tensor.data());
    return elements[(i / length * count + slice) * length + i % length];
  }

  int compare(std::size_t a, std::size_t b) const {
    if (tensor.dtype == Dtype::string) {
      for (std::size_t i = 0; i < rows * length; ++i) {
        const int order = string_at(tensor, string(a, i)).compare(string_at(tensor, string(b, i)));
        if (order != 0) return order;
      }
      return 0;
    }
    for (std::size_t i = 0; i < width; ++i) {
      const std::uint64_t one = keys[a * width + i];
      const std::uint64_t other = keys[b * width + i];
      if (one != other) return one < other ? -1 : 1;
    }
    return 0;
  }

  Status make_keys() {
    // Complex numbers are in the order of their real parts, then of the imaginary ones.
    const Dtype part = tensor.dtype == Dtype::complex64    ? Dtype::float32
                       : tensor.dtype == Dtype::complex128 ? Dtype::float64
                                                           : tensor.dtype;
    const std::size_t parts = item_size(tensor.dtype) / item_size(part) * length;
    const std::size_t size = item_size(part);
    width = rows * parts;
    BROADLOOM_TRY(all, allocate_vector<std::uint64_t>(count * width));
    keys = std::move(all);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t i = 0; i < count; ++i) {
        const std::byte* from = tensor.data() + (row * count + i) * parts * size;
        order_keys(keys.data() + i * width + row * parts, from, static_cast<std::ptrdiff_t>(size), parts, part);
      }
    }
    return {};
  }
};

Result<std::optional<std::size_t>> unique_axis(const Call& call, std::size_t rank) {
  const std::optional<std::int64_t> given = call.attributes.find_int("axis");
  if (!given) return std::nullopt;
  BROADLOOM_TRY(axis, resolve_axis("axis", *given, rank));
  return std::optional(axis);
}

// The outputs as far as their dims are known: `size` is that of the axis, and `count` how many slices differ.
void set_dims(Call& call, const Dims& dims, Size size, Size count) {
  call.outputs[0] = known_dims(call.inputs[0]->dtype, dims);
  for (std::size_t i = 1; i < call.outputs.size(); ++i) {
    call.outputs[i] = known_dims(Dtype::int64, {i == 2 ? size : count});
  }
}

Result<Slices> slices_of(const Tensor& input, std::optional<std::size_t> axis, Size size) {
  BROADLOOM_TRY(dense, densify(input));
  const std::span<const std::int64_t> dims = dense.dims().values();
  Slices slices{dense, static_cast<std::size_t>(size), 1, 1};
  if (axis) {
    slices.rows = static_cast<std::size_t>(count_of(dims.first(*axis)));
    slices.length = static_cast<std::size_t>(count_of(dims.subspan(*axis + 1)));
  }
  // Sizes beside one that is 0 may be anything.
  if (dense.count() == 0) slices.rows = slices.length = 0;
  if (dense.dtype != Dtype::string) BROADLOOM_CHECK(slices.make_keys());
  return slices;
}

Result<std::int64_t*> add_output(Call& call, std::size_t i, std::size_t count) {
  if (i >= call.outputs.size()) return nullptr;
  BROADLOOM_TRY(tensor, make_tensor(Dtype::int64, {static_cast<std::int64_t>(count)}));
  call.outputs[i] = tensor;
  return reinterpret_cast<std::int64_t*>(tensor.data());
}

// How many differ is known only when all is done.
Status find_unique(Call& call, std::optional<std::size_t> axis, Dims dims, Size size) {
  // As many numbers as slices: there may be more of these than a std::size_t of wasm can say, if they have no elements.
  BROADLOOM_TRY(inverse, make_tensor(Dtype::int64, {size}));
  auto* const first_of = reinterpret_cast<std::int64_t*>(inverse.data());
  BROADLOOM_TRY(slices, slices_of(*call.inputs[0], axis, size));
  const std::size_t count = slices.count;
  BROADLOOM_TRY(order, allocate_vector<std::size_t>(count));
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  const auto comes_before = [&](std::size_t a, std::size_t b) {
    const int difference = slices.compare(a, b);
    return difference < 0 || (difference == 0 && a < b);
  };
  make_heap(order.data(), count, comes_before);
  sort_heap(order.data(), count, comes_before);

  // The first one of those that are equal stands for them.
  std::size_t found = 0;
  for (const std::size_t i : order) {
    if (found == 0 || slices.compare(order[found - 1], i) != 0) order[found++] = i;
    first_of[i] = static_cast<std::int64_t>(order[found - 1]);
  }
  if (call.integer("sorted") == 0) {
    found = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (first_of[i] == static_cast<std::int64_t>(i)) order[found++] = i;
    }
  }
  BROADLOOM_TRY(number_of, allocate_vector<std::size_t>(count));
  for (std::size_t i = 0; i < found; ++i) number_of[order[i]] = i;

  dims[axis.value_or(0)] = static_cast<Size>(found);
  BROADLOOM_TRY(unique, make_tensor(slices.tensor.dtype, dims));
  const std::size_t block = slices.length * item_size(unique.dtype);
  std::byte* to = unique.data();
  for (std::size_t row = 0; row < slices.rows; ++row) {
    for (std::size_t i = 0; i < found; ++i, to += block) {
      copy_bytes(to, slices.tensor.data() + (row * count + order[i]) * block, block);
    }
  }
  unique.storage->text = slices.tensor.storage->text;
  call.outputs[0] = unique;
  BROADLOOM_TRY(indices, add_output(call, 1, found));
  BROADLOOM_TRY(counts, add_output(call, 3, found));
  for (std::size_t i = 0; i < found; ++i) {
    if (indices != nullptr) indices[i] = static_cast<std::int64_t>(order[i]);
    if (counts != nullptr) counts[i] = 0;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t number = number_of[static_cast<std::size_t>(first_of[i])];
    first_of[i] = static_cast<std::int64_t>(number);
    if (counts != nullptr) ++counts[number];
  }
  if (call.outputs.size() > 2) call.outputs[2] = inverse;
  return {};
}

Status prepare(Call& call) {
  const Tensor& input = *call.inputs[0];
  if (!input.is_ranked()) {
    const bool has_axis = call.attributes.find("axis") != nullptr;
    set_dims(call, {unknown_size}, unknown_size, unknown_size);
    if (has_axis) call.outputs[0].layout = LayoutRef::unranked();
    return {};
  }
  BROADLOOM_TRY(axis, unique_axis(call, input.dims().size()));
  const Size size = axis ? input.dims()[*axis] : call.sizes().product(input.dims());
  Dims dims = axis ? input.dims() : Dims{unknown_size};
  dims[axis.value_or(0)] = unknown_size;
  set_dims(call, dims, size, unknown_size);
  return call.is_run() && input.has_elements() ? find_unique(call, axis, dims, size) : Status();
}

}  // namespace

constinit const Operator op::unique{"Unique", versions, nullptr, prepare};

}  // namespace broadloom
