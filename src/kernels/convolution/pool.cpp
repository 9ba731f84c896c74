#include "kernels/convolution/pool.h"

#include <algorithm>

#include "core/count.h"
#include "core/limits.h"
#include "kernels/base/simd.h"
#include "kernels/movement/fill.h"
#include "kernels/movement/plane.h"

namespace broadloom {
namespace {

// The number of windows that are computed at a time; fewer if they have many taps.
constexpr std::size_t windows_at_once = 64;
constexpr std::size_t addresses_at_once = std::size_t{16} * 1024;
// The number of elements of rows that are summed between two checks of the time.
constexpr std::size_t elements_at_once = std::size_t{1} << 16;

// The bits of the element that no other is below.
std::uint64_t lowest_bits(Dtype dtype) {
  if (dtype == Dtype::float32) return 0xFF800000;
  if (dtype == Dtype::float64) return 0xFFF0000000000000;
  return dtype == Dtype::int8 ? 0x80 : 0;
}

// The planes of one image, each as an image with one channel: for rows.
Layout planes_of(const Layout& images) {
  Layout planes = images;
  planes.dims[0] = images.dims[1];
  planes.strides[0] = images.strides[1];
  planes.dims[1] = 1;
  return planes;
}

// The form of copied rows: with their padding, and with one more vector of elements, which kernels may read.
ImageForm form_of(Dtype dtype, const SlidingAxis& last, bool in_rows) {
  ImageForm form{.dtype = dtype, .is_accumulated = is_half(dtype)};
  if (!in_rows) return form;
  form.before = in_memory(last.begin);
  form.after = in_memory(last.end()) + vector_bytes / sizeof(float);
  return form;
}

// Sums of many channels are faster side by side: [1, 3, 224, 224] takes 0.2 of the time in rows, and [1, 192, 8, 8] four times
// as long.
constexpr std::int64_t least_places_for_channel = 4;

}  // namespace

bool Pooling::can_pool_rows(Kind kind, Dtype dtype, const Layout& images, const SlidingAxis* last) {
  if (images.strides.values().back() != 1 || (images.strides[1] == 1 && images.dims[1] != 1)) return false;
  if (last != nullptr && last->has_much_padding()) return false;
  if (!is_sum(kind)) return !is_half(dtype);
  const Size channels = images.dims[1];
  return last != nullptr && channels.is_number() && last->places / least_places_for_channel >= channels.number();
}

// The axes with the pitches of the elements that are read; in rows, those before the last one.
SlidingAxes Pooling::outer_axes() const {
  const std::size_t count = in_rows_ ? axes_.size() - 1 : axes_.size();
  SlidingAxes result(std::max<std::size_t>(count, 1));
  for (std::size_t i = 0; i < count; ++i) {
    result[i] = axes_[i];
    result[i].pitch =
        reads_copies() ? copies_.pitch(i)
                       : static_cast<std::ptrdiff_t>(images_.strides[2 + i]) * static_cast<std::ptrdiff_t>(item_size(dtype_));
  }
  return result;
}

Pooling::Pooling(Kind kind, Dtype dtype, SlidingAxes axes, std::span<const std::int64_t> ends, const Layout& images,
                 bool in_rows)
    : kind_(kind),
      in_rows_(in_rows),
      dtype_(dtype),
      accumulate_(accumulate_type_of(dtype)),
      computed_(is_half(dtype) ? Dtype::float32 : dtype),
      axes_(without_idle_taps(axes)),
      whole_(std::move(axes)),
      ends_(ends),
      images_(images),
      form_(form_of(dtype, axes_.values().back(), in_rows && is_sum(kind))),
      copies_(in_rows ? planes_of(images) : images, form_),
      windows_(outer_axes()),
      block_(std::clamp<std::size_t>(addresses_at_once / windows_.taps(), 1, in_rows ? 1 : windows_at_once)),
      reduce_(kind == Kind::maximum ? maximum_of_windows(computed_) : sum_of_windows(computed_)) {
  block_ = std::max<std::size_t>(std::min(block_, windows_.places()), 1);
}

// ---- Runs ----

std::size_t Pooling::width() const {
  if (!in_rows_) return in_memory(images_.dims[1].number());
  return form_.before + in_memory(axes_.values().back().size) + form_.after;
}

// The parts of the workspace.
struct Pooling::Parts {
  explicit Parts(const Pooling& pool)
      : image(pool.reads_copies() ? pool.copies_.workspace_bytes() : Count()),
        outside(Count(pool.width()) * item_size(pool.computed_)),
        addresses(Count(pool.windows_.taps()) * pool.block_ * sizeof(std::byte*)),
        block(is_half(pool.dtype_) ? outside * pool.block_ : Count()) {
    if (!pool.in_rows_) return;
    const SlidingAxis& last = pool.axes_.values().back();
    const std::size_t size = item_size(pool.computed_);
    if (is_sum(pool.kind_)) {
      block = Count(last.places) * 2 * size;
    } else {
      block = outside + (Count(last.begin) + last.end()) * size + vector_bytes;
    }
  }
  Count all() const { return whole_vectors(image) + whole_vectors(outside) + whole_vectors(addresses) + whole_vectors(block); }

