#include "kernels/convolution/pool.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/limits.h"
#include "kernels/fill.h"
#include "kernels/planes.h"
#include "kernels/simd.h"

namespace broadloom {
namespace {

// So many windows at a time, or fewer if they have many taps.
constexpr std::size_t windows_at_once = 64;
constexpr std::size_t addresses_at_once = std::size_t{16} * 1024;

double whole(double bytes) { return std::ceil(bytes / vector_bytes) * vector_bytes; }

// The bits of the element that no other is below.
std::uint64_t lowest_bits(Dtype dtype) {
  if (dtype == Dtype::float32) return 0xFF800000;
  if (dtype == Dtype::float64) return 0xFFF0000000000000;
  return dtype == Dtype::int8 ? 0x80 : 0;
}

// The axes with the pitches of the images; in rows, those before the last one.
SlidingAxes axes_in(const SlidingAxes& axes, const Layout& images, const ChannelsLast& copies, std::ptrdiff_t item_bytes,
                    bool in_rows) {
  SlidingAxes result(std::max<std::size_t>(axes.size() - (in_rows ? 1 : 0), 1));
  const std::size_t count = in_rows ? axes.size() - 1 : axes.size();
  for (std::size_t i = 0; i < count; ++i) {
    result[i] = axes[i];
    result[i].pitch = in_rows ? static_cast<std::ptrdiff_t>(images.strides[2 + i]) * item_bytes : copies.pitch(i);
  }
  return result;
}

}  // namespace

bool Pooling::can_pool_rows(Kind kind, Dtype dtype, const Layout& images) {
  const bool has_channels_inside = images.strides[1] == 1 && images.dims[1] != 1;
  return kind == Kind::maximum && !is_half(dtype) && images.strides.values().back() == 1 && !has_channels_inside;
}

Pooling::Pooling(Kind kind, Dtype dtype, SlidingAxes axes, std::span<const std::int64_t> ends, const Layout& images,
                 bool in_rows)
    : kind_(kind),
      in_rows_(in_rows),
      dtype_(dtype),
      accumulate_(accumulate_type_of(dtype)),
      folded_(is_half(dtype) ? Dtype::float32 : dtype),
      axes_(without_idle_taps(axes)),
      whole_(std::move(axes)),
      ends_(ends),
      images_(images),
      copies_(images, {.dtype = dtype, .is_accumulated = is_half(dtype)}),
      windows_(axes_in(axes_, images, copies_, static_cast<std::ptrdiff_t>(item_size(dtype)), in_rows)),
      block_(std::clamp<std::size_t>(addresses_at_once / windows_.taps(), 1, in_rows ? 1 : windows_at_once)),
      fold_(kind == Kind::maximum ? maximum_of_windows(folded_) : sum_of_windows(folded_)) {
  block_ = std::max<std::size_t>(std::min(block_, windows_.places()), 1);
}

// ---- Runs ----

std::size_t Pooling::channels() const {
  return in_rows_ ? to_size(axes_.values().back().size) : to_size(images_.dims[1].number());
}

// The parts of the workspace.
struct Pooling::Parts {
  explicit Parts(const Pooling& pool)
      : image(pool.in_rows_ ? 0 : pool.copies_.workspace_bytes()),
        outside(static_cast<double>(pool.channels() * item_size(pool.folded_))),
        addresses(static_cast<double>(pool.block_ * sizeof(std::byte*)) * static_cast<double>(pool.windows_.taps())),
        block(is_half(pool.dtype_) ? outside * static_cast<double>(pool.block_) : 0) {
    const SlidingAxis& last = pool.axes_.values().back();
    const double padding = static_cast<double>(last.begin) + static_cast<double>(last.end());
    if (pool.in_rows_) block = outside + padding * static_cast<double>(item_size(pool.folded_)) + vector_bytes;
  }
  double all() const { return whole(image) + whole(outside) + whole(addresses) + whole(block); }

