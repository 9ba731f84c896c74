// RoiAlign and MaxRoiPool: regions of images, each at one size. ONNX: onnx/defs/object_detection/defs.cc, onnx/defs/nn/defs.cc.
#include "kernels/sampling/regions.h"

#include <algorithm>
#include <cmath>

#include "core/count.h"
#include "core/limits.h"
#include "core/text.h"
#include "kernels/elementwise/convert.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec align_attributes[] = {
    one_of("mode", "avg max"),
    with_default("output_height", INT, 1),
    with_default("output_width", INT, 1),
    with_default("sampling_ratio", INT, 0),
    with_default("spatial_scale", FLOAT, 1),
    one_of("coordinate_transformation_mode", "half_pixel output_half_pixel"),
};
constexpr AttributeSpec pool_attributes[] = {required("pooled_shape", INTS), with_default("spatial_scale", FLOAT, 1)};
constexpr Parameter align_inputs[] = {{"X", T1}, {"rois", T1}, {"batch_indices", T2}};
constexpr Parameter pool_inputs[] = {{"X", T}, {"rois", T}};
constexpr Parameter align_outputs[] = {{"Y", T1}};
constexpr Parameter pool_outputs[] = {{"Y", T}};
constexpr Signature align_signature_10{std::span(align_attributes).first<5>(), align_inputs, align_outputs, {T1, T2}};
constexpr Signature align_signature{align_attributes, align_inputs, align_outputs, {T1, T2}};
constexpr Signature pool_signature{pool_attributes, pool_inputs, pool_outputs, {T}};
constexpr OperatorVersion align_versions[] = {{10, &align_signature_10, {types::floats, Dtype::int64}},
                                              {16, &align_signature, {types::floats, Dtype::int64}},
                                              {22, &align_signature, {types::floats_13, Dtype::int64}}};
constexpr OperatorVersion pool_versions[] = {{1, &pool_signature, {types::floats}}, {22, &pool_signature, {types::floats_13}}};

constexpr std::int64_t most_samples = 128;

// The time of finding a tap, for Watch::check.
constexpr double steps_of_tap = 8;

bool aligns(const Call& call) { return call.version.inputs().size() == 3; }

Status prepare(Call& call) {
  const bool is_aligned = aligns(call);
  const std::size_t numbers = is_aligned ? 4 : 5;
  const Tensor& image = *call.inputs[0];
  const Tensor& regions = *call.inputs[1];
  SymbolicDims dims(4, unknown_size);
  if (image.is_ranked()) {
    if (image.dims().size() != 4) return impossible("'X' has dims {}, wanted 4 axes", image.dims().values());
    dims[1] = image.dims()[1];
  }
  if (regions.is_ranked()) {
    const SymbolicDims& own = regions.dims();
    if (own.size() != 2 || differ(own[1], static_cast<std::int64_t>(numbers))) {
      return impossible("'rois' has dims {}, wanted {} numbers for each region", own.values(), numbers);
    }
    dims[0] = own[0];
  }
  if (is_aligned) {
    const Tensor& batches = *call.inputs[2];
    if (batches.is_ranked() && (batches.dims().size() != 1 || differ(batches.dims()[0], dims[0]))) {
      return impossible("'batch_indices' has dims {}, wanted one for each of {} regions", batches.dims().values(), dims[0]);
    }
    if (batches.is_ranked() && dims[0].is_unknown()) dims[0] = batches.dims()[0];
    const std::int64_t samples = call.integer("sampling_ratio");
    if (samples < 0 || samples > most_samples) {
      return fail(Code::InvalidArgument, "sampling_ratio is {}, wanted 0 to {}", samples, most_samples);
    }
    dims[2] = call.integer("output_height");
    dims[3] = call.integer("output_width");
  } else {
    BROADLOOM_TRY(shape, read_list(call, "pooled_shape"));
    if (shape.size() != 2) return impossible("pooled_shape has {} entr{y}, wanted 2", shape.size());
    dims[2] = shape[0];
    dims[3] = shape[1];
  }
  if (!(dims[2].is_number() && dims[3].is_number() && dims[2].number() > 0 && dims[3].number() > 0)) {
    return impossible("a region gets the dims {}, wanted positive sizes", dims.values().subspan(2));
  }
  call.outputs[0] = known_dims(image.dtype, dims);
  return {};
}

// The places of a pool along one axis of a region. Numbers are rounded to float32 where elements are, as runtimes compute them.
class RegionAxis {
 public:
  RegionAxis(std::int64_t size, std::int64_t places, std::int64_t samples, bool is_float, bool is_max)
      : size_(size), places_(places), samples_(samples), is_float_(is_float), is_max_(is_max) {}

