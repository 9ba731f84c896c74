// A polyphase filter: samples at one rate from samples at another.
//
// The filter is a sinc under a Kaiser window. Its stop band starts at the lower one of the two Nyquist frequencies, 82 dB down;
// up to 0.9 of that frequency the ripple is at most 0.06 dB. It is symmetric, so nothing is delayed.
//
// Result k is the filter's sum around the place k * from / to. The fractions of such places are few if the rates have a large
// common divisor: then each has a row of weights. Otherwise there are 256 rows for places at equal distances, and results are
// interpolated between two of them, which adds an error of -96 dB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/status.h"

namespace broadloom {

// The quotient of two rates in lowest terms, exactly. Both are below 2^62.
struct RateRatio {
  std::uint64_t from;
  std::uint64_t to;

  // The rates are finite and positive, and one is at most `most` times the other.
  static constexpr double most = 256;
  static RateRatio of(double from, double to);
};

// A place between samples: `sample` + part / ratio.to.
struct SamplePlace {
  std::size_t sample = 0;
  std::uint64_t part = 0;
};

class Polyphase {
 public:
  // The filter of the ratio. The last one that was made is kept for the next caller.
  static Result<std::shared_ptr<const Polyphase>> make(const RateRatio& ratio);
  Polyphase(const Polyphase&) = delete;
  Polyphase& operator=(const Polyphase&) = delete;
  ~Polyphase();

  // A result depends on `taps` samples. The last one comes `after` samples after the sample at or before the result's place.
  std::size_t taps() const { return taps_; }
  std::size_t after() const { return after_; }

  // How many results from `place` on have places before `end`, which is not before `place`.
  std::uint64_t results_before(const SamplePlace& place, std::size_t end) const;

  // Writes `count` results. `from` has the taps of a result from the number of its sample on. `place` becomes the place of the
  // next result. The bits of a result depend on its taps and its part alone.
  void run(float* to, std::size_t count, const float* from, SamplePlace& place) const;

 private:
  explicit Polyphase(const RateRatio& ratio);
  // Equal rates: samples keep their bits.
  bool is_identity() const { return ratio_.from == ratio_.to; }
  void write_row(float* to, double fraction) const;
  void advance(SamplePlace& place) const;
  void run_exact(float* to, std::size_t count, const float* from, SamplePlace& place) const;
  void run_between(float* to, std::size_t count, const float* from, SamplePlace& place) const;

  RateRatio ratio_;
  double half_width_ = 0;  // in samples
  double cutoff_ = 1;      // the filter's pass band, as a part of the Nyquist frequency of `from`
  std::size_t taps_ = 1;
  std::size_t after_ = 0;
  bool is_exact_ = true;   // whether each part has a row
  std::size_t steps_ = 1;  // rows between two samples
  float* rows_ = nullptr;
};

}  // namespace broadloom
