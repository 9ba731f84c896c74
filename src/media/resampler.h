// Samples at one rate from samples at another, as they come. Results do not depend on how a sound is cut into pieces.
#pragma once

#include <cstddef>
#include <memory>

#include "core/storage.h"
#include "kernels/sound/polyphase.h"

namespace broadloom {

class Resampler {
 public:
  // Fails for rates that are not positive numbers, and for those that are too far apart.
  static Result<std::unique_ptr<Resampler>> make(double from, double to);

  // The number of results of a sound of `samples` samples.
  std::uint64_t results_of(std::size_t samples) const { return filter_->results_before({}, samples); }
  // Where the next `count` samples are to be written. They are part of the sound once `run` is called.
  Result<float*> reserve(std::size_t count);
  // How many results are certain with `count` more samples, and how many there are if the sound ends.
  std::size_t results_after(std::size_t count) const;
  std::size_t results_at_end() const;
  // Takes `count` samples and writes the results that are certain.
  void run(float* to, std::size_t count);
  // Writes the rest of the results. The next samples belong to another sound. All results together are ceil(n * to / from).
  void finish(float* to);
  // Forgets the sound.
  void reset();

 private:
  explicit Resampler(std::shared_ptr<const Polyphase> filter) : filter_(std::move(filter)) {}
  float* samples() const { return reinterpret_cast<float*>(buffer_->data()); }

  std::shared_ptr<const Polyphase> filter_;
  // The samples that the next results depend on.
  StorageRef buffer_;
  std::size_t size_ = 0;
  SamplePlace place_;  // of the next result's first tap
};

}  // namespace broadloom
