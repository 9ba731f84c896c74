// MaxPool, AveragePool, LpPool and GlobalLpPool: windows of images become one element each. ONNX: onnx/defs/nn/defs.cc and
// old.cc.
#include "kernels/convolution/pool.h"

#include <cmath>
#include <cstring>
#include <memory>

#include "core/count.h"
#include "core/text.h"
#include "kernels/convolution/pool_indices.h"
#include "kernels/elementwise/convert.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/call/ready_call.h"
#include "ops/dims/windows.h"
#include "ops/formula.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;
using Kind = Pooling::Kind;

constexpr AttributeSpec ceil_mode = with_default("ceil_mode", INT, 0);
constexpr AttributeSpec count_include_pad = with_default("count_include_pad", INT, 0);
constexpr AttributeSpec dilations{"dilations", INTS};
constexpr AttributeSpec kernel_shape = required("kernel_shape", INTS);
constexpr AttributeSpec pads{"pads", INTS};
constexpr AttributeSpec storage_order = with_default("storage_order", INT, 0);
constexpr AttributeSpec strides{"strides", INTS};

constexpr AttributeSpec p = with_default("p", INT, 2);

constexpr AttributeSpec maximum_1[] = {auto_pad_attribute, kernel_shape, pads, strides};
constexpr AttributeSpec maximum_8[] = {auto_pad_attribute, kernel_shape, pads, storage_order, strides};
constexpr AttributeSpec maximum_10[] = {auto_pad_attribute, ceil_mode, dilations, kernel_shape, pads, storage_order, strides};
constexpr AttributeSpec mean_7[] = {auto_pad_attribute, count_include_pad, kernel_shape, pads, strides};
constexpr AttributeSpec mean_10[] = {auto_pad_attribute, ceil_mode, count_include_pad, kernel_shape, pads, strides};
constexpr AttributeSpec mean_19[] = {auto_pad_attribute, ceil_mode, count_include_pad, dilations, kernel_shape, pads, strides};
constexpr AttributeSpec norm_1[] = {auto_pad_attribute, {"kernel_shape", INTS}, with_default("p", FLOAT, 2), pads, strides};
constexpr AttributeSpec norm_2[] = {auto_pad_attribute, kernel_shape, p, pads, strides};
constexpr AttributeSpec global_norm_1[] = {with_default("p", FLOAT, 2)};
constexpr AttributeSpec global_norm_2[] = {p};
constexpr AttributeSpec norm_18[] = {auto_pad_attribute, ceil_mode, dilations, kernel_shape, p, pads, strides};

constexpr Parameter inputs[] = {{"X", T}};
constexpr Parameter outputs[] = {{"Y", T}};
constexpr Parameter outputs_8[] = {{"Y", T}, {"Indices", I, Option::Optional}};
constexpr Signature signature_maximum_1{maximum_1, inputs, outputs, {T}};
constexpr Signature signature_maximum_8{maximum_8, inputs, outputs_8, {T, I}};
constexpr Signature signature_maximum_10{maximum_10, inputs, outputs_8, {T, I}};
constexpr Signature signature_mean_7{mean_7, inputs, outputs, {T}};
constexpr Signature signature_mean_10{mean_10, inputs, outputs, {T}};
constexpr Signature signature_mean_19{mean_19, inputs, outputs, {T}};
constexpr Signature signature_norm_1{norm_1, inputs, outputs, {T}};
constexpr Signature signature_norm_2{norm_2, inputs, outputs, {T}};
constexpr Signature signature_norm_18{norm_18, inputs, outputs, {T}};

constexpr Signature signature_global_norm_1{global_norm_1, inputs, outputs, {T}};
constexpr Signature signature_global_norm_2{global_norm_2, inputs, outputs, {T}};

constexpr OperatorVersion maximum_versions[] = {
    {1, &signature_maximum_1, {types::floats}},
    {8, &signature_maximum_8, {types::floats, types::int64}},
    {10, &signature_maximum_10, {types::floats, types::int64}},
    {11, &signature_maximum_10, {types::floats, types::int64}},
    {12, &signature_maximum_10, {types::floats | types::bytes, types::int64}},
    {22, &signature_maximum_10, {types::floats_13 | types::bytes, types::int64}},
};
constexpr OperatorVersion mean_versions[] = {
    {1, &signature_maximum_1, {types::floats}}, {7, &signature_mean_7, {types::floats}},
    {10, &signature_mean_10, {types::floats}},  {11, &signature_mean_10, {types::floats}},
    {19, &signature_mean_19, {types::floats}},  {22, &signature_mean_19, {types::floats_13}},
};
constexpr OperatorVersion norm_versions[] = {
    {1, &signature_norm_1, {types::floats}},      {2, &signature_norm_2, {types::floats}},
    {11, &signature_norm_2, {types::floats}},     {18, &signature_norm_18, {types::floats}},
    {22, &signature_norm_18, {types::floats_13}},
};

