#include "kernels/sound/frames.h"

#include <algorithm>

#include "kernels/base/lane_math.h"
#include "kernels/movement/planes.h"

namespace broadloom {
namespace {

float sample_at(const FramedSound& sound, std::int64_t i) {
  if (i < 0 || i >= sound.length) {
    if (sound.edge == Edge::zeros) return 0;
    // Mirrored ends repeat after twice the length; mirrored samples after two fewer.
    const std::int64_t apart = sound.edge == Edge::reflect ? 1 : 0;
    const std::int64_t period = std::max<std::int64_t>(2 * (sound.length - apart), 1);
    i %= period;
    if (i < 0) i += period;
    if (i >= sound.length) i = period - 1 + apart - i;
  }
  return i < sound.given ? sound.samples[i] : 0;
}

}  // namespace

void read_frames(Lanes<float>* to, const FramedSound& sound, std::int64_t start, std::int64_t step, std::size_t size,
                 float* buffer) {
  constexpr auto frames = static_cast<std::int64_t>(frames_at_once);
  const auto length = static_cast<std::int64_t>(size);
  const float* from = buffer;
  std::int64_t from_step = length;
  if (start >= 0 && start + (frames - 1) * step + length <= sound.given) {
    from = sound.samples + start;
    from_step = step;
  } else {
    for (std::int64_t frame = 0; frame < frames; ++frame) {
      for (std::int64_t i = 0; i < length; ++i) buffer[frame * length + i] = sample_at(sound, start + frame * step + i);
    }
  }
  constexpr auto item = static_cast<std::ptrdiff_t>(sizeof(float));
  const Plane plane{size, frames_at_once, vector_bytes, static_cast<std::ptrdiff_t>(from_step) * item, item};
  transpose_plane(reinterpret_cast<std::byte*>(to), reinterpret_cast<const std::byte*>(from), plane, sizeof(float));
}

void multiply(Lanes<float>* frames, const float* factors, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) frames[i] *= factors[i];
}

void write_powers(Lanes<float>* to, const Lanes<float>* spectrum, std::size_t count, bool is_magnitude) {
  for (std::size_t i = 0; i < count; ++i) {
    const Lanes<float> power = spectrum[2 * i] * spectrum[2 * i] + spectrum[2 * i + 1] * spectrum[2 * i + 1];
    to[i] = is_magnitude ? sqrt(power) : power;
  }
}

void take_logarithms(Lanes<float>* numbers, std::size_t count, const Logarithm& form) {
  for (std::size_t i = 0; i < count; ++i) {
    const Lanes<float> x = at_least(numbers[i] + form.offset, filled(form.floor));
    numbers[i] = form.factor == 0 ? x : log(x) * form.factor;
  }
}

void write_rows(float* to, std::size_t row, const Lanes<float>* numbers, std::size_t count, std::size_t frames) {
  constexpr auto item = static_cast<std::ptrdiff_t>(sizeof(float));
  const Plane plane{frames, count, static_cast<std::ptrdiff_t>(row) * item, vector_bytes, item};
  transpose_plane(reinterpret_cast<std::byte*>(to), reinterpret_cast<const std::byte*>(numbers), plane, sizeof(float));
}

void write_columns(float* to, std::size_t row, const Lanes<float>* numbers, std::size_t count, std::size_t frames) {
  for (std::size_t i = 0; i < count; ++i, to += row) {
    if (frames == frames_at_once) {
      store_lanes(reinterpret_cast<std::byte*>(to), numbers[i]);
    } else {
      for (std::size_t frame = 0; frame < frames; ++frame) to[frame] = numbers[i][frame];
    }
  }
}

float largest(const float* numbers, std::size_t count) {
  constexpr std::size_t lanes = lanes_of<float>;
  Lanes<float> most = filled(-infinity<float>);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    most = at_least(most, load_lanes<float>(reinterpret_cast<const std::byte*>(numbers + i)));
  for (; i < count; ++i) most = at_least(most, filled(numbers[i]));
  return std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
}

void apply_scale(float* numbers, std::size_t count, const FinalScale& form) {
  constexpr std::size_t lanes = lanes_of<float>;
  const auto rescaled = [&](const Lanes<float>& x) { return (at_least(x, filled(form.least)) + form.offset) * form.scale; };
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    auto* const at = reinterpret_cast<std::byte*>(numbers + i);
    store_lanes(at, rescaled(load_lanes<float>(at)));
  }
  for (; i < count; ++i) numbers[i] = rescaled(filled(numbers[i]))[0];
}

}  // namespace broadloom
