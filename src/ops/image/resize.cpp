// Resize and Upsample: an image with other sizes. ONNX: onnx/defs/tensor/defs.cc and old.cc.
#include "core/text.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/call/ready_call.h"
#include "ops/image/averages.h"
#include "ops/image/target.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

// The words have the order of the enumerations in kernels/sampling/coordinates.h. Runtimes accept words of some versions in
// all.
constexpr AttributeSpec mode = one_of("mode", "nearest linear cubic");
constexpr AttributeSpec mode_1 = one_of("mode", "nearest bilinear");
constexpr AttributeSpec coordinates = one_of(
    "coordinate_transformation_mode",
    "half_pixel half_pixel_symmetric pytorch_half_pixel align_corners asymmetric tf_half_pixel_for_nn tf_crop_and_resize");
constexpr AttributeSpec attributes_18[] = {
    mode,
    coordinates,
    with_default("cubic_coeff_a", FLOAT, -0.75F),
    with_default("exclude_outside", INT, 0),
    with_default("extrapolation_value", FLOAT, 0),
    one_of("nearest_mode", "round_prefer_floor round_prefer_ceil floor ceil"),
    with_default("antialias", INT, 0),
    {"axes", INTS},
    one_of("keep_aspect_ratio_policy", "stretch not_larger not_smaller"),
};
constexpr std::span attributes_11 = std::span(attributes_18).first<6>();
constexpr std::span attributes_9 = std::span(attributes_18).first<1>();
constexpr AttributeSpec attributes_7[] = {mode, required("scales", FLOATS)};
constexpr AttributeSpec attributes_1[] = {mode_1, required("height_scale", FLOAT), required("width_scale", FLOAT)};

constexpr Parameter inputs_9[] = {{"X", T}, {"scales", Dtype::float32}};
constexpr Parameter inputs_11[] = {{"X", T1}, {"roi", T2}, {"scales", Dtype::float32}, {"sizes", Dtype::int64, Optional}};
constexpr Parameter inputs_13[] = {
    {"X", T1}, {"roi", T2, Optional}, {"scales", Dtype::float32, Optional}, {"sizes", Dtype::int64, Optional}};
constexpr Parameter outputs_9[] = {{"Y", T}};
constexpr Parameter outputs_11[] = {{"Y", T1}};
constexpr Signature signature_1{attributes_1, std::span(inputs_9).first<1>(), outputs_9, {T}};
constexpr Signature signature_7{attributes_7, std::span(inputs_9).first<1>(), outputs_9, {T}};
constexpr Signature signature_9{attributes_9, inputs_9, outputs_9, {T}};
constexpr Signature signature_11{attributes_11, inputs_11, outputs_11, {T1, T2}};
constexpr Signature signature_13{attributes_11, inputs_13, outputs_11, {T1, T2}};
constexpr Signature signature_18{attributes_18, inputs_13, outputs_11, {T1, T2}};

constexpr OperatorVersion upsample_versions[] = {
    {1, &signature_1, {types::boolean | types::int32 | types::int64 | types::floats}},
    {7, &signature_7, {types::all_opset_1}},
    {9, &signature_9, {types::all_opset_1}},
    {10, &signature_9, {types::all_opset_1}},
};
constexpr OperatorVersion versions[] = {
    {10, &signature_9, {types::all_opset_1}},
    {11, &signature_11, {types::all_opset_1, types::floats}},
    {13, &signature_13, {types::all_opset_13, types::floats}},
    {18, &signature_18, {types::all_opset_13, types::floats}},
    {19, &signature_18, {types::all_opset_13, types::floats}},
};

// ---- Calls ----

ResizeRule rule_of(const Call& call) {
  ResizeRule rule{
      .interpolation = static_cast<Interpolation>(word_number(call, "mode")),
      .has_antialias = call.integer("antialias") != 0,
      .excludes_outside = call.integer("exclude_outside") != 0,
  };
  if (find_spec(call.version, "nearest_mode") != nullptr) {
    rule.coordinates = static_cast<Coordinates>(word_number(call, "coordinate_transformation_mode"));
    rule.nearest = static_cast<NearestMode>(word_number(call, "nearest_mode"));
    rule.cubic_coefficient = static_cast<double>(call.number("cubic_coeff_a"));
  }
  return rule;
}