constexpr OperatorVersion global_norm_versions[] = {{1, &signature_global_norm_1, {types::floats}},
                                                    {2, &signature_global_norm_2, {types::floats}},
                                                    {22, &signature_global_norm_2, {types::floats_13}}};

// The windows, or for GlobalLpPool one that is as large as the image.
Result<WindowAxes> windows_of(const Call& call, std::span<const Size> image) {
  if (find_spec(call.version, "kernel_shape") != nullptr) return slide_windows(call, image);
  WindowAxes axes(image.size());
  for (std::size_t i = 0; i < image.size(); ++i) {
    axes[i].size = axes[i].kernel = image[i];
    axes[i].places = 1;
  }
  return axes;
}

// Whether results are written row by row.
bool are_rows(Kind kind, const Tensor& image, const WindowAxes& axes) {
  const WindowAxis& last = axes.values().back();
  if (!last.size.is_number() || !last.begin.is_number() || !last.places.is_number())
    return Pooling::can_pool_rows(kind, image.dtype, image.layout, nullptr);
  const SlidingAxis numbers = last.numbers();
  return Pooling::can_pool_rows(kind, image.dtype, image.layout, &numbers);
}

Status prepare(Call& call, Kind kind) {
  const Tensor& image = *call.inputs[0];
  if (!image.is_ranked()) return {};
  const std::span<const Size> x = image.dims().values();
  if (x.size() < 3) return impossible("an image has {} ax{i}s, wanted [N, C, ...] with one more at least", x.size());
  BROADLOOM_TRY(axes, windows_of(call, x.subspan(2)));
  SymbolicDims dims(x);
  for (std::size_t i = 0; i < axes.size(); ++i) dims[2 + i] = axes[i].places;
  const bool in_rows = call.outputs.size() > 1 || are_rows(kind, image, axes);
  for (std::size_t i = 0; i < call.outputs.size(); ++i) {
    call.outputs[i] = in_rows ? known_dims(call.output_types[i], dims) : known_image(call.output_types[i], dims);
  }
  return {};
}

Result<Pooling> pool_of(const Call& call, Kind kind, const Tensor& image) {
  BROADLOOM_TRY(axes, windows_of(call, image.dims().values().subspan(2)));
  InlineVector<std::int64_t, 3> ends(axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) ends[i] = axes[i].end.number();
  if (kind == Kind::mean && call.integer("count_include_pad") != 0) kind = Kind::mean_of_all;
  const bool in_rows = is_dense(call.outputs[0].layout) && are_rows(kind, image, axes);
  return Pooling(kind, image.dtype, numbers_of(axes), ends.values(), image.layout, in_rows);
}

Status run_pool(const Pooling& pool, std::byte* to, const std::byte* image) {
  BROADLOOM_TRY(workspace, Storage::allocate(pool.workspace_bytes()));
  return pool.run(to, image, workspace->data());
}

// Made ready and run once, a pool of four elements would take 1.1 times as long.
template <Kind kind>
Status compute(Call& call) {
  const Tensor& image = *call.inputs[0];
  BROADLOOM_TRY(pool, pool_of(call, kind, image));
  return run_pool(pool, call.outputs[0].data(), image.data());
}

class ReadyPool : public ReadyCall {
 public:
  explicit ReadyPool(Pooling pool) : pool_(std::move(pool)) {}
  Count workspace_bytes() const override { return pool_.workspace_bytes(); }
  Status run(const Call& call, std::byte* workspace) override {
    return pool_.run(call.outputs[0].data(), call.inputs[0]->data(), workspace);
  }

 private:
  Pooling pool_;
};

template <Kind kind>
Result<Ready> ready(const Call& call, PackedOperands*) {
  if (call.outputs.size() > 1) return Ready();
  BROADLOOM_TRY(pool, pool_of(call, kind, *call.inputs[0]));
  return Ready{{}, std::make_unique<ReadyPool>(std::move(pool)), nullptr};
}

// ---- MaxPool ----

