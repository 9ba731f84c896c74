#include "kernels/convolution/winograd.h"

#include <algorithm>
#include <cstring>

#include "core/count.h"
#include "core/limits.h"
#include "kernels/base/simd.h"
#include "kernels/movement/block_reader.h"

namespace broadloom {
namespace {

constexpr std::int64_t side = 2;   // places of a tile along an axis
constexpr std::int64_t reach = 4;  // pixels that it sees
constexpr std::int64_t kernel = 3;

// With fewer channels or filters the transforms take what they save: 16 times 16 takes as long, 16 times 24 two thirds.
constexpr std::size_t least_channels = 16;
constexpr std::size_t least_pairs = std::size_t{16} * 24;
// So much more a multiplication of these takes, with its part of the transforms.
constexpr double overhead = 1.3;
// The transformed pixels and the sums of a block of tiles stay in the second-level cache, but packed filters are read once for
// a block.
constexpr std::size_t block_bytes = std::size_t{256} * 1024;
constexpr std::size_t least_tiles = 16;
constexpr std::size_t most_tiles = 256;
// Filters are transformed in runs: as they are, they take 9/16 or 3/4 of the memory, and the plain convolution reads them, too.
// Once for a run, where they then take this number of bytes at most, else part by part for each block.
constexpr std::size_t most_whole_bytes = std::size_t{4} << 20;
// Between the filters of one number and the next: with a distance that is a power of two, all lie in one set of the cache.
constexpr std::size_t gap = 64;
// Filters in bytes are widened for so many channels at a time, which stay in the first-level cache.
constexpr std::size_t widened_channels = 16;

using Floats = Lanes<float>;

std::int64_t tiles_on(const SlidingAxis& axis) { return axis.kernel == kernel ? (axis.places + 1) / side : axis.places; }
std::int64_t numbers_on(const SlidingAxis& axis) { return axis.kernel == kernel ? reach : 1; }
std::size_t side_on(const SlidingAxis& axis) { return axis.kernel == kernel ? side : 1; }

// The windows of the tiles, which overlap.
SlidingAxes tiles_of(SlidingAxes axes, const ChannelsLast& images) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    SlidingAxis& axis = axes[i];
    axis.pitch = images.pitch(i);
    axis.places = tiles_on(axis);
    axis.stride = static_cast<std::int64_t>(side_on(axis));
    axis.kernel = numbers_on(axis);
  }
  return axes;
}

// ---- Transforms along one axis: B, G and A of the paper ----

[[gnu::always_inline]] inline void transform_pixels(Floats& a, Floats& b, Floats& c, Floats& d) {
  const Floats first = b;
  a -= c;
  b += c;
  c -= first;
  d = first - d;
}

[[gnu::always_inline]] inline void transform_taps(Floats& a, Floats& b, Floats& c, Floats& d) {
  const Floats outer = (a + c) * 0.5F;
  const Floats middle = b * 0.5F;
  d = c;
  b = outer + middle;
  c = outer - middle;
}

[[gnu::always_inline]] inline void transform_sums(Floats& a, Floats& b, const Floats& c, const Floats& d) {
  a += b + c;
  b -= c + d;
}

[[gnu::always_inline]] inline void store_row(std::byte* to, std::size_t step, const Floats* x) {
  store_lanes(to, x[0]);
  store_lanes(to + step, x[1]);
  store_lanes(to + 2 * step, x[2]);
  store_lanes(to + 3 * step, x[3]);
}

// Transforms the pixels of one tile, `distance` addresses apart, to numbers that are `step` bytes apart.
void write_pixels(std::byte* to, std::size_t step, const std::byte* const* at, std::size_t distance, std::size_t numbers,
                  std::size_t bytes) {
  for (std::size_t offset = 0; offset < bytes; offset += vector_bytes) {
    Floats x[reach * reach];
    const auto load_row = [&](std::size_t i) {
      const auto pixel = [&](std::size_t k) { return load_lanes<float>(at[(i + k) * distance] + offset); };
      x[i] = pixel(0), x[i + 1] = pixel(1), x[i + 2] = pixel(2), x[i + 3] = pixel(3);
      transform_pixels(x[i], x[i + 1], x[i + 2], x[i + 3]);
    };
    load_row(0);
    if (numbers > reach) {
      load_row(4), load_row(8), load_row(12);
      const auto transform = [&](std::size_t i) { transform_pixels(x[i], x[i + 4], x[i + 8], x[i + 12]); };
      transform(0), transform(1), transform(2), transform(3);
      store_row(to + offset + 4 * step, step, x + 4);
      store_row(to + offset + 8 * step, step, x + 8);
      store_row(to + offset + 12 * step, step, x + 12);
    }
    store_row(to + offset, step, x);
  }
}

}  // namespace

