// MaxUnpool: puts the results of MaxPool back where they were. ONNX: onnx/defs/nn/defs.cc and old.cc.
#include <algorithm>
#include <cstring>
#include <iterator>

#include "core/text.h"
#include "kernels/blocks.h"
#include "ops/arguments.h"
#include "ops/dense.h"
#include "ops/operators.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {required("kernel_shape", INTS), {"pads", INTS}, {"strides", INTS}};
constexpr Parameter inputs[] = {{"X", T1}, {"I", T2}, Parameter::list("output_shape", T2, Optional)};
constexpr Parameter outputs[] = {{"output", T1}};
constexpr Signature signature{attributes, inputs, outputs, {T1, T2}};
constexpr OperatorVersion versions[] = {{9, &signature, {types::floats, Dtype::int64}},
                                        {11, &signature, {types::floats, Dtype::int64}},
                                        {22, &signature, {types::floats | types::added_13, Dtype::int64}}};

// The dims of the tensor that was pooled, whose elements the indices number.
Result<SymbolicDims> pooled_dims(const Call& call, const SymbolicDims& dims) {
  const std::size_t count = dims.size() - 2;
  SymbolicDims result = dims;
  BROADLOOM_TRY(kernel, read_list(call, "kernel_shape"));
  BROADLOOM_TRY(strides, read_list(call, "strides"));
  BROADLOOM_TRY(pads, read_list(call, "pads", 2 * most_axes));
  if (kernel.size() != count || (strides.is_given && strides.size() != count) || (pads.is_given && pads.size() != 2 * count)) {
    return impossible("kernel_shape is {}, strides {} and pads {}, wanted entries for {} ax{i}s", kernel.values.values(),
                      strides.values.values(), pads.values.values(), count);
  }
  const Sizes sizes = call.sizes();
  for (std::size_t i = 0; i < count; ++i) {
    const Size stride = strides.is_given ? strides[i] : Size(1);
    const Size borders = pads.is_given ? sizes.add(pads[i], pads[count + i]) : Size(0);
    if (!kernel[i].is_number() || !stride.is_number() || kernel[i].number() < 1 || stride.number() < 1 ||
        borders.is_negative()) {
      return impossible("axis {} has a kernel of {}, a stride of {} and pads of {}", i, kernel[i], stride, borders);
    }
    Size& size = result[2 + i];
    size = sizes.subtract(sizes.add(sizes.multiply(sizes.subtract(size, 1), stride), kernel[i]), borders);
    if (size.is_negative()) return impossible("axis {} gets size {}", i + 2, size);
  }
  return Result<SymbolicDims>(std::move(result));
}

Status prepare(Call& call) {
  const Tensor& data = *call.inputs[0];
  const Tensor& indices = *call.inputs[1];
  if (data.is_ranked() && indices.is_ranked()) {
    bool are_equal = data.dims().size() == indices.dims().size();
    for (std::size_t i = 0; are_equal && i < data.dims().size(); ++i) are_equal = !differ(data.dims()[i], indices.dims()[i]);
    if (!are_equal)
      return impossible("'X' has dims {} and 'I' {}, wanted the same", data.dims().values(), indices.dims().values());
  }
  if (!data.is_ranked()) return {};
  if (data.dims().size() < 3) return impossible("'X' has dims {}, wanted 3 or more axes", data.dims().values());
  BROADLOOM_TRY(dims, pooled_dims(call, data.dims()));
  BROADLOOM_TRY(shape, read_list(call, "output_shape"));
  if (shape.is_given) {
    if (shape.has_length && shape.size() != dims.size()) {
      return impossible("output_shape has {} entr{y}, wanted {}", shape.size(), dims.size());
    }
    for (std::size_t i = 0; i < dims.size(); ++i) {
      const Size wanted = shape.has_length ? shape[i] : unknown_size;
      if (wanted.is_number() && dims[i].is_number() && wanted.number() < dims[i].number()) {
        return impossible("output_shape is {}, but indices are those of {}", shape.values.values(), dims.values());
      }
      dims[i] = wanted;
    }
  }
  call.outputs[0] = known_dims(data.dtype, dims);
  return {};
}

Status compute(Call& call) {
  Tensor& output = call.outputs[0];
  if (output.count() == 0) return {};
  std::memset(output.data(), 0, dense_size(output));
  BROADLOOM_TRY(data, densify(*call.inputs[0]));
  BROADLOOM_TRY(indices, densify(*call.inputs[1]));
  BROADLOOM_TRY(pooled, pooled_dims(call, data.dims()));
  BROADLOOM_TRY(most, checked_count(pooled));
  const std::size_t size = item_size(output.dtype);
  const bool are_same = pooled == output.dims();
  const auto count = static_cast<std::size_t>(data.count());
  std::ptrdiff_t places[256];
  for (std::size_t i = 0; i < count; i += std::size(places)) {
    const std::size_t some = std::min(std::size(places), count - i);
    const auto* const index = reinterpret_cast<const std::int64_t*>(indices.data()) + i;
    const Indices list{reinterpret_cast<const std::byte*>(index), sizeof *index, true, most, static_cast<std::ptrdiff_t>(size)};
    const std::size_t found = find_places(places, some, {0, 0}, list);
    if (found < some) {
      return fail(Code::InvalidArgument, "index {} is {}, but {} elements were pooled", i + found, index[found], most);
    }
    for (std::size_t k = 0; k < some && !are_same; ++k) {
      auto rest = static_cast<std::int64_t>(places[k]) / static_cast<std::int64_t>(size);
      auto step = static_cast<std::int64_t>(size);
      places[k] = 0;
      for (std::size_t axis = pooled.size(); axis-- > 0;) {
        places[k] += static_cast<std::ptrdiff_t>(rest % pooled[axis].number() * step);
        rest /= pooled[axis].number();
        step *= output.run_dims()[axis];
      }
    }
    scatter_blocks(output.data(), {places, some}, data.data() + i * size, size, size);
  }
  return {};
}

}  // namespace

constinit const Operator op::max_unpool{.name = "MaxUnpool", .versions = versions, .prepare = prepare, .compute = compute};

}  // namespace broadloom