// Upsample cannot make an axis shorter.
template <bool is_upsample>
Status prepare(Call& call) {
  const Tensor& data = *call.inputs[0];
  const ResizeRule rule = rule_of(call);
  if (rule.interpolation != Interpolation::nearest) BROADLOOM_CHECK(check_averages(data.dtype, call.word("mode")));
  if (rule.interpolation == Interpolation::nearest && rule.has_antialias) {
    return impossible("antialias is for modes linear and cubic, not for nearest");
  }
  if (call.version.since_version == 1 && data.is_ranked() && data.dims().size() != 4) {
    return impossible("'X' has dims {}, wanted 4 axes", data.dims().values());
  }
  BROADLOOM_TRY(target, target_of(call, is_upsample ? 1 : 0));
  if (!target.is_ranked) return {};
  call.outputs[0] = known_dims(data.dtype, target.dims);
  if (rule.coordinates == Coordinates::tf_crop_and_resize && target.is_known) {
    BROADLOOM_TRY(are_known, read_regions(call, target.axes));
    if (!are_known) return {};
  }
  if (target.is_unchanged() && data.has_elements()) {
    BROADLOOM_TRY(same, share(data));
    call.outputs[0] = std::move(same);
  }
  return {};
}

// Fails, or has no axes, before all is known.
Result<ResizedAxes> axes_of(const Call& call, const ResizeRule& rule) {
  BROADLOOM_TRY(target, target_of(call, 0));
  bool are_known = target.is_known;
  if (are_known && rule.coordinates == Coordinates::tf_crop_and_resize) {
    BROADLOOM_TRY(has_regions, read_regions(call, target.axes));
    are_known = has_regions;
  }
  return are_known ? Result<ResizedAxes>(std::move(target.axes)) : Result<ResizedAxes>();
}

class ReadyResize : public ReadyCall {
 public:
  ReadyResize(Dtype dtype, const ResizeRule& rule, float extrapolation) : resizing_(dtype, rule, extrapolation) {}
  Status make(std::span<const ResizedAxis> axes) { return resizing_.make(axes); }
  Count workspace_bytes() const override { return resizing_.workspace_bytes(); }
  Status run(const Call& call, std::byte* workspace) override {
    BROADLOOM_TRY(dense, densify(*call.inputs[0]));
    const Tensor& output = call.outputs[0];
    BROADLOOM_CHECK(resizing_.run(output.data(), dense.data(), workspace));
    if (output.dtype == Dtype::string) output.storage->text = dense.storage->text;
    return {};
  }

 private:
  Resizing resizing_;
};

Result<Ready> ready(const Call& call, PackedOperands* packed) {
  // Elements that lie apart may be few for the size of an axis, and a plan would keep a list of that size.
  if (packed != nullptr && !is_dense(call.inputs[0]->layout)) return Ready();
  const ResizeRule rule = rule_of(call);
  BROADLOOM_TRY(axes, axes_of(call, rule));
  if (axes.empty()) return Ready();
  auto resize = std::make_unique<ReadyResize>(call.outputs[0].dtype, rule, call.number("extrapolation_value"));
  BROADLOOM_CHECK(resize->make(axes.values()));
  return Ready{{}, std::move(resize), nullptr};
}

}  // namespace

BROADLOOM_OPERATOR(op, resize){
    .name = "Resize",
    .versions = versions,
    .prepare = prepare<false>,
    .compute = run_once<ready>,
    .ready = ready,
};
BROADLOOM_OPERATOR(op, upsample){
    .name = "Upsample",
    .versions = upsample_versions,
    .prepare = prepare<true>,
    .compute = run_once<ready>,
    .ready = ready,
};

}  // namespace broadloom
