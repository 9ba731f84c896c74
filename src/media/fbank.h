// Kaldi's filter bank features (feat/feature-fbank.h), as torchaudio's compliance.kaldi.fbank has them.
#pragma once

#include "media/mel_spectra.h"

namespace broadloom {

// Numbers as the user gave them.
struct FbankForm {
  double sample_rate;
  double frame_length;  // in milliseconds, as the next one
  double frame_shift;
  double preemphasis;
  bool removes_dc_offset;
  WindowName window;
  bool rounds_to_power_of_two;
  bool snips_edges;
  double mel_bins;
  double low_frequency;
  double high_frequency;  // 0 or less: from the Nyquist frequency
  bool uses_energy;
  bool has_raw_energy;
  double energy_floor;
  bool uses_power;
  bool uses_log;
  bool subtracts_mean;
  double sample_scale;
};

// float32 [frames, bins], with the energy before the bins.
Result<Tensor> filter_bank_features(const Tensor& samples, const FbankForm& form);

}  // namespace broadloom
