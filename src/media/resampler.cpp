#include "media/resampler.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/count.h"
#include "core/memory.h"
#include "media/option_checks.h"

namespace broadloom {
namespace {

// A buffer that a large piece needed is given back when small ones follow.
constexpr std::size_t kept_bytes = std::size_t{256} * 1024;

}  // namespace

Result<std::unique_ptr<Resampler>> Resampler::make(double from, double to) {
  BROADLOOM_CHECK(require_memory());
  BROADLOOM_CHECK(check_rate("from", from));
  BROADLOOM_CHECK(check_rate("to", to));
  if (from / to > RateRatio::most || to / from > RateRatio::most) {
    return fail(Code::InvalidArgument, "the rates {} and {} are too far apart, wanted one at most {} times the other", from, to,
                RateRatio::most);
  }
  BROADLOOM_TRY(filter, Polyphase::make(RateRatio::of(from, to)));
  std::unique_ptr<Resampler> made(new Resampler(std::move(filter)));
  BROADLOOM_CHECK(made->reserve(0));
  made->reset();
  return made;
}

// There is always room for the zeros after the end. Less than twice the taps is kept between pieces, so pieces of one size need
// no other buffer.
Result<float*> Resampler::reserve(std::size_t count) {
  const std::size_t wanted = (2 * filter_->taps() + count + filter_->after()) * sizeof(float);
  const bool is_excess = buffer_ && buffer_->size() > kept_bytes && buffer_->size() / 4 > wanted;
  if (!buffer_ || buffer_->size() < wanted || is_excess) {
    BROADLOOM_TRY(larger, Storage::allocate(static_cast<std::int64_t>(wanted)));
    if (buffer_) std::memcpy(larger->data(), buffer_->data(), size_ * sizeof(float));
    buffer_ = std::move(larger);
  }
  return samples() + size_;
}

std::size_t Resampler::results_after(std::size_t count) const {
  const std::size_t end = size_ + count + 1;
  if (end <= place_.sample + filter_->taps()) return 0;
  return in_memory(filter_->results_before(place_, end - filter_->taps()));
}

std::size_t Resampler::results_at_end() const { return results_after(filter_->after()); }

void Resampler::run(float* to, std::size_t count) {
  const std::size_t results = results_after(count);
  size_ += count;
  filter_->run(to, results, samples(), place_);
  std::memmove(samples(), samples() + place_.sample, (size_ - place_.sample) * sizeof(float));
  size_ -= place_.sample;
  place_.sample = 0;
}

void Resampler::finish(float* to) {
  std::memset(samples() + size_, 0, filter_->after() * sizeof(float));
  run(to, filter_->after());
  reset();
}

void Resampler::reset() {
  size_ = filter_->taps() - filter_->after() - 1;
  std::memset(samples(), 0, size_ * sizeof(float));
  place_ = {};
}

}  // namespace broadloom
