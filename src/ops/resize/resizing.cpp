#include "ops/resize/resizing.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "kernels/convert.h"
#include "kernels/copy.h"
#include "kernels/fill.h"
#include "kernels/resize/resample.h"

namespace broadloom {
namespace {

// At most so many elements are converted at a time.
constexpr std::size_t slab_elements = 8192;

// 8 and 16 bits are exact in float32.
Dtype sum_type_of(Dtype dtype) {
  if (dtype == Dtype::complex64) return Dtype::float32;
  if (dtype == Dtype::complex128) return Dtype::float64;
  return info(dtype).bits > 16 && dtype != Dtype::float32 ? Dtype::float64 : Dtype::float32;
}

bool is_integer(Dtype dtype) {
  return info(dtype).kind == DtypeKind::signed_integer || info(dtype).kind == DtypeKind::unsigned_integer;
}

// The elements of a slab: of at least one row.
std::size_t slab_size(std::size_t from_row, std::size_t to_row) { return std::max({slab_elements, from_row, to_row}); }

std::uint64_t result_bytes(std::uint64_t count, std::uint64_t size) { return whole_vectors(count * size); }

// Writes sums as elements. Integers are rounded, and saturate: ONNX's text does not say it, its reference does.
template <class T>
void write_sums(std::byte* to, Dtype dtype, std::byte* sums, Dtype sum_type, std::size_t count) {
  if (is_integer(dtype)) {
    const bool is_signed = info(dtype).kind == DtypeKind::signed_integer;
    const double limit = std::ldexp(1.0, info(dtype).bits - (is_signed ? 1 : 0));
    // For 64 bits the number below, since the greatest integer is between the two.
    const double most = info(dtype).bits == 64 ? std::nextafter(limit, 0) : limit - 1;
    round_within<T>(sums, count, static_cast<T>(is_signed ? -limit : 0), static_cast<T>(most));
  }
  convert(to, dtype, sums, sum_type, count);
}

}  // namespace

Resizing::Resizing(Dtype dtype, const ResizeRule& rule, const ResizedAxes& axes, float extrapolation)
    : rule_(rule), axes_(axes), extrapolation_(extrapolation), dtype_(dtype), sum_type_(sum_type_of(dtype)) {
  const bool is_complex = info(dtype).kind == DtypeKind::complex;
  parts_ = is_complex ? 2 : 1;
  converts_ = !is_complex && sum_type_ != dtype;
  const auto changes = [](const ResizedAxis& axis) { return !axis.is_unchanged(); };
  first_ = static_cast<std::size_t>(std::find_if(axes_.begin(), axes_.end(), changes) - axes_.begin());
  for (std::size_t i = first_; i < axes_.size(); ++i) {
    if (changes(axes_[i])) end_ = i + 1;
  }
  if (end_ == 0) first_ = 0;
  blocks_ = count(0, first_, true);
  from_block_ = count(first_, axes_.size(), false) * item_size(dtype);
  to_block_ = count(first_, axes_.size(), true) * item_size(dtype);
}

std::size_t Resizing::count(std::size_t first, std::size_t end, bool is_resized) const {
  std::size_t product = 1;
  for (std::size_t i = first; i < end; ++i) product *= static_cast<std::size_t>(is_resized ? axes_[i].to : axes_[i].from);
  return product;
}

Status Resizing::make() {
  if (end_ == 0) return {};
  if (rule_.interpolation == Interpolation::nearest) return make_choice();
  return sum_type_ == Dtype::float32 ? make_passes<float>() : make_passes<double>();
}

void Resizing::run(std::byte* to, const std::byte* from, std::byte* workspace) const {
  if (end_ == 0) return copy_bytes(to, from, to_block_);
  for (std::size_t i = 0; i < blocks_; ++i) {
    std::byte* const block = to + i * to_block_;
    if (rule_.interpolation == Interpolation::nearest) {
      choose(block, from + i * from_block_, choice_);
    } else if (sum_type_ == Dtype::float32) {
      run_passes<float>(block, from + i * from_block_, workspace);
    } else {
      run_passes<double>(block, from + i * from_block_, workspace);
    }
  }
  if (rule_.coordinates == Coordinates::tf_crop_and_resize) fill_outside(to);
}

void Resizing::fill_outside(std::byte* to) const {
  alignas(16) std::byte item[16] = {};
  if (dtype_ != Dtype::string) {
    alignas(16) std::byte number[16];
    const double value = static_cast<double>(extrapolation_);
    std::memcpy(number, &value, sizeof value);
    if (parts_ == 2) {
      convert(item, sum_type_, number, Dtype::float64, 1);
    } else {
      write_sums<double>(item, dtype_, number, Dtype::float64, 1);
    }
  }
  const std::size_t size = item_size(dtype_);
  std::size_t outer = 1;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    const ResizedAxis& axis = axes_[i];
    const std::size_t inner = count(i + 1, axes_.size(), true);
    const auto width = static_cast<std::size_t>(axis.to);
    for (std::size_t o = 0; o < width && !axis.is_unchanged(); ++o) {
      if (!is_outside(rule_, axis, static_cast<std::int64_t>(o))) continue;
      for (std::size_t k = 0; k < outer; ++k) fill(to + (k * width + o) * inner * size, item, size, inner);
    }
    outer *= width;
  }
}

// ---- Nearest ----

