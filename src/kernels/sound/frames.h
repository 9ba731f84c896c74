// Frames of a sound, in lanes: each lane has a frame of its own.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/base/simd.h"

namespace broadloom {

// A frame is the samples from a place on. After its samples, a sound has zeros up to its length. Beyond its ends come zeros; or
// the samples mirrored at the first and the last one (as NumPy's pad has it), or mirrored at the ends, where the outer samples
// come twice.
enum class Edge : std::uint8_t { zeros, reflect, symmetric };

struct FramedSound {
  const float* samples;
  std::int64_t given;   // samples that there are, at most `length`
  std::int64_t length;  // at least 1
  Edge edge;
};

inline constexpr std::size_t frames_at_once = lanes_of<float>;

// Writes `size` vectors: sample i of frames at `start`, start + step, ... `buffer` has room for `size` floats of each frame.
void read_frames(Lanes<float>* to, const FramedSound& sound, std::int64_t start, std::int64_t step, std::size_t size,
                 float* buffer);

// Multiplies vectors by numbers.
void multiply(Lanes<float>* frames, const float* factors, std::size_t count);

// The squares of the magnitudes of complex vectors, or the magnitudes.
void write_powers(Lanes<float>* to, const Lanes<float>* spectrum, std::size_t count, bool is_magnitude);

// factor log(max(x + offset, floor)); without the logarithm if the factor is 0. NaN stays NaN.
struct Logarithm {
  float offset;
  float floor;
  float factor;
};
void take_logarithms(Lanes<float>* numbers, std::size_t count, const Logarithm& form);

// Writes the first `frames` lanes of `count` vectors: a row of numbers for each frame, or a column. Rows of the result are
// `row` numbers apart.
void write_rows(float* to, std::size_t row, const Lanes<float>* numbers, std::size_t count, std::size_t frames);
void write_columns(float* to, std::size_t row, const Lanes<float>* numbers, std::size_t count, std::size_t frames);

// The largest number, besides NaN; -infinity if there is none.
float largest(const float* numbers, std::size_t count);

// (max(x, least) + offset) scale.
struct FinalScale {
  float least;
  float offset;
  float scale;
};
void apply_scale(float* numbers, std::size_t count, const FinalScale& form);

}  // namespace broadloom