bool WinogradConvolution::suits(Dtype dtype, const ConvolutionDims& dims) {
  if (dtype != Dtype::float32 || dims.groups != 1 || dims.axes.size() > 2) return false;
  const auto is_whole = [](std::size_t count) { return count >= least_channels && count % lanes_of<float> == 0; };
  if (!is_whole(dims.channels) || !is_whole(dims.filters) || dims.channels * dims.filters < least_pairs) return false;
  double products = 1;
  double otherwise = 1;
  for (const SlidingAxis& axis : dims.axes) {
    if ((axis.kernel != kernel && axis.kernel != 1) || axis.stride != 1 || axis.dilation != 1) return false;
    products *= static_cast<double>(tiles_on(axis)) * static_cast<double>(numbers_on(axis));
    otherwise *= static_cast<double>(axis.places) * static_cast<double>(axis.kernel);
  }
  return products * overhead <= otherwise;
}

WinogradConvolution::WinogradConvolution(ConvolutionDims dims, const Layout& images, bool has_scaled_bytes)
    : dims_(std::move(dims)),
      types_(has_scaled_bytes ? ItemTypes::of_scaled_bytes() : ItemTypes(Dtype::float32)),
      images_(images, {.dtype = Dtype::float32}),
      tiles_(tiles_of(dims_.axes, images_)),
      rows_(dims_.axes.size() > 1 ? in_memory(dims_.axes[0].places) : 1),
      columns_(in_memory(dims_.axes.back().places)),
      tile_rows_(dims_.axes.size() > 1 ? side_on(dims_.axes[0]) : 1),
      tile_columns_(side_on(dims_.axes.back())),
      block_(std::clamp(block_bytes / (numbers() * (pixel_bytes() + result_bytes())), least_tiles, most_tiles)) {
  block_ = std::min(block_, tiles_.places());
}

// ---- Filters ----

std::size_t WinogradConvolution::panels() const { return types_.panels(dims_.filters); }

Count WinogradConvolution::packed_bytes() const {
  const Count records = Count(types_.are_scaled_bytes() ? scale_record : 0) * panels();
  return Count(panels()) * panel_size() * taps() + records;
}

void WinogradConvolution::pack(std::byte* to, const Filters& filters) const {
  const MergedAxes tap_axes = merge_axes(filters.taps);
  Walker tap(filters.data, tap_axes, types_.size);
  for (std::size_t i = 0; i < taps(); ++i, tap.advance(1)) {
    const Matrix matrix{tap.at(), filters.filter_step, filters.channel_step};
    pack_panels(to + i * panel_size(), taps() * panel_size(), matrix, dims_.filters, dims_.channels, types_, true);
  }
  if (!types_.are_scaled_bytes()) return;
  const std::size_t bytes = panels() * taps() * panel_size();
  flip_bytes(to, bytes, filters.dtype);
  write_scale_records(to + bytes, *filters.scales, 0, dims_.filters);
}

WinogradConvolution::Part WinogradConvolution::part() const {
  if (Count(panels()) * dims_.channels * panel_bytes * numbers() <= most_whole_bytes) return {panels(), dims_.channels};
  return {std::min(panels(), tile_panels), std::min(dims_.channels, tile_depth)};
}

std::size_t WinogradConvolution::number_step(const Part& part) { return part.panels * part.channels * panel_bytes + gap; }

