#include "kernels/convolution/convolution.h"

#include <algorithm>
#include <cstring>

#include "core/count.h"
#include "core/limits.h"
#include "kernels/convolution/depthwise.h"
#include "kernels/convolution/paired_depthwise.h"
#include "kernels/movement/block_reader.h"
#include "kernels/movement/planes.h"

namespace broadloom {
namespace {

// The most windows whose addresses are computed at a time; fewer if windows have many taps. Packed filters are read once for
// these windows, and the results stay in the first-level cache: with 256 windows, 16 to 96 channels at 112x112 take 1.25 times
// as long.
constexpr std::size_t most_windows = 64;
constexpr std::size_t most_windows_of_halves = 256;  // filters are widened for each block: with 64, it takes 1.1 times as long
constexpr std::size_t least_windows = 16;
constexpr std::size_t most_addresses = std::size_t{16} * 1024;

// Images with at most this number of channels are copied with their padding, so that rows of taps can be joined.
constexpr std::size_t few_channels = 4;

// The bytes of the bias that a tile reads.
constexpr std::size_t bias_tail = tile_panels * panel_bytes;

std::size_t count_taps(std::span<const SlidingAxis> axes) {
  std::size_t count = 1;
  for (const SlidingAxis& axis : axes) count *= in_memory(axis.kernel);
  return count;
}

}  // namespace

bool Convolution::joins_rows(const Layout& images) const {
  const SlidingAxis& axis = last_axis();
  if (dims_.groups > 1 || row_taps_ == 1 || axis.dilation != 1 || axis.begin < 0) return false;
  if (dims_.channels <= few_channels) return !axis.has_much_padding();
  const auto channels = static_cast<std::int64_t>(dims_.channels);
  return types_.is_accumulate_type() && images.strides[1] == 1 && images.strides.values().back() == channels &&
         axis.begin == 0 && axis.end() == 0;
}

ImageForm Convolution::form_of_images() const {
  ImageForm form{.dtype = types_.dtype, .is_widened = is_paired(), .has_whole_rows = has_joined_rows_};
  if (is_depthwise()) form.repeats = dims_.filters;
  if (!has_joined_rows_ || dims_.channels > few_channels) return form;
  form.before = in_memory(last_axis().begin);
  form.after = in_memory(last_axis().end());
  return form;
}

SlidingAxes Convolution::axes_in(const ChannelsLast& images) const {
  SlidingAxes axes = dims_.axes;
  for (std::size_t i = 0; i < axes.size(); ++i) axes[i].pitch = images.pitch(i);
  if (!has_joined_rows_) return axes;
  SlidingAxis& last = axes.back();
  // With its padding, each row of taps is within the image. A window's first tap stands for all of them.
  last.size += last.begin + last.end();
  last.begin = 0;
  last.kernel = 1;
  return axes;
}

Convolution::Convolution(Dtype dtype, ConvolutionDims dims, const Layout& images, bool has_scaled_bytes)
    : dims_(std::move(dims)),
      types_(dtype),
      filter_types_(has_scaled_bytes ? ItemTypes::of_scaled_bytes() : types_),
      write_(is_paired() ? write_pairs : write_block_of(types_.accumulate.dtype)),
      rows_(count_taps(dims_.axes.values().first(dims_.axes.size() - 1))),
      row_taps_(in_memory(last_axis().kernel)),
      has_joined_rows_(joins_rows(images)),
      images_(images, form_of_images()),
      windows_(axes_in(images_)),
      block_(std::clamp(most_addresses / windows_.taps(), least_windows,
                        types_.size == 2 ? most_windows_of_halves : most_windows)) {
  block_ = std::min(block_, windows_.places());
}

// ---- Filters ----

Count Convolution::packed_bytes() const {
  if (is_depthwise()) {
    const Count row = is_paired() ? 2 * sizeof(std::int16_t) : types_.accumulate_size;
    return Count(items_of(taps())) * dims_.results() * row + 2 * vector_bytes;
  }
  const Count records = Count(filter_types_.are_scaled_bytes() ? scale_record : 0) * panels();
  return Count(panel_rows()) * panels() * panel_step() + records;
}

void Convolution::pack(std::byte* to, const Filters& filters) const {
  const MergedAxes taps_axes = merge_axes(filters.taps);
  Walker tap(filters.data, taps_axes, filter_types_.size);
  const std::size_t pitch = panel_rows() * panel_step();
  // Half pairs stay 0.
  if (is_paired()) std::memset(to, 0, in_memory(packed_bytes()));
  for (std::size_t i = 0; i < taps(); ++i, tap.advance(1)) {
    for (std::size_t group = 0; group < dims_.groups; ++group) {
      const Matrix matrix{tap.at() + times(group, filters.group_step), filters.filter_step, filters.channel_step};
      std::byte* const its_panels = to + group * types_.panels(dims_.filters) * pitch;
      if (is_depthwise() && is_paired()) {
        pack_paired_filters(to, {matrix.from, matrix.kept_step, 0}, i, group * dims_.filters, dims_.filters, dims_.results(),
                            filters.dtype);
      } else if (is_paired()) {
        const std::size_t run = has_joined_rows_ ? i / row_taps_ : i;
        const std::size_t first = has_joined_rows_ ? i % row_taps_ * dims_.channels : 0;
        pack_pairs(its_panels + run * items_of(run_elements()) * pair_panel_step, pitch, matrix, dims_.filters, first,
                   dims_.channels, filters.dtype);
      } else if (is_depthwise()) {
        std::byte* const row = to + (i * dims_.results() + group * dims_.filters) * types_.accumulate_size;
        pack_rows(row, {matrix.from, 0, matrix.kept_step}, 1, dims_.filters, types_);
      } else {
        pack_panels(its_panels + i * dims_.channels * panel_step(), pitch, matrix, dims_.filters, dims_.channels, filter_types_,
                    true);
      }
    }
  }
  if (!filter_types_.are_scaled_bytes()) return;
  const std::size_t bytes = panels() * pitch;
  flip_bytes(to, bytes, filters.dtype);
  for (std::size_t group = 0; group < dims_.groups; ++group) {
    write_scale_records(to + bytes + group * types_.panels(dims_.filters) * scale_record, *filters.scales,
                        group * dims_.filters, dims_.filters);
  }
}

void PackedFilters::unpack(std::byte* to, const std::byte* packed) const {
  const bool are_scaled_bytes = item_size(dtype) == 1;
  const ItemTypes types = are_scaled_bytes ? ItemTypes::of_scaled_bytes() : ItemTypes(dtype);
  const std::size_t width = types.panel_width();
  std::byte* const begin = to;
  const auto row = static_cast<std::ptrdiff_t>(types.constant_row());
  const std::ptrdiff_t tap = times(channels, row);
  const PlaneTranspose transpose({channels, taps, static_cast<std::ptrdiff_t>(taps * types.size), tap, row}, types.size);
  for (std::size_t group = 0; group < groups; ++group) {
    for (std::size_t filter = 0; filter < filters; ++filter, to += channels * taps * types.size)
      transpose(to, packed + times(filter / width * taps, tap) + filter % width * types.size);
    packed += times(types.panels(filters) * taps, tap);
  }
  if (are_scaled_bytes) flip_bytes(begin, in_memory(to - begin), dtype);
}

void PackedFilters::unpack(std::byte* to, const Filters& places, const std::byte* packed) const {
  const ItemTypes types(dtype);
  const std::size_t width = types.panel_width();
  const std::size_t row = types.constant_row();
  const MergedAxes axes = merge_axes(places.taps);
  Walker tap(places.data, axes, types.size);
  for (std::size_t i = 0; i < taps; ++i, tap.advance(1)) {
    for (std::size_t filter = 0; filter < groups * filters; ++filter) {
      const std::size_t group = filter / filters;
      const std::size_t in_group = filter % filters;
      const std::size_t panel = group * types.panels(filters) + in_group / width;
      const std::byte* from = packed + (panel * taps + i) * channels * row + in_group % width * types.size;
      std::byte* at = to + (tap.at() - to) + times(group, places.group_step) + times(in_group, places.filter_step);
      with_item_size(types.size, [&]<std::size_t size>() {
        for (std::size_t c = 0; c < channels; ++c, from += row, at += places.channel_step) std::memcpy(at, from, size);
      });
    }
  }
}

// ---- Runs ----

// The parts of the workspace, one after the other.
struct Convolution::Parts {
  explicit Parts(const Convolution& all)
      : image(all.images_.workspace_bytes()),
        // A window's elements in the padding.
        outside(std::max(Count(all.dims_.results()), Count(all.dims_.image_channels()) * all.row_taps_) *
                all.types_.accumulate_size),
        bias(Count(all.dims_.results()) * all.types_.accumulate_size + bias_tail),
        addresses(Count(all.windows_.taps()) * all.block_ * sizeof(std::byte*)),
        result(all.types_.is_accumulate_type() ? Count()
                                               : Count(all.dims_.results()) * all.block_ * all.types_.accumulate_size),
        filters(all.is_depthwise() && all.is_paired() ? all.packed_bytes() : Count()) {}

