// Spectrograms on the mel scale, as librosa, torchaudio, Whisper and openWakeWord define them.
#pragma once

#include "media/mel_spectra.h"

namespace broadloom {

// Numbers as the user gave them.
struct LogMelForm {
  double sample_rate;
  double fft_length;
  double window_length;
  double hop_length;
  WindowName window;
  bool is_periodic;
  bool is_centered;  // whether frame i has its middle at i hops, and not its start
  Edge edge;
  bool drops_last;
  double power;  // 1 or 2
  double mel_bins;
  double min_frequency;
  double max_frequency;
  MelScale scale;
  bool has_equal_areas;
  LogName log;
  double floor;
  double log_offset;
  double range;  // infinity for none
  double offset;
  double result_scale;
  double sample_scale;
  double length;  // to which zeros fill the sound, or at which it is cut; below 0 for its own
  bool has_frames_first;
};

// float32 [bins, frames], or [frames, bins].
Result<Tensor> log_mel(const Tensor& samples, const LogMelForm& form);

}  // namespace broadloom