Status Resizing::make_choice() {
  std::int64_t entries = 0;
  for (std::size_t i = first_; i < end_; ++i) entries += axes_[i].to;
  BROADLOOM_TRY(tables, Storage::allocate(entries * static_cast<std::int64_t>(sizeof(std::ptrdiff_t))));
  tables_ = std::move(tables);
  choice_.resize(end_ - first_);
  auto* offsets = reinterpret_cast<std::ptrdiff_t*>(tables_->data());
  std::size_t to_step = count(end_, axes_.size(), true) * item_size(dtype_);
  std::size_t from_step = to_step;
  for (std::size_t i = end_; i-- > first_;) {
    const ResizedAxis& axis = axes_[i];
    const std::int64_t times = i + 1 == end_ && axis.to % axis.from == 0 ? axis.to / axis.from : 0;
    bool repeats = times > 1;
    for (std::int64_t o = 0; o < axis.to; ++o) {
      const std::int64_t index = axis.is_unchanged() ? o : nearest_index(rule_, axis, o);
      repeats = repeats && index == o / times;
      offsets[o] = static_cast<std::ptrdiff_t>(index) * static_cast<std::ptrdiff_t>(from_step);
    }
    const auto size = static_cast<std::size_t>(axis.to);
    choice_[i - first_] = {{offsets, size}, to_step, static_cast<std::size_t>(repeats ? times : 0)};
    offsets += size;
    to_step *= size;
    from_step *= static_cast<std::size_t>(axis.from);
  }
  return {};
}

// ---- Linear and cubic ----

template <class T>
Status Resizing::make_passes() {
  // Axes that get shorter come first: so no pass has a result that is larger than both the input and the output.
  std::vector<bool> is_done(axes_.size());
  const auto size_of = [&](std::size_t i) { return static_cast<std::size_t>(is_done[i] ? axes_[i].to : axes_[i].from); };
  std::uint64_t bytes = 0;
  for (const bool grows : {false, true}) {
    for (std::size_t i = end_; i-- > first_;) {
      const ResizedAxis& axis = axes_[i];
      if (axis.is_unchanged() || (axis.to > axis.from) != grows) continue;
      Pass pass{i, 1, 0, 0, parts_, taps_of(rule_, axis), nullptr, nullptr};
      for (std::size_t k = first_; k < i; ++k) pass.outer *= size_of(k);
      for (std::size_t k = i + 1; k < axes_.size(); ++k) pass.inner *= size_of(k);
      pass.from_row = static_cast<std::size_t>(axis.from) * pass.inner;
      pass.to_row = static_cast<std::size_t>(axis.to) * pass.inner;
      is_done[i] = true;
      passes_.push_back(pass);
      bytes += static_cast<std::uint64_t>(axis.to) * (sizeof(Window) + pass.taps * sizeof(T)) + 2 * vector_bytes;
      workspace_bytes_ += result_bytes(pass.outer * std::uint64_t{pass.to_row}, sizeof(T));
      slab_bytes_ = std::max(slab_bytes_, whole_vectors(std::uint64_t{sizeof(T)} * slab_size(pass.from_row, pass.to_row)));
    }
  }
  workspace_bytes_ -= result_bytes(passes_.back().outer * std::uint64_t{passes_.back().to_row}, sizeof(T));
  if (converts_) workspace_bytes_ += 2 * slab_bytes_;
  if (passes_.size() == 1) passes_[0].outer *= std::exchange(blocks_, 1);
  BROADLOOM_TRY(tables, Storage::allocate(static_cast<std::int64_t>(std::min<std::uint64_t>(bytes, max_count))));
  tables_ = std::move(tables);
  std::byte* at = tables_->data();
  for (Pass& pass : passes_) {
    const auto size = static_cast<std::size_t>(axes_[pass.axis].to);
    auto* windows = reinterpret_cast<Window*>(at);
    at += whole_vectors(size * sizeof(Window));
    auto* weights = reinterpret_cast<T*>(at);
    write_windows(windows, weights, pass.taps, rule_, axes_[pass.axis]);
    pass.windows = windows;
    pass.weights = at;
    at += whole_vectors(size * pass.taps * sizeof(T));
  }
  return {};
}

template <class T>
void Resizing::run_passes(std::byte* to, const std::byte* from, std::byte* workspace) const {
  std::byte* const slabs = workspace;
  if (converts_) workspace += 2 * slab_bytes_;
  for (const Pass& pass : passes_) {
    std::byte* const result = &pass == &passes_.back() ? to : workspace;
    run_pass<T>(pass, result, from, slabs);
    workspace += result_bytes(pass.outer * std::uint64_t{pass.to_row}, sizeof(T));
    from = result;
  }
}

template <class T>
void Resizing::run_pass(const Pass& pass, std::byte* to, const std::byte* from, std::byte* slabs) const {
  const ResizedAxis& axis = axes_[pass.axis];
  const Windows<T> windows{static_cast<std::size_t>(axis.from), static_cast<std::size_t>(axis.to), pass.taps, pass.windows,
                           reinterpret_cast<const T*>(pass.weights)};
  const bool loads = converts_ && &pass == &passes_.front();
  const bool stores = converts_ && &pass == &passes_.back();
  if (!loads && !stores) return resample(to, from, windows, pass.outer, pass.inner);
  const std::size_t rows = slab_size(pass.from_row, pass.to_row) / std::max(pass.from_row, pass.to_row);
  std::byte* const result = slabs + slab_bytes_;
  for (std::size_t i = 0; i < pass.outer; i += rows) {
    const std::size_t count = std::min(rows, pass.outer - i);
    const std::byte* source = from + i * pass.from_row * (loads ? item_size(dtype_) : sizeof(T));
    std::byte* const place = to + i * pass.to_row * (stores ? item_size(dtype_) : sizeof(T));
    if (loads) {
      convert(slabs, sum_type_, source, dtype_, count * pass.from_row);
      source = slabs;
    }
    resample(stores ? result : place, source, windows, count, pass.inner);
    if (stores) write_sums<T>(place, dtype_, result, sum_type_, count * pass.to_row);
  }
}

}  // namespace broadloom