  Count all() const {
    return whole_vectors(image) + whole_vectors(outside) + whole_vectors(bias) + whole_vectors(addresses) +
           whole_vectors(result) + whole_vectors(filters);
  }

  Count image;
  Count outside;
  Count bias;
  Count addresses;
  Count result;
  Count filters;  // less their zero points
};

Count Convolution::workspace_bytes() const { return Parts(*this).all(); }

void Convolution::write_products(std::byte* to, const Rows& windows, const std::byte* packed, const std::byte* bias,
                                 const std::int32_t* zeros) const {
  const std::size_t size = types_.accumulate_size;
  const std::size_t channels = dims_.channels;
  const std::size_t row = row_taps_ * channels;
  const std::size_t run_items = items_of(run_elements());
  const std::size_t most_depth = is_paired() ? pair_tile_depth : tile_depth;
  const auto pitch = static_cast<std::ptrdiff_t>(panel_rows() * panel_step());
  const std::byte* records = packed + panels() * panel_rows() * panel_step();
  for (std::size_t group = 0; group < dims_.groups; ++group) {
    const std::size_t first_result = group * dims_.filters * size;
    // Adds the products of some rows of taps, of some taps in each, and of `depth` channels.
    const auto add = [&](std::size_t first_row, std::size_t rows, std::size_t first_tap, std::size_t some, std::size_t channel,
                         std::size_t depth) {
      const std::size_t run = has_joined_rows_ ? first_row : first_row * row_taps_ + first_tap;
      const std::size_t in_run = has_joined_rows_ ? first_tap * channels + channel : channel;
      const std::size_t first = run * run_items + items_of(in_run);
      Rows part = windows;
      part.at += run * windows.distance;
      part.taps = has_joined_rows_ ? rows : rows * some;
      part.offset = static_cast<std::ptrdiff_t>((group * channels + in_run) * image_size());
      if (has_joined_rows_) depth *= some;
      const Panels panels{packed + first * panel_step(), pitch, static_cast<std::ptrdiff_t>(panel_step()), dims_.filters};
      const bool adds = first > 0;
      const Target target{to + first_result, dims_.results() * size, adds, adds ? nullptr : bias + first_result};
      write_packed(write_, filter_types_, target, part, panels, items_of(depth), records);
    };
    if (row <= most_depth) {
      const std::size_t rows = most_depth / std::max<std::size_t>(row, 1);
      for (std::size_t i = 0; i < rows_; i += rows) add(i, std::min(rows, rows_ - i), 0, row_taps_, 0, channels);
    } else {
      // A part of a joined row of pairs ends with a whole one.
      std::size_t some = std::max<std::size_t>(most_depth / channels, 1);
      if (is_paired() && some > 1) some -= some % 2;
      for (std::size_t i = 0; i < rows_; ++i) {
        for (std::size_t tap = 0; tap < row_taps_; tap += some) {
          for (std::size_t channel = 0; channel < channels; channel += most_depth) {
            add(i, 1, tap, std::min(some, row_taps_ - tap), channel, std::min(most_depth, channels - channel));
          }
        }
      }
    }
    if (zeros != nullptr) {
      Rows all = windows;
      all.offset = static_cast<std::ptrdiff_t>(group * channels * image_size());
      subtract_zeros({to + first_result, dims_.results() * size, false}, all, run_elements(), zeros + group * dims_.filters,
                     dims_.filters);
    }
    packed += static_cast<std::ptrdiff_t>(types_.panels(dims_.filters)) * pitch;
    records += types_.panels(dims_.filters) * scale_record;
  }
}

Status Convolution::run(std::byte* to, const std::byte* images, const std::byte* packed, const std::byte* bias,
                        std::ptrdiff_t bias_step, std::byte* workspace, Finish* finish,
                        const Quantisation& quantisation) const {
  const Parts parts(*this);
  const auto take = [&](Count bytes) {
    std::byte* const part = workspace;
    workspace += in_memory(whole_vectors(bytes));
    return part;
  };
  std::byte* const copy = take(parts.image);
  std::byte* const outside = take(parts.outside);
  std::byte* const sums = take(parts.bias);
  auto* const addresses = reinterpret_cast<const std::byte**>(take(parts.addresses));
  std::byte* const block = take(parts.result);
  std::byte* const filters = take(parts.filters);
  std::memset(outside, 0, in_memory(parts.outside));
  std::memset(sums, 0, in_memory(parts.bias));
  const std::size_t results = dims_.results();
  if (bias != nullptr) pack_rows(sums, {bias, 0, bias_step}, 1, results, is_paired() ? ItemTypes(Dtype::int32) : types_);
  const std::int32_t* const zeros = quantisation.filter_zeros;
  const Rescaling* const rescaling = quantisation.rescaling;
  if (parts.filters > 0 && zeros != nullptr) {
    subtract_from_filters(filters, packed, zeros, taps(), results);
    packed = filters;
  }
  const bool has_block = is_paired() ? rescaling != nullptr : !types_.is_accumulate_type();
  const std::size_t result_size = !is_paired() ? types_.size : has_block ? item_size(rescaling->to) : types_.accumulate_size;
  const std::size_t places = windows_.places();
  const WriteDepthwise write_depthwise = is_paired() ? write_paired_depthwise : write_depthwise_of(types_.accumulate.dtype);
  for (std::size_t number = 0; number < dims_.batch; ++number) {
    const std::byte* image = images_.at(number, images, copy, quantisation.image_zero);
    for (std::size_t first = 0; first < places; first += block_) {
      const std::size_t count = std::min(block_, places - first);
      BROADLOOM_CHECK(Watch::check(steps_of_products(count, results, taps() * dims_.channels)));
      windows_.write(addresses, block_, first, count, image, outside);
      std::byte* const result = has_block ? block : to;
      if (is_depthwise()) {
        write_depthwise(result, {addresses, block_, count, taps(), results, packed, sums});
      } else {
        write_products(result, {addresses, count, windows_.taps(), block_}, packed, sums, zeros);
      }
      const std::byte* const computed = result;
      if (has_block && is_paired()) {
        rescaling->run(to, result, count, results);
      } else if (has_block) {
        types_.accumulate.store(to, &computed, count * results);
      }
      if (finish != nullptr) BROADLOOM_CHECK(finish->run(to, count * results));
      to += count * results * result_size;
    }
  }
  return {};
}

}  // namespace broadloom
