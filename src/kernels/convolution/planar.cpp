#include "kernels/convolution/planar.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/count.h"
#include "core/limits.h"
#include "kernels/base/simd.h"
#include "kernels/movement/copy.h"
#include "kernels/movement/planes.h"

namespace broadloom {
namespace {

constexpr std::int64_t most_phases = 4;
// Elements of a signal. Copies of 65 MB took twice the time of Convolution, which reads channels that lie side by side in
// place.
constexpr std::int64_t most_copied = 1 << 18;
// A row takes as long as so many more sums. With 40, the slowest of 14 convolutions of rows of 8 to 64 pixels takes 1.13 times
// as long as with Convolution, and most take half, though the channels of their images lie side by side.
constexpr std::size_t sums_of_row = 40;

// A tile of a row has about eight sums, the number that keeps a processor's adders busy: some vectors for each filter.
constexpr std::size_t vectors_of(std::size_t filters) { return filters == 3 ? 3 : 8 / filters; }
constexpr std::size_t tile_places(std::size_t filters) { return vectors_of(filters) * lanes_of<float>; }

// The products of a row: element k of its windows lies from at[k] on, and the factors of all filters at filters + k * step.
struct RowProducts {
  const std::byte* const* at;
  const std::byte* filters;
  std::size_t step;
};

// Writes a tile's sums of the products from `first` to before `end`, or adds them to what is there. Sums that are written begin
// with the bias. Filters have their results `pitch` bytes apart.
using WriteRowSums = void(std::byte* to, std::size_t pitch, const RowProducts& products, std::size_t offset, std::size_t first,
                          std::size_t end, const float* bias);

template <std::size_t filters, std::size_t... sum>
[[gnu::always_inline]] inline void write_row_sums(std::byte* to, std::size_t pitch, const RowProducts& products,
                                                  std::size_t offset, std::size_t first, std::size_t end, const float* bias,
                                                  std::index_sequence<sum...>) {
  using Floats = Lanes<float>;
  constexpr std::size_t vectors = vectors_of(filters);
  const auto splat_of = [](const void* item) { return as<Floats>(splat<sizeof(float)>(static_cast<const std::byte*>(item))); };
  Floats sums[sizeof...(sum)] = {};
  if (first == 0) ((sums[sum] = splat_of(bias + sum / vectors)), ...);
  const std::byte* factors = products.filters + first * products.step;
  for (std::size_t k = first; k < end; ++k, factors += products.step) {
    const std::byte* const from = products.at[k] + offset;
    ((sums[sum] += load_lanes<float>(from + sum % vectors * vector_bytes) * splat_of(factors + sum / vectors * sizeof(float))),
     ...);
  }
  const auto place = [&](std::size_t i) { return to + i / vectors * pitch + i % vectors * vector_bytes; };
  if (first > 0) ((sums[sum] = load_lanes<float>(place(sum)) + sums[sum]), ...);
  (store_lanes(place(sum), sums[sum]), ...);
}

template <std::size_t filters>
void write_row_sums(std::byte* to, std::size_t pitch, const RowProducts& products, std::size_t offset, std::size_t first,
                    std::size_t end, const float* bias) {
  constexpr std::size_t sums = filters * vectors_of(filters);
  write_row_sums<filters>(to, pitch, products, offset, first, end, bias, std::make_index_sequence<sums>());
}
constexpr WriteRowSums* writers[] = {write_row_sums<1>, write_row_sums<2>, write_row_sums<3>, write_row_sums<4>};

SlidingAxis axis_before_last(const ConvolutionDims& dims, std::size_t before) {
  const std::size_t axes = dims.axes.size();
  return before < axes ? dims.axes[axes - 1 - before] : SlidingAxis();
}

}  // namespace

bool PlanarConvolution::suits(Dtype dtype, const ConvolutionDims& dims) {
  const SlidingAxis columns = axis_before_last(dims, 0);
  if (dtype != Dtype::float32 || dims.axes.size() > 2 || dims.channels == 0 || dims.filters == 0) return false;
  if (dims.results() > most_results || columns.stride > most_phases || columns.has_much_padding()) return false;
  if (columns.places < 1 || axis_before_last(dims, 1).places < 1) return false;
  // A signal is one row, which may be copied.
  if (dims.axes.size() == 1 && Count(dims.image_channels()) * columns.size > most_copied) return false;
  // Convolution computes whole panels.
  const std::size_t tile = tile_places(dims.filters);
  const Count computed = (Count(columns.places) + (tile - 1)) / tile * tile;
  return computed * dims.filters + sums_of_row <= Count(columns.places) * (panel_bytes / sizeof(float));
}

PlanarConvolution::PlanarConvolution(ConvolutionDims dims, const Layout& images)
    : dims_(std::move(dims)),
      plain_(Dtype::float32, dims_, images),
      rows_(axis_before_last(dims_, 1)),
      columns_(axis_before_last(dims_, 0)) {
  const auto step = [&](std::size_t axis) {
    return static_cast<std::ptrdiff_t>(images.strides[axis]) * static_cast<std::ptrdiff_t>(sizeof(float));
  };
  const std::size_t last = 1 + dims_.axes.size();
  steps_ = {step(0), step(1), step(std::max<std::size_t>(last - 1, 2)), step(last)};
  // Rows without padding whose pixels lie side by side are read in place.
  const auto fits = [](const SlidingAxis& axis) { return axis.stride == 1 && axis.begin == 0 && axis.end() == 0; };
  const bool is_adjacent = steps_.pixel == sizeof(float) && fits(columns_);
  const bool are_whole = columns_.places == columns_.size && steps_.row == columns_.size * steps_.pixel;
  if (is_adjacent && rows_.kernel == 1 && columns_.kernel == 1 && fits(rows_) && are_whole) {
    columns_.size = columns_.places = rows_.places * columns_.places;
    rows_ = SlidingAxis();
  }
  is_copied_ = !is_adjacent || in_memory(columns_.places) < tile_places(dims_.filters);
  kept_rows_ = std::min(rows_.position(0, rows_.kernel - 1) - rows_.position(0) + 1, rows_.size);
  const std::int64_t reach = (columns_.kernel - 1) * columns_.dilation;
  const std::size_t computed = std::max(in_memory(columns_.places), tile_places(dims_.filters));
  // Where windows begin behind the first element, the padding is below 0.
  const std::int64_t whole = std::max<std::int64_t>(columns_.size + columns_.begin, 0);
  phase_elements_ = std::max(in_memory(whole / columns_.stride), in_memory(reach / columns_.stride) + computed) + 1;
}

// The parts of the workspace, one after the other.
struct PlanarConvolution::Parts {
  explicit Parts(const PlanarConvolution& all)
      : outside(all.rows_.begin > 0 || all.rows_.end() > 0 ? Count(all.phase_elements_) * sizeof(float) : Count()),
        rows(all.is_copied_ ? Count(all.phase_elements_) * sizeof(float) * all.columns_.stride * all.dims_.image_channels() *
                                  all.kept_rows_
                            : Count()),
        addresses(Count(all.products()) * sizeof(std::byte*)) {}
  Count all() const { return whole_vectors(outside) + whole_vectors(rows) + whole_vectors(addresses) + buffer; }