  Status allocate() {
    // Without a number of samples, they lie at least half an element apart.
    const std::int64_t most = samples_ > 0 ? places_ * samples_ : 2 * size_ + 4 * places_ + 8;
    BROADLOOM_TRY(taps, Storage::allocate(2 * most * static_cast<std::int64_t>(sizeof(RegionTap))));
    BROADLOOM_TRY(bins, Storage::allocate(places_ * static_cast<std::int64_t>(sizeof(RegionBin))));
    taps_ = std::move(taps);
    end_ = first() + 2 * most;
    bins_ = std::move(bins);
    return {};
  }
  std::span<const RegionBin> bins() const { return {reinterpret_cast<const RegionBin*>(bins_->data()), in_memory(places_)}; }

  // Bilinear samples at even distances. Returns their number for each place.
  Result<double> align(double start, double end, bool is_shifted) {
    double length = rounded(end - start);
    if (!is_shifted) length = std::max(length, 1.0);
    const double step = rounded(length / static_cast<double>(places_));
    const double samples = samples_ > 0 ? static_cast<double>(samples_) : std::ceil(step);
    const auto limit = static_cast<double>(size_);
    RegionTap* to = first();
    for (std::int64_t place = 0; place < places_; ++place) {
      RegionBin& bin = begin(place);
      const double base = rounded(start + rounded(static_cast<double>(place) * step));
      // The numbers of the samples that may be inside: from `from` to before `until`.
      double from = 0;
      double until = samples;
      if (samples_ == 0 && samples > 0) {
        const double each = step / samples;
        from = std::clamp(std::floor((-1 - base) / each) - 1, 0.0, samples);
        until = std::clamp(std::ceil((limit - base) / each) + 1, from, samples);
      }
      bin.has_zero = from > 0 || until < samples;
      RegionTap* const own = to;
      // Above 2^53, numbers of samples are rounded, and there may seem to be more.
      const double most = std::min(until - from, static_cast<double>(end_ - to) / 2);
      const std::int64_t count = most > 0 ? static_cast<std::int64_t>(most) : 0;
      BROADLOOM_CHECK(Watch::check(steps_of_tap * static_cast<double>(count + 1)));
      for (std::int64_t i = 0; i < count; ++i) {
        const double number = from + static_cast<double>(i) + 0.5;
        const double x = rounded(base + rounded(rounded(number * step) / samples));
        if (x >= -1 && x <= limit) {
          const double inner = std::clamp(x, 0.0, limit - 1);
          const double low = std::floor(inner);
          const double part = inner - low;
          to = add(own, to, low, 1 - part);
          if (part > 0 || is_max_) to = add(own, to, std::min(low + 1, limit - 1), part);
        } else {
          bin.has_zero = true;
        }
      }
      bin.taps = {own, to};
    }
    return samples;
  }

  // All elements of each place.
  Status cover(double start, double end) {
    const double first_index = std::round(start);
    const double step = rounded(std::max(std::round(end) - first_index + 1, 1.0) / static_cast<double>(places_));
    // NaN is the first index.
    const auto within = [&](double index) {
      return index > 0 ? static_cast<std::int64_t>(std::min(index, static_cast<double>(size_))) : 0;
    };
    RegionTap* to = first();
    for (std::int64_t place = 0; place < places_; ++place) {
      RegionBin& bin = begin(place);
      RegionTap* const own = to;
      const std::int64_t low = within(std::floor(rounded(static_cast<double>(place) * step)) + first_index);
      const std::int64_t high = within(std::ceil(rounded(static_cast<double>(place + 1) * step)) + first_index);
      BROADLOOM_CHECK(Watch::check(static_cast<double>(std::max<std::int64_t>(high - low, 0) + 8)));
      for (std::int64_t i = low; i < high && to < end_; ++i) *to++ = {in_memory(i), 1};
      bin.taps = {own, to};
    }
    return {};
  }

 private:
  double rounded(double value) const { return is_float_ ? static_cast<double>(static_cast<float>(value)) : value; }
  RegionTap* first() { return reinterpret_cast<RegionTap*>(taps_->data()); }
  RegionBin& begin(std::int64_t place) {
    RegionBin& bin = reinterpret_cast<RegionBin*>(bins_->data())[place];
    bin = {};
    return bin;
  }
  // Adds up the weights of an index, of the last two.
  RegionTap* add(RegionTap* own, RegionTap* to, double place, double weight) const {
    const auto index = in_memory(Count::of(place));
    for (RegionTap* tap = to; !is_max_ && tap > own && to - tap < 2;) {
      if ((--tap)->index != index) continue;
      tap->weight += weight;
      return to;
    }
    *to = {index, weight};
    return to + 1;
  }