// Writes the numbers of the filters, those of one number after those of another.
void WinogradConvolution::transform_filters(std::byte* to, const std::byte* packed, std::size_t panel, std::size_t channel,
                                            const Part& part) const {
  const std::size_t step = number_step(part);
  const bool is_square = numbers() > reach;
  const std::size_t row = types_.constant_row();
  alignas(vector_bytes) std::byte wide[kernel * kernel * widened_channels * panel_bytes];
  const std::byte* const records = packed + panels() * taps() * panel_size();
  // The numbers of some channels of a panel, whose taps lie `size` bytes apart.
  const auto transform_some = [&](const std::byte* from, std::size_t size, std::size_t channels) {
    for (std::size_t offset = 0; offset < channels * panel_bytes; offset += vector_bytes, to += vector_bytes) {
      Floats g[reach * reach];
      const auto load_row = [&](std::size_t i) {
        Floats* const taps = g + i * reach;
        for (std::size_t k = 0; k < kernel; ++k) taps[k] = load_lanes<float>(from + (i * kernel + k) * size + offset);
        transform_taps(taps[0], taps[1], taps[2], taps[3]);
      };
      load_row(0);
      if (is_square) {
        load_row(1), load_row(2);
        const auto transform = [&](std::size_t i) { transform_taps(g[i], g[i + 4], g[i + 8], g[i + 12]); };
        transform(0), transform(1), transform(2), transform(3);
        store_row(to + 4 * step, step, g + 4);
        store_row(to + 8 * step, step, g + 8);
        store_row(to + 12 * step, step, g + 12);
      }
      store_row(to, step, g);
    }
  };
  const bool widens = types_.are_scaled_bytes();
  const std::size_t most = widens ? widened_channels : part.channels;
  for (std::size_t i = panel; i < panel + part.panels; ++i) {
    const std::byte* from = packed + i * taps() * panel_size() + channel * row;
    for (std::size_t done = 0; done < part.channels; done += most, from += most * row) {
      const std::size_t some = std::min(most, part.channels - done);
      const std::size_t size = some * panel_bytes;
      for (std::size_t tap = 0; widens && tap < taps(); ++tap)
        widen_bytes(wide + tap * size, panel_bytes, from + tap * panel_size(), row, some, records + i * scale_record);
      transform_some(widens ? wide : from, widens ? size : panel_size(), some);
    }
  }
}

// ---- Runs ----

Count WinogradConvolution::workspace_bytes() const {
  const Count pixel = Count(pixel_bytes()) + result_bytes();
  const Count tile = (pixel + sizeof(std::byte*)) * numbers() + sizeof(std::byte*);
  const Part most = part();
  const Count filters = (Count(most.panels) * most.channels * panel_bytes + gap) * numbers();
  return images_.workspace_bytes() + filters + tile * block_ + pixel + 4 * vector_bytes;
}

void WinogradConvolution::write_products(std::byte* to, const std::byte* const* rows, std::size_t count,
                                         const std::byte* filters, const Part& part, std::size_t channel,
                                         std::size_t columns) const {
  const WriteBlock write = write_block_of(Dtype::float32);
  const auto pitch = static_cast<std::ptrdiff_t>(part.channels * panel_bytes);
  for (std::size_t number = 0; number < numbers(); ++number, to += block_ * result_bytes(), filters += number_step(part)) {
    for (std::size_t done = 0; done < part.channels; done += tile_depth) {
      const std::size_t first = channel + done;
      const Rows some{rows, count, 1, 0, static_cast<std::ptrdiff_t>(number * block_ * pixel_bytes() + first * sizeof(float))};
      const Panels panels{filters + done * panel_bytes, pitch, panel_bytes, columns};
      write({to, result_bytes(), first > 0}, some, panels, std::min(tile_depth, part.channels - done));
    }
  }
}

