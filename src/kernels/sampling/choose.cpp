#include "kernels/sampling/choose.h"

#include "core/limits.h"
#include "kernels/movement/blocks.h"
#include "kernels/movement/copy.h"
#include "kernels/movement/repeat.h"

namespace broadloom {

// The bytes that are copied in a step, for Watch::check.
constexpr double bytes_a_step = 4;

Status choose(std::byte* to, const std::byte* from, std::span<const ChosenAxis> axes) {
  const auto& [offsets, block, times] = axes.front();
  if (axes.size() == 1) {
    BROADLOOM_CHECK(Watch::check(static_cast<double>(offsets.size()) * (1 + static_cast<double>(block) / bytes_a_step)));
    // Twice in turn: 0.3 of the time of copying each.
    if (times > 1) {
      repeat_each(to, from, block, offsets.size() / times, times);
    } else {
      gather_blocks(to, from, offsets, block);
    }
    return {};
  }
  for (std::size_t i = 0; i < offsets.size(); ++i, to += block) {
    if (i > 0 && offsets[i] == offsets[i - 1]) {
      copy_bytes(to, to - block, block);
      BROADLOOM_CHECK(Watch::check(1 + static_cast<double>(block) / bytes_a_step));
    } else {
      BROADLOOM_CHECK(choose(to, from + offsets[i], axes.subspan(1)));
    }
  }
  return {};
}

}  // namespace broadloom