  Count outside;
  Count rows;
  Count addresses;
  static constexpr std::size_t buffer = 10 * vector_bytes;
};

Count PlanarConvolution::workspace_bytes() const { return Parts(*this).all(); }

// Copies a row of all channels. The padding around it is there. Phase p has elements p, p + stride, p + 2 * stride and so on.
void PlanarConvolution::copy_row(std::byte* to, const std::byte* from) const {
  const std::size_t channels = dims_.image_channels();
  const std::int64_t stride = columns_.stride;
  const std::ptrdiff_t pixel = times(in_memory(stride), steps_.pixel);
  for (std::int64_t phase = 0; phase < stride; ++phase, to += phase_step()) {
    // The first element of the phase.
    const std::int64_t place = std::max<std::int64_t>((columns_.begin - phase + stride - 1) / stride, 0);
    const std::int64_t first = place * stride + phase - columns_.begin;
    if (first >= columns_.size) continue;
    const std::size_t count = in_memory((columns_.size - 1 - first) / stride) + 1;
    std::byte* const part = to + in_memory(place) * sizeof(float);
    const std::byte* const pixels = from + times(in_memory(first), steps_.pixel);
    if (steps_.channel == sizeof(float) && channels > 1) {
      transpose_plane(part, pixels, {channels, count, channel_step(), pixel, steps_.channel}, sizeof(float));
      continue;
    }
    const std::size_t bytes = count * sizeof(float);
    for (std::size_t channel = 0; channel < channels; ++channel) {
      std::byte* const row = part + times(channel, channel_step());
      const std::byte* const source = pixels + times(channel, steps_.channel);
      if (pixel != sizeof(float)) {
        gather(row, source, pixel, sizeof(float), count);
      } else if (bytes < vector_bytes) {
        copy_bytes(row, source, bytes);
      } else {
        // Rows are short: a call for each would take as long as their copies.
        for (std::size_t i = 0; i + vector_bytes < bytes; i += vector_bytes) store(row + i, load(source + i));
        store(row + bytes - vector_bytes, load(source + bytes - vector_bytes));
      }
    }
  }
}

// Writes the addresses of the elements of a row's windows, for one group. `image` is the image, or the copies of rows.
void PlanarConvolution::find_row(const std::byte** at, std::int64_t place, std::size_t group, const std::byte* image,
                                 const std::byte* outside) const {
  for (std::int64_t i = 0; i < rows_.kernel; ++i) {
    const std::int64_t number = rows_.position(place, i);
    const bool is_inside = number >= 0 && number < rows_.size;
    const std::ptrdiff_t step = is_inside ? channel_step() : 0;
    const std::ptrdiff_t row = !is_inside   ? 0
                               : is_copied_ ? times(in_memory(number % kept_rows_), row_step())
                                            : times(in_memory(number), steps_.row);
    const std::byte* const first = is_inside ? image + row + times(group * dims_.channels, channel_step()) : outside;
    for (std::int64_t k = 0; k < columns_.kernel; ++k) {
      const std::int64_t reach = k * columns_.dilation;
      const std::ptrdiff_t phase = is_inside ? times(in_memory(reach % columns_.stride), phase_step()) : 0;
      const std::byte* tap = first + phase + in_memory(reach / columns_.stride) * sizeof(float);
      for (std::size_t channel = 0; channel < dims_.channels; ++channel, tap += step) *at++ = tap;
    }
  }
}

Status PlanarConvolution::write_row(std::byte* to, const std::byte* const* at, const std::byte* packed, const float* bias,
                                    std::byte* buffer) const {
  const std::size_t filters = dims_.filters;
  const std::size_t tile = tile_places(filters);
  WriteRowSums* const write = writers[filters - 1];
  const std::size_t places = in_memory(columns_.places);
  const std::size_t pitch = in_memory(rows_.places) * places * sizeof(float);
  const RowProducts row{at, packed, is_depthwise() ? dims_.results() * sizeof(float) : panel_bytes};
  // The parts that Convolution sums: whole rows of taps, or whole taps of one, or channels of one tap.
  const std::size_t all = products();
  const std::size_t in_row = in_memory(columns_.kernel) * dims_.channels;
  std::size_t unit = all;
  std::size_t part = all;
  if (!is_depthwise()) {
    if (in_row > tile_depth) unit = dims_.channels > tile_depth ? dims_.channels : in_row;
    const std::size_t whole = in_row > tile_depth ? dims_.channels : in_row;
    part = whole > tile_depth ? tile_depth : tile_depth / whole * whole;
  }
  for (std::size_t i = 0; i < places; i += tile) {
    if (i / tile % 16 == 0) BROADLOOM_CHECK(Watch::check(steps_of_products(16 * tile, filters, all)));
    // The last tile overlaps the one before.
    const std::size_t first = std::min(i, places - std::min(places, tile));
    const bool is_whole = places >= tile;
    std::byte* const place = is_whole ? to + first * sizeof(float) : buffer;
    for (std::size_t begin = 0; begin < all; begin += unit) {
      for (std::size_t k = begin; k < begin + unit; k += part) {
        write(place, is_whole ? pitch : tile * sizeof(float), row, first * sizeof(float), k, std::min(k + part, begin + unit),
              bias);
      }
    }
    if (!is_whole) copy_rows(to, pitch, buffer, tile * sizeof(float), places * sizeof(float), filters);
  }
  return {};
}

Status PlanarConvolution::run(std::byte* to, const std::byte* images, const std::byte* packed, const std::byte* bias,
                              std::ptrdiff_t bias_step, std::byte* workspace, Finish* finish) const {
  const Parts parts(*this);
  const auto take = [&](Count bytes) {
    std::byte* const part = workspace;
    workspace += in_memory(whole_vectors(bytes));
    return part;
  };
  std::byte* const outside = take(parts.outside);
  std::byte* const rows = take(parts.rows);
  auto* const at = reinterpret_cast<const std::byte**>(take(parts.addresses));
  std::memset(outside, 0, in_memory(parts.outside));
  std::memset(rows, 0, in_memory(parts.rows));
  float begins[most_results] = {};
  if (bias != nullptr) {
    pack_rows(reinterpret_cast<std::byte*>(begins), {bias, 0, bias_step}, 1, dims_.results(), ItemTypes(Dtype::float32));
  }
  const std::size_t filters = dims_.filters;
  const std::size_t group_bytes = is_depthwise() ? filters * sizeof(float) : products() * panel_bytes;
  const std::size_t row_bytes = in_memory(columns_.places) * sizeof(float);
  const std::size_t plane_bytes = in_memory(rows_.places) * row_bytes;
  for (std::size_t number = 0; number < dims_.batch; ++number, to += dims_.results() * plane_bytes) {
    const std::byte* const image = images + times(number, steps_.image);
    std::int64_t copied = 0;
    for (std::int64_t y = 0; y < rows_.places; ++y) {
      const std::int64_t end = std::min(rows_.position(y, rows_.kernel - 1) + 1, rows_.size);
      for (copied = std::max(copied, rows_.position(y)); is_copied_ && copied < end; ++copied) {
        BROADLOOM_CHECK(Watch::check(static_cast<double>(row_step()) / sizeof(float)));
        copy_row(rows + times(in_memory(copied % kept_rows_), row_step()), image + times(in_memory(copied), steps_.row));
      }
      for (std::size_t group = 0; group < dims_.groups; ++group) {
        find_row(at, y, group, is_copied_ ? rows : image, outside);
        std::byte* const row = to + group * filters * plane_bytes + in_memory(y) * row_bytes;
        const std::byte* const its = packed + group * group_bytes;
        const float* const begin = begins + group * filters;
        BROADLOOM_CHECK(write_row(row, at, its, begin, workspace));
      }
    }
    if (finish != nullptr) {
      BROADLOOM_CHECK(finish->run(to, dims_.results() * plane_bytes / sizeof(float)));
    }
  }
  return {};
}

}  // namespace broadloom