Status compute_maximum(Call& call) {
  if (call.outputs.size() == 1) return compute<Kind::maximum>(call);
  // Every type has its elements in float64.
  const Tensor& image = *call.inputs[0];
  BROADLOOM_TRY(axes, windows_of(call, image.dims().values().subspan(2)));
  BROADLOOM_TRY(numbers, in_type(image, Dtype::float64));
  BROADLOOM_TRY(most, make_tensor(Dtype::float64, call.outputs[0].dims()));
  const auto planes = in_memory(count_of(image.run_dims().first(2)));
  const double lowest = image.dtype == Dtype::int8 ? -128 : image.dtype == Dtype::uint8 ? 0 : -INFINITY;
  BROADLOOM_CHECK(find_maxima(reinterpret_cast<double*>(most.data()), reinterpret_cast<std::int64_t*>(call.outputs[1].data()),
                              reinterpret_cast<const double*>(numbers.data()), planes, numbers_of(axes).values(), lowest,
                              call.integer("storage_order") != 0));
  return convert_watched(call.outputs[0].data(), call.outputs[0].dtype, most.data(), Dtype::float64, in_memory(most.count()));
}

// ---- LpPool: the p-norm ----

double power_of(const Call& call) {
  const bool is_integer = find_spec(call.version, "p")->type == INT;
  return is_integer ? static_cast<double>(call.integer("p")) : static_cast<double>(call.number("p"));
}

// Writes a power of the magnitudes of float32 or float64 elements. `to` may be the elements themselves.
Status raise(std::byte* to, const Tensor& x, double power) {
  Program program;
  const Formula element(program, program.operand(x.dtype, x.data(), dense_layout({x.count()})));
  const Formula result = power == 2     ? element * element
                         : power == 0.5 ? element.apply(Operation::square_root)
                         : power == 1   ? element.apply(Operation::absolute)
                                        : element.apply(Operation::absolute).apply(Operation::power, power);
  return program.run(result.value(), to, in_memory(x.count()));
}

Status compute_norm(Call& call) {
  Tensor& output = call.outputs[0];
  if (call.inputs[0]->count() == 0) {
    // The window of GlobalLpPool is the image, and may have no elements.
    std::memset(output.data(), 0, in_memory(dense_size(output)));
    return {};
  }
  const double power = power_of(call);
  BROADLOOM_TRY(dense, densify(*call.inputs[0]));
  BROADLOOM_TRY(wide, in_type(dense, accumulate_type_of(output.dtype).dtype));
  BROADLOOM_TRY(powers, make_tensor(wide.dtype, wide.dims()));
  BROADLOOM_CHECK(raise(powers.data(), wide, power));
  BROADLOOM_TRY(sums, make_tensor(wide.dtype, output.dims()));
  BROADLOOM_TRY(pool, pool_of(call, Kind::sum, powers));
  BROADLOOM_CHECK(run_pool(pool, sums.data(), powers.data()));
  BROADLOOM_CHECK(raise(sums.data(), sums, 1 / power));
  return convert_watched(output.data(), output.dtype, sums.data(), sums.dtype, in_memory(sums.count()));
}

Status prepare_norm(Call& call) {
  const double value = power_of(call);
  if (!(value > 0)) return impossible("attribute 'p' is {}, wanted a positive number", value);
  return prepare(call, Kind::sum);
}

template <Kind kind>
Status prepare(Call& call) {
  return prepare(call, kind);
}

}  // namespace

BROADLOOM_OPERATOR(op, average_pool){
    .name = "AveragePool",
    .versions = mean_versions,
    .prepare = prepare<Kind::mean>,
    .compute = compute<Kind::mean>,
    .ready = ready<Kind::mean>,
    .extra_work = work_of_windows,
};
BROADLOOM_OPERATOR(op, global_lp_pool){
    .name = "GlobalLpPool",
    .versions = global_norm_versions,
    .prepare = prepare_norm,
    .compute = compute_norm,
    .kernels = loops(Operation::absolute, Operation::multiply, Operation::power, Operation::square_root),
};
BROADLOOM_OPERATOR(op, lp_pool){
    .name = "LpPool",
    .versions = norm_versions,
    .prepare = prepare_norm,
    .compute = compute_norm,
    .extra_work = work_of_windows,
    .kernels = loops(Operation::absolute, Operation::multiply, Operation::power, Operation::square_root),
};
BROADLOOM_OPERATOR(op, max_pool){
    .name = "MaxPool",
    .versions = maximum_versions,
    .prepare = prepare<Kind::maximum>,
    .compute = compute_maximum,
    .ready = ready<Kind::maximum>,
    .extra_work = work_of_windows,
};

}  // namespace broadloom