  Count image;
  Count outside;
  Count addresses;
  // A block of results, where results are converted. In rows: a row with its padding and one more vector; for sums, the numbers
  // of elements of a row's windows and a row of results.
  Count block;
};

Count Pooling::workspace_bytes() const { return Parts(*this).all(); }

Status Pooling::run(std::byte* to, const std::byte* images, std::byte* workspace) const {
  const Parts parts(*this);
  const auto take = [&](Count bytes) {
    std::byte* const part = workspace;
    workspace += in_memory(whole_vectors(bytes));
    return part;
  };
  std::byte* const copy = take(parts.image);
  std::byte* const outside = take(parts.outside);
  auto* const addresses = reinterpret_cast<const std::byte**>(take(parts.addresses));
  std::byte* const block = take(parts.block);
  const std::size_t size = item_size(computed_);
  const std::uint64_t padding = kind_ == Kind::maximum ? lowest_bits(computed_) : 0;
  const auto* item = reinterpret_cast<const std::byte*>(&padding);
  fill(outside, item, size, width());
  const std::size_t batch = in_memory(images_.dims[0].number());
  if (in_rows_) {
    if (!is_sum(kind_)) fill(block, item, size, in_memory(parts.block) / size);
    const auto step = static_cast<std::ptrdiff_t>(images_.strides[0]) * static_cast<std::ptrdiff_t>(item_size(dtype_));
    for (std::size_t number = 0; number < batch; ++number) {
      const std::byte* const image = images + times(number, step);
      BROADLOOM_TRY(end, is_sum(kind_) ? write_sums(to, image, copy, outside, addresses, block)
                                       : write_maxima(to, image, outside, addresses, block));
      to = end;
    }
    return {};
  }
  for (std::size_t number = 0; number < batch; ++number) {
    const std::byte* image = copies_.at(number, images, copy);
    for (std::size_t first = 0; first < windows_.places(); first += block_) {
      const std::size_t count = std::min(block_, windows_.places() - first);
      BROADLOOM_CHECK(Watch::check(static_cast<double>(count * windows_.taps()) * static_cast<double>(width())));
      windows_.write(addresses, block_, first, count, image, outside);
      std::byte* const result = is_half(dtype_) ? block : to;
      reduce_(result, {addresses, block_, count, windows_.taps(), width()});
      for (std::size_t i = 0; is_mean() && i < count; ++i) {
        with_computed([&]<class T>(T) {
          const T elements = static_cast<T>(elements_of(first + i, whole_.size()));
          divide(result + i * width() * sizeof(T), reinterpret_cast<const std::byte*>(&elements), 0, width());
        });
      }
      const std::byte* const computed = result;
      if (is_half(dtype_)) accumulate_.store(to, &computed, count * width());
      to += count * width() * item_size(dtype_);
    }
  }
  return {};
}

// First the rows of a window become one, then the elements of that.
Result<std::byte*> Pooling::write_maxima(std::byte* to, const std::byte* image, const std::byte* outside,
                                         const std::byte** addresses, std::byte* row) const {
  const SlidingAxis& last = axes_.values().back();
  const std::size_t size = item_size(dtype_);
  const auto step = static_cast<std::ptrdiff_t>(images_.strides[1]) * static_cast<std::ptrdiff_t>(size);
  std::byte* const middle = row + in_memory(last.begin) * size;
  for (std::int64_t channel = 0; channel < images_.dims[1].number(); ++channel) {
    for (std::size_t place = 0; place < windows_.places(); ++place) {
      BROADLOOM_CHECK(Watch::check(static_cast<double>(windows_.taps()) * static_cast<double>(width())));
      windows_.write(addresses, 1, place, 1, image + times(in_memory(channel), step), outside);
      reduce_(middle, {addresses, 1, 1, windows_.taps(), width()});
      BROADLOOM_CHECK(maximum_along_row(dtype_, to, row, in_memory(last.places), in_memory(last.kernel),
                                        in_memory(last.dilation), in_memory(last.stride)));
      to += in_memory(last.places) * size;
    }
  }
  return to;
}

// Sums of all elements of a window, one after the other: as without rows, to the last bit.
Result<std::byte*> Pooling::write_sums(std::byte* to, const std::byte* image, std::byte* copy, const std::byte* outside,
                                       const std::byte** addresses, std::byte* block) const {
  const SlidingAxis& last = axes_.values().back();
  const SumAlongRows sum = sum_along_rows(computed_);
  const std::size_t places = in_memory(last.places);
  const RowWindows windows{addresses, windows_.taps(), in_memory(last.kernel), in_memory(last.dilation),
                           in_memory(last.stride)};
  const std::size_t taps = windows.count * windows.kernel;
  const std::size_t at_once = whole_vectors(elements_at_once / taps + 1);
  std::byte* const elements = block;
  std::byte* const converted = block + places * item_size(computed_);
  double outer = -1;
  for (std::size_t channel = 0; channel < in_memory(images_.dims[1].number()); ++channel) {
    const std::byte* const plane = copies_.at(channel, image, copy);
    for (std::size_t row = 0; row < windows_.places(); ++row) {
      windows_.write(addresses, 1, row, 1, plane, outside);
      std::byte* const result = is_half(dtype_) ? converted : to;
      for (std::size_t first = 0; first < places; first += at_once) {
        const std::size_t end = std::min(first + at_once, places);
        BROADLOOM_CHECK(Watch::check(static_cast<double>(end - first) * static_cast<double>(taps)));
        sum(result, windows, first, end);
      }
      if (is_mean()) {
        const double of_row = elements_of(row, whole_.size() - 1);
        if (of_row != outer) write_elements(elements, of_row);
        outer = of_row;
        divide(result, elements, 1, places);
      }
      const std::byte* const computed = result;
      if (is_half(dtype_)) accumulate_.store(to, &computed, places);
      to += places * item_size(dtype_);
    }
  }
  return to;
}

// The elements of a window along one axis.
double Pooling::elements_along(std::size_t i, std::int64_t place) const {
  const SlidingAxis& axis = whole_[i];
  const bool counts_padding = kind_ == Kind::mean_of_all;
  const std::int64_t begin = axis.position(place) + (counts_padding ? axis.begin : 0);
  const std::int64_t size = axis.size + (counts_padding ? axis.begin + ends_[i] : 0);
  const std::int64_t before = begin < 0 ? (-begin + axis.dilation - 1) / axis.dilation : 0;
  const std::int64_t end = std::min(axis.kernel, (size - begin + axis.dilation - 1) / axis.dilation);
  return static_cast<double>(std::max<std::int64_t>(end - before, 0));
}

// The elements that a window's mean is of, or those along the first `axes` axes alone.
double Pooling::elements_of(std::size_t window, std::size_t axes) const {
  double elements = 1;
  for (std::size_t i = axes; i-- > 0;) {
    const std::size_t places = in_memory(whole_[i].places);
    elements *= elements_along(i, static_cast<std::int64_t>(window % places));
    window /= places;
  }
  return elements;
}

// Writes the number of elements of each window of a row. Along the other axes, a window has `outer` elements.
void Pooling::write_elements(std::byte* to, double outer) const {
  const std::size_t last = whole_.size() - 1;
  with_computed([&]<class T>(T) {
    for (std::int64_t place = 0; place < whole_[last].places; ++place)
      reinterpret_cast<T*>(to)[place] = static_cast<T>(outer * elements_along(last, place));
  });
}

// Divides sums by numbers of elements that lie `step` items apart, which is 1, or 0 where all are one.
void Pooling::divide(std::byte* sums, const std::byte* elements, std::size_t step, std::size_t count) const {
  with_computed([&]<class T>(T) {
    auto* const results = reinterpret_cast<T*>(sums);
    const auto* const by = reinterpret_cast<const T*>(elements);
    constexpr std::size_t lanes = lanes_of<T>;
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      const Lanes<T> divisors = step == 0 ? Lanes<T>{} + *by : load_lanes<T>(elements + i * sizeof(T));
      store_lanes(sums + i * sizeof(T), load_lanes<T>(sums + i * sizeof(T)) / divisors);
    }
    for (; i < count; ++i) results[i] /= by[i * step];
  });
}

}  // namespace broadloom
