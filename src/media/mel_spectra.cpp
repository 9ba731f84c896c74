#include "media/mel_spectra.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/count.h"
#include "core/limits.h"
#include "core/memory.h"
#include "core/text.h"
#include "kernels/elementwise/functions.h"
#include "kernels/fourier/windows.h"
#include "ops/call/dense.h"

namespace broadloom {
namespace {

constexpr CosineWindow cosine_windows[] = {{0.5, 0.5, 0}, {0.54, 0.46, 0}, {0.42, 0.5, 0.08}, {1, 0, 0}, {0.5, 0.5, 0}};
constexpr double povey_exponent = 0.85;

std::shared_ptr<const MelSpectra> kept_spectra;

// Rounded once, with the scale within.
Result<std::vector<float>> window_of(const MelSpectraForm& form) {
  const std::size_t count = form.window_length;
  std::vector<double> numbers(count);
  auto* const bytes = reinterpret_cast<std::byte*>(numbers.data());
  const std::size_t period = std::max<std::size_t>(form.is_periodic ? count : count - 1, 1);
  BROADLOOM_CHECK(write_window(bytes, Dtype::float64, count, period, cosine_windows[place_of(form.window)]));
  if (form.window == WindowName::povey) {
    const std::vector<double> exponents(count, povey_exponent);
    const std::byte* const from[] = {bytes, reinterpret_cast<const std::byte*>(exponents.data())};
    functions::pow.of_double(bytes, from, count);
  }
  std::vector<float> window(count);
  const auto scale = static_cast<double>(form.sample_scale);
  std::transform(numbers.begin(), numbers.end(), window.begin(), [&](double x) { return static_cast<float>(x * scale); });
  return window;
}

}  // namespace

Result<std::shared_ptr<const MelSpectra>> MelSpectra::make(const MelSpectraForm& form) {
  if (kept_spectra && kept_spectra->form_ == form) return kept_spectra;
  // Bounds what the tables take: numbers of a frequency, of a bin and of a sample.
  BROADLOOM_CHECK(require_memory(form.mel.length + form.mel.bins, 64));
  std::shared_ptr<MelSpectra> made(new MelSpectra(form));
  const Fourier::Form transform{form.mel.length, form.mel.length, false, false, Fourier::Output::half};
  BROADLOOM_TRY(fourier, Fourier::make(transform, Dtype::float32));
  made->fourier_ = std::move(fourier);
  BROADLOOM_TRY(window, window_of(form));
  made->window_ = std::move(window);
  made->filters_ = MelFilters(form.mel);
  kept_spectra = std::move(made);
  return kept_spectra;
}

Result<MelSpectra::Workspace> MelSpectra::make_workspace() const {
  const Count transform = fourier_->workspace_bytes();
  const std::size_t powers = form_.mel.length / 2 + 1;
  const std::size_t vectors = powers + 1 + bins() + form_.window_length;
  BROADLOOM_TRY(storage, Storage::allocate(transform + Count(vectors) * vector_bytes));
  Lanes<float>* at = Fourier::lanes(storage->data());
  const auto take = [&at](std::size_t count) { return std::exchange(at, at + count); };
  Workspace workspace;
  workspace.frame = take(in_memory(transform) / vector_bytes);
  workspace.powers = take(powers);
  workspace.bins = take(1 + bins()) + 1;
  workspace.buffer = reinterpret_cast<float*>(take(form_.window_length));
  workspace.storage = std::move(storage);
  return workspace;
}

Status MelSpectra::run(const Workspace& workspace) const {
  const std::size_t length = form_.mel.length;
  constexpr double steps_of_sample = 16;
  BROADLOOM_CHECK(Watch::check(steps_of_sample * static_cast<double>(length)));
  std::memset(workspace.frame + form_.window_length, 0, (length - form_.window_length) * vector_bytes);
  const Lanes<float>* const spectrum = fourier_->run_lanes(workspace.storage->data());
  write_powers(workspace.powers, spectrum, length / 2 + 1, form_.is_magnitude);
  filters_.apply(workspace.bins, workspace.powers);
  return {};
}

Result<Tensor> samples_of(const Tensor& tensor) {
  if (tensor.dtype != Dtype::float32 || tensor.dims().size() != 1) {
    return fail(Code::InvalidArgument, "the samples are {} {}, wanted float32 with one axis", tensor.dtype, tensor.run_dims());
  }
  return densify(tensor);
}

}  // namespace broadloom