  std::int64_t size_;
  std::int64_t places_;
  std::int64_t samples_;
  bool is_float_;
  bool is_max_;
  StorageRef taps_;
  RegionTap* end_ = nullptr;  // of the room for them
  StorageRef bins_;
};

template <class T>
Status pool_regions(const Call& call, const Tensor& image, const Tensor& regions, Tensor& result) {
  const bool is_aligned = aligns(call);
  const bool is_shifted = is_aligned && call.word("coordinate_transformation_mode") == "half_pixel";
  const bool is_max = !is_aligned || call.word("mode") == "max";
  const std::span<const std::int64_t> dims = image.run_dims();
  const std::span<const std::int64_t> pooled = result.run_dims();
  const std::int64_t samples = is_aligned ? call.integer("sampling_ratio") : 0;
  RegionAxis rows(dims[2], pooled[2], samples, sizeof(T) == sizeof(float), is_max);
  RegionAxis columns(dims[3], pooled[3], samples, sizeof(T) == sizeof(float), is_max);
  BROADLOOM_CHECK(rows.allocate());
  BROADLOOM_CHECK(columns.allocate());
  const T scale = static_cast<T>(call.number("spatial_scale"));
  const T shift = is_shifted ? T(0.5) : T(0);
  Tensor batches;
  if (is_aligned) {
    BROADLOOM_TRY(list, densify(*call.inputs[2]));
    batches = std::move(list);
  }
  const auto* numbers = reinterpret_cast<const T*>(regions.data());
  const auto plane = in_memory(dims[2] * dims[3]);
  auto* to = reinterpret_cast<T*>(result.data());
  for (std::int64_t i = 0; i < pooled[0]; ++i, numbers += regions.run_dims()[1]) {
    const T* corners = is_aligned ? numbers : numbers + 1;
    const auto at = [&](std::size_t k) { return static_cast<double>(corners[k] * scale - shift); };
    const auto batch = is_aligned ? static_cast<double>(reinterpret_cast<const std::int64_t*>(batches.data())[i])
                                  : static_cast<double>(numbers[0]);
    if (!(batch >= 0 && batch < static_cast<double>(dims[0]))) {
      return fail(Code::InvalidArgument, "region {} is one of image {}, but there are {}", i, batch, dims[0]);
    }
    double divisor = 1;
    if (is_aligned) {
      BROADLOOM_TRY(of_rows, rows.align(at(1), at(3), is_shifted));
      BROADLOOM_TRY(of_columns, columns.align(at(0), at(2), is_shifted));
      divisor = std::max(of_rows * of_columns, 1.0);
    } else {
      BROADLOOM_CHECK(rows.cover(at(1), at(3)));
      BROADLOOM_CHECK(columns.cover(at(0), at(2)));
    }
    const T* from = reinterpret_cast<const T*>(image.data()) + in_memory(Count::of(batch)) * in_memory(dims[1]) * plane;
    for (std::int64_t channel = 0; channel < dims[1]; ++channel, from += plane, to += pooled[2] * pooled[3]) {
      const auto width = in_memory(dims[3]);
      BROADLOOM_CHECK(pool_region(to, from, width, rows.bins(), columns.bins(), is_max, divisor));
    }
  }
  return {};
}

Status compute(Call& call) {
  Tensor& output = call.outputs[0];
  if (output.count() == 0) return {};
  if (call.inputs[0]->count() == 0) return impossible("'X' has dims {}, without elements", call.inputs[0]->dims().values());
  const Dtype dtype = accumulate_type_of(output.dtype).dtype;
  BROADLOOM_TRY(image, in_type(*call.inputs[0], dtype));
  BROADLOOM_TRY(regions, in_type(*call.inputs[1], dtype));
  BROADLOOM_TRY(result, unrounded(output, dtype));
  BROADLOOM_CHECK(dtype == Dtype::float32 ? pool_regions<float>(call, image, regions, result)
                                          : pool_regions<double>(call, image, regions, result));
  return write_rounded(output, result);
}

}  // namespace

BROADLOOM_OPERATOR(op, max_roi_pool){.name = "MaxRoiPool", .versions = pool_versions, .prepare = prepare, .compute = compute};
BROADLOOM_OPERATOR(op, roi_align){.name = "RoiAlign", .versions = align_versions, .prepare = prepare, .compute = compute};

}  // namespace broadloom