void WinogradConvolution::write_results(std::byte* image, const std::byte* products, std::size_t first, std::size_t count,
                                        const std::byte* bias) const {
  const std::size_t row_bytes = columns_ * result_bytes();
  const std::size_t step = block_ * result_bytes();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = (first + i) / tiles_in_row() * tile_rows_;
    const std::size_t column = (first + i) % tiles_in_row() * tile_columns_;
    std::byte* const to = image + row * row_bytes + column * result_bytes();
    const bool has_right = tile_columns_ > 1 && column + 1 < columns_;
    const bool has_below = tile_rows_ > 1 && row + 1 < rows_;
    for (std::size_t offset = 0; offset < result_bytes(); offset += vector_bytes) {
      const std::byte* const at = products + i * result_bytes() + offset;
      const auto product = [&](std::size_t number) { return load_lanes<float>(at + number * step); };
      const auto add = load_lanes<float>(bias + offset);
      std::byte* const tile = to + offset;
      if (numbers() == reach) {
        Floats one = product(0);
        Floats other = product(1);
        transform_sums(one, other, product(2), product(3));
        store_lanes(tile, one + add);
        if (has_right) store_lanes(tile + result_bytes(), other + add);
        if (has_below) store_lanes(tile + row_bytes, other + add);
        continue;
      }
      Floats above[reach];
      Floats below[reach];
      const auto transform = [&](std::size_t k) {
        above[k] = product(k);
        below[k] = product(k + 4);
        transform_sums(above[k], below[k], product(k + 8), product(k + 12));
      };
      transform(0), transform(1), transform(2), transform(3);
      transform_sums(above[0], above[1], above[2], above[3]);
      transform_sums(below[0], below[1], below[2], below[3]);
      store_lanes(tile, above[0] + add);
      if (has_right) store_lanes(tile + result_bytes(), above[1] + add);
      if (has_below) store_lanes(tile + row_bytes, below[0] + add);
      if (has_right && has_below) store_lanes(tile + row_bytes + result_bytes(), below[1] + add);
    }
  }
}

Status WinogradConvolution::run(std::byte* to, const std::byte* images, const std::byte* packed, const std::byte* bias,
                                std::ptrdiff_t bias_step, std::byte* workspace, Finish* finish) const {
  const auto take = [&](std::size_t bytes) {
    std::byte* const part = workspace;
    workspace += whole_vectors(bytes);
    return part;
  };
  const std::size_t width = types_.panel_width();
  const Part most = part();
  const bool is_whole = most.panels == panels() && most.channels == dims_.channels;
  std::byte* const filters = take(number_step(most) * numbers());
  std::byte* const pixels = take(numbers() * block_ * pixel_bytes());
  std::byte* const products = take(numbers() * block_ * result_bytes());
  std::byte* const outside = take(pixel_bytes());
  std::byte* const sums = take(result_bytes());
  auto* const addresses = reinterpret_cast<const std::byte**>(take(numbers() * block_ * sizeof(std::byte*)));
  auto* const rows = reinterpret_cast<const std::byte**>(take(block_ * sizeof(std::byte*)));
  std::memset(outside, 0, pixel_bytes());
  std::memset(sums, 0, result_bytes());
  if (bias != nullptr) pack_rows(sums, {bias, 0, bias_step}, 1, dims_.filters, ItemTypes(Dtype::float32));
  for (std::size_t i = 0; i < block_; ++i) rows[i] = pixels + i * pixel_bytes();
  if (is_whole) transform_filters(filters, packed, 0, 0, most);
  const std::size_t places = rows_ * columns_;
  for (std::size_t number = 0; number < dims_.batch; ++number, to += places * result_bytes()) {
    const std::byte* const image = images_.at(number, images, workspace);
    std::size_t finished = 0;
    for (std::size_t first = 0; first < tiles_.places(); first += block_) {
      const std::size_t count = std::min(block_, tiles_.places() - first);
      BROADLOOM_CHECK(Watch::check(steps_of_products(count * numbers(), dims_.filters, dims_.channels)));
      tiles_.write(addresses, block_, first, count, image, outside);
      for (std::size_t i = 0; i < count; ++i) {
        write_pixels(pixels + i * pixel_bytes(), block_ * pixel_bytes(), addresses + i, block_, numbers(), pixel_bytes());
      }
      for (std::size_t panel = 0; panel < panels(); panel += most.panels) {
        for (std::size_t channel = 0; channel < dims_.channels; channel += most.channels) {
          const Part some{std::min(most.panels, panels() - panel), std::min(most.channels, dims_.channels - channel)};
          if (!is_whole) transform_filters(filters, packed, panel, channel, some);
          write_products(products + panel * panel_bytes, rows, count, filters, some, channel,
                         std::min(some.panels * width, dims_.filters - panel * width));
        }
      }
      write_results(to, products, first, count, sums);
      // Whole rows of tiles are rows of the result.
      const std::size_t end = std::min((first + count) / tiles_in_row() * tile_rows_ * columns_, places);
      if (finish != nullptr && end > finished) {
        BROADLOOM_CHECK(finish->run(to + finished * result_bytes(), (end - finished) * dims_.filters));
      }
      finished = end;
    }
  }
  return {};
}

}  // namespace broadloom