  double image;
  double outside;
  double addresses;
  double block;  // of results that are converted; in rows: one row with its padding, and a vector behind it
};

double Pooling::workspace_bytes() const { return Parts(*this).all(); }

void Pooling::run(std::byte* to, const std::byte* images, std::byte* workspace) const {
  const Parts parts(*this);
  const auto take = [&](double bytes) {
    std::byte* const part = workspace;
    workspace += static_cast<std::size_t>(whole(bytes));
    return part;
  };
  std::byte* const copy = take(parts.image);
  std::byte* const outside = take(parts.outside);
  auto* const addresses = reinterpret_cast<const std::byte**>(take(parts.addresses));
  std::byte* const block = take(parts.block);
  const std::size_t size = item_size(folded_);
  const std::uint64_t padding = kind_ == Kind::maximum ? lowest_bits(folded_) : 0;
  const auto* item = reinterpret_cast<const std::byte*>(&padding);
  fill(outside, item, size, channels());
  if (in_rows_) {
    fill(block, item, size, static_cast<std::size_t>(parts.block) / size);
    return run_rows(to, images, outside, addresses, block);
  }
  const std::size_t batch = to_size(images_.dims[0].number());
  for (std::size_t number = 0; number < batch; ++number) {
    const std::byte* image = copies_.at(number, images, copy);
    for (std::size_t first = 0; first < windows_.places(); first += block_) {
      const std::size_t count = std::min(block_, windows_.places() - first);
      if (Watch::is_over(static_cast<double>(count * windows_.taps()) * static_cast<double>(channels()))) return;
      windows_.write(addresses, block_, first, count, image, outside);
      std::byte* const result = is_half(dtype_) ? block : to;
      fold_(result, {addresses, block_, count, windows_.taps(), channels()});
      if (kind_ != Kind::maximum && kind_ != Kind::sum) divide(result, first, count);
      const std::byte* const computed = result;
      if (is_half(dtype_)) accumulate_.store(to, &computed, count * channels());
      to += count * channels() * item_size(dtype_);
    }
  }
}

// First the rows of a window become one, then the elements of that.
void Pooling::run_rows(std::byte* to, const std::byte* images, const std::byte* outside, const std::byte** addresses,
                       std::byte* row) const {
  const SlidingAxis& last = axes_.values().back();
  const std::size_t size = item_size(dtype_);
  const auto step = [&](std::size_t axis) {
    return static_cast<std::ptrdiff_t>(images_.strides[axis]) * static_cast<std::ptrdiff_t>(size);
  };
  std::byte* const middle = row + to_size(last.begin) * size;
  for (std::int64_t number = 0; number < images_.dims[0].number(); ++number) {
    for (std::int64_t channel = 0; channel < images_.dims[1].number(); ++channel) {
      const std::byte* plane = images + times(to_size(number), step(0)) + times(to_size(channel), step(1));
      for (std::size_t place = 0; place < windows_.places(); ++place) {
        if (Watch::is_over(static_cast<double>(windows_.taps()) * static_cast<double>(channels()))) return;
        windows_.write(addresses, 1, place, 1, plane, outside);
        fold_(middle, {addresses, 1, 1, windows_.taps(), channels()});
        maximum_along_row(dtype_, to, row, to_size(last.places), to_size(last.kernel), to_size(last.dilation),
                          to_size(last.stride));
        to += to_size(last.places) * size;
      }
    }
  }
}

// The elements that a window's mean is of.
double Pooling::elements_of(std::size_t window) const {
  double elements = 1;
  for (std::size_t i = whole_.size(); i-- > 0;) {
    const SlidingAxis& axis = whole_[i];
    const std::int64_t place = static_cast<std::int64_t>(window) % axis.places;
    window /= to_size(axis.places);
    const bool counts_padding = kind_ == Kind::mean_of_all;
    const std::int64_t begin = axis.position(place) + (counts_padding ? axis.begin : 0);
    const std::int64_t size = axis.size + (counts_padding ? axis.begin + ends_[i] : 0);
    const std::int64_t before = begin < 0 ? (-begin + axis.dilation - 1) / axis.dilation : 0;
    const std::int64_t end = std::min(axis.kernel, (size - begin + axis.dilation - 1) / axis.dilation);
    elements *= static_cast<double>(std::max<std::int64_t>(end - before, 0));
  }
  return elements;
}

void Pooling::divide(std::byte* sums, std::size_t first, std::size_t count) const {
  const auto divide_all = [&](auto* results) {
    using T = std::remove_pointer_t<decltype(results)>;
    for (std::size_t i = 0; i < count; ++i, results += channels()) {
      const T elements = static_cast<T>(elements_of(first + i));
      for (std::size_t channel = 0; channel < channels(); ++channel) results[channel] /= elements;
    }
  };
  if (folded_ == Dtype::float32) return divide_all(reinterpret_cast<float*>(sums));
  divide_all(reinterpret_cast<double*>(sums));
}

}  // namespace broadloom
