// Sounds: their samples at one rate, and streams of samples that are resampled.
#include <cmath>

#include "core/memory.h"
#include "frame.h"
#include "functions.h"
#include "media/fbank.h"
#include "media/log_mel.h"
#include "media/resampler.h"
#include "media/sound.h"
#include "tensors.h"

namespace broadloom {
namespace {

// A resampler of JavaScript's, and the results of its last call.
struct Stream {
  std::unique_ptr<Resampler> resampler;
  StorageRef results;
};

Stream& stream_at(double handle) { return *reinterpret_cast<Stream*>(static_cast<std::uintptr_t>(handle)); }

// One of the names of an option, by its number.
template <class Name>
Name name_in(FrameReader& frame) {
  return static_cast<Name>(static_cast<int>(frame.number()));
}

Status write_results(Stream& stream, std::size_t count) {
  FrameWriter frame;
  frame.pointer(stream.results->data());
  frame.number(static_cast<double>(count));
  return {};
}

// Room for results: the room of the last call, unless it was large or is too small. Pieces of equal size differ by at most one
// result.
Result<float*> room_for(Stream& stream, std::size_t count) {
  constexpr std::size_t kept_bytes = std::size_t{256} * 1024;
  const std::size_t bytes = count * sizeof(float);
  if (!stream.results || stream.results->size() < bytes || stream.results->size() > kept_bytes) {
    BROADLOOM_TRY(made, Storage::allocate(static_cast<std::int64_t>(bytes + 64 * sizeof(float))));
    stream.results = std::move(made);
  }
  return reinterpret_cast<float*>(stream.results->data());
}

}  // namespace

// rates from and to, number of channels, whether channel follows channel -> tensor
double fromAudio(double handle) {
  return finish("fromAudio", [&]() -> Status {
    BROADLOOM_CHECK(require_memory());
    FrameReader frame;
    SoundForm form;
    form.from = frame.number();
    form.to = frame.number();
    form.channels = frame.number();
    form.is_planar = frame.number() != 0;
    BROADLOOM_TRY(sound, from_audio(tensor_of(static_cast<std::uintptr_t>(handle)), form));
    return own_and_write(std::move(sound));
  }());
}

// the numbers of a LogMelForm, in its order -> tensor
double logMel(double handle) {
  return finish("logMel", [&]() -> Status {
    BROADLOOM_CHECK(require_memory());
    FrameReader frame;
    LogMelForm form{};
    form.sample_rate = frame.number();
    form.fft_length = frame.number();
    form.window_length = frame.number();
    form.hop_length = frame.number();
    form.window = name_in<WindowName>(frame);
    form.is_periodic = frame.number() != 0;
    form.is_centered = frame.number() != 0;
    form.edge = frame.number() != 0 ? Edge::reflect : Edge::zeros;
    form.drops_last = frame.number() != 0;
    form.power = frame.number();
    form.mel_bins = frame.number();
    form.min_frequency = frame.number();
    form.max_frequency = frame.number();
    form.scale = name_in<MelScale>(frame);
    form.has_equal_areas = frame.number() != 0;
    form.log = name_in<LogName>(frame);
    form.floor = frame.number();
    form.log_offset = frame.number();
    form.range = frame.number();
    form.offset = frame.number();
    form.result_scale = frame.number();
    form.sample_scale = frame.number();
    form.length = frame.number();
    form.has_frames_first = frame.number() != 0;
    BROADLOOM_TRY(spectrogram, log_mel(tensor_of(static_cast<std::uintptr_t>(handle)), form));
    return own_and_write(std::move(spectrogram));
  }());
}

// the numbers of an FbankForm, in its order -> tensor
double fbank(double handle) {
  return finish("fbank", [&]() -> Status {
    BROADLOOM_CHECK(require_memory());
    FrameReader frame;
    FbankForm form{};
    form.sample_rate = frame.number();
    form.frame_length = frame.number();
    form.frame_shift = frame.number();
    form.preemphasis = frame.number();
    form.removes_dc_offset = frame.number() != 0;
    form.window = name_in<WindowName>(frame);
    form.rounds_to_power_of_two = frame.number() != 0;
    form.snips_edges = frame.number() != 0;
    form.mel_bins = frame.number();
    form.low_frequency = frame.number();
    form.high_frequency = frame.number();
    form.uses_energy = frame.number() != 0;
    form.has_raw_energy = frame.number() != 0;
    form.energy_floor = frame.number();
    form.uses_power = frame.number() != 0;
    form.uses_log = frame.number() != 0;
    form.subtracts_mean = frame.number() != 0;
    form.sample_scale = frame.number();
    BROADLOOM_TRY(features, filter_bank_features(tensor_of(static_cast<std::uintptr_t>(handle)), form));
    return own_and_write(std::move(features));
  }());
}

// -> the resampler
double makeResampler(double from, double to) {
  return finish("resampler", [&]() -> Status {
    BROADLOOM_TRY(resampler, Resampler::make(from, to));
    FrameWriter frame;
    frame.pointer(new Stream{std::move(resampler), {}});
    return {};
  }());
}

// -> the address for the next `count` samples
double resamplerRoom(double handle, double count) {
  return finish([&]() -> Status {
    Resampler& resampler = *stream_at(handle).resampler;
    const auto samples = static_cast<std::size_t>(count);
    BROADLOOM_CHECK(bytes_to_make(Dtype::float32, static_cast<std::int64_t>(resampler.results_after(samples))));
    BROADLOOM_TRY(room, resampler.reserve(samples));
    FrameWriter frame;
    frame.pointer(room);
    return {};
  }());
}

// Takes `count` samples -> address and count of the results, which stay until the next call
double runResampler(double handle, double count) {
  return finish([&]() -> Status {
    Stream& stream = stream_at(handle);
    const auto samples = static_cast<std::size_t>(count);
    const std::size_t results = stream.resampler->results_after(samples);
    BROADLOOM_TRY(room, room_for(stream, results));
    stream.resampler->run(room, samples);
    return write_results(stream, results);
  }());
}

// Ends the sound -> address and count of the results
double finishResampler(double handle) {
  return finish([&]() -> Status {
    Stream& stream = stream_at(handle);
    const std::size_t results = stream.resampler->results_at_end();
    BROADLOOM_TRY(room, room_for(stream, results));
    stream.resampler->finish(room);
    return write_results(stream, results);
  }());
}

// Forgets the sound.
void resetResampler(double handle) { stream_at(handle).resampler->reset(); }

void disposeResampler(double handle) { delete &stream_at(handle); }

}  // namespace broadloom
