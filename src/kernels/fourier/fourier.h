// Discrete Fourier transforms of rows, of any length.
//
// Lengths whose prime factors are 2, 3 and 5 are transformed by passes, one for each factor, several rows at once in the lanes
// of vectors. Other lengths become a convolution (Bluestein's algorithm), so all lengths take n log n steps. Real rows of even
// length are transformed as complex ones of half the length. Roots of unity are worked out in double.
#pragma once

#include <cstddef>
#include <memory>

#include "core/count.h"
#include "core/dtype.h"
#include "core/status.h"
#include "kernels/base/simd.h"

namespace broadloom {

class Fourier {
 public:
  enum class Output : unsigned char { full, half, real };
  struct Form {
    std::size_t length;  // of the transform, at least 1
    std::size_t given;   // elements of a row, at most those that the transform needs; the others are 0
    bool is_complex;     // whether a row's elements are complex
    bool is_inverse;
    // full: `length` complex numbers; half: the first length / 2 + 1 of those, for real rows; real: `length` real numbers, from
    // length / 2 + 1 complex ones that are the first half of a spectrum.
    Output output;
  };

  // Works out what depends on the form. `dtype` is float32 or float64.
  static Result<std::unique_ptr<Fourier>> make(const Form& form, Dtype dtype);
  Fourier(const Fourier&) = delete;
  Fourier& operator=(const Fourier&) = delete;
  ~Fourier();

  // The memory that a run needs, aligned to 16.
  Count workspace_bytes() const;

  // Transforms `count` rows of contiguous elements, which lie `from_step` bytes apart. Results lie contiguously. If there is a
  // window, elements are multiplied by its numbers.
  Status run(std::byte* to, const std::byte* from, std::ptrdiff_t from_step, std::size_t count, const std::byte* window,
             std::byte* workspace) const;

  // Transforms one real float32 row in each lane, for the output `half`: the caller writes a vector for each element to
  // `lanes`, and `run_lanes` returns the half spectra in lanes, real and imaginary parts in turns.
  static Lanes<float>* lanes(std::byte* workspace) { return reinterpret_cast<Lanes<float>*>(workspace); }
  const Lanes<float>* run_lanes(std::byte* workspace) const;

  // How many numbers a row of the result has, real and imaginary parts each.
  std::size_t result_numbers() const;

 private:
  Fourier(const Form& form, Dtype dtype);
  Status set_tables();
  template <class T>
  Status set_filter(std::byte* to);
  template <class V>
  void run_rows(std::byte* to, const std::byte* from, std::ptrdiff_t from_step, std::size_t count, const std::byte* window,
                std::byte* workspace) const;
  template <class V>
  V* transform(V* data, V* spare, bool swapped) const;
  template <class V>
  V* half_spectrum(V* data, V* spare) const;
  template <class V>
  V* convolve(V* data, V* spare, bool swapped) const;
  template <class V>
  V* transform_passes(V* data, V* spare, bool swapped) const;
  Count vectors() const;  // of a buffer
  bool has_split_rows(std::size_t count) const;

  Form form_;
  Dtype dtype_;
  bool is_folded_;         // real rows as complex ones of half the length
  std::size_t length_;     // of the complex transform
  std::size_t passes_of_;  // the length that has passes: length_, or the length of the convolution
  // Not counted as bytes of tensors: callers keep a transform for the next one.
  std::byte* tables_ = nullptr;
  const std::byte* halves_ = nullptr;  // roots for folded rows
  // The parts of a convolution: its transform, the chirp, and the spectrum of the filter.
  std::unique_ptr<Fourier> inner_;
  const std::byte* chirp_ = nullptr;
  const std::byte* filter_ = nullptr;
};

}  // namespace broadloom
