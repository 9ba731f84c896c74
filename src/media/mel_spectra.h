// Mel spectra of frames: what does not depend on samples, and the work on four frames.
#pragma once

#include <memory>
#include <vector>

#include "core/tensor.h"
#include "kernels/fourier/fourier.h"
#include "kernels/sound/frames.h"
#include "kernels/sound/mel_filters.h"

namespace broadloom {

struct MelSpectraForm {
  std::size_t window_length;  // samples of a frame, at most the transform's length; zeros follow
  WindowName window;
  bool is_periodic;
  float sample_scale;  // of the window
  bool is_magnitude;   // magnitudes instead of powers
  MelForm mel;
  bool operator==(const MelSpectraForm&) const = default;
};

class MelSpectra {
 public:
  // The last one that was made is kept for the next caller. Lengths and bins are below 2^20.
  static Result<std::shared_ptr<const MelSpectra>> make(const MelSpectraForm& form);

  // Memory for frames at once.
  struct Workspace {
    StorageRef storage;
    Lanes<float>* frame = nullptr;   // the samples
    Lanes<float>* powers = nullptr;  // of their frequencies
    Lanes<float>* bins = nullptr;    // the results, after room for one more
    float* buffer = nullptr;         // for read_frames
  };
  Result<Workspace> make_workspace() const;

  std::size_t bins() const { return filters_.bins(); }
  void multiply_window(const Workspace& workspace) const { multiply(workspace.frame, window_.data(), window_.size()); }
  // Writes the bins of the frames. Fails when the time is over.
  Status run(const Workspace& workspace) const;

 private:
  explicit MelSpectra(const MelSpectraForm& form) : form_(form) {}

  MelSpectraForm form_;
  std::unique_ptr<Fourier> fourier_;
  std::vector<float> window_;
  MelFilters filters_;
};

// Samples for mel spectra: one axis of float32.
Result<Tensor> samples_of(const Tensor& tensor);

}  // namespace broadloom
