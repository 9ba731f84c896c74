#include "kernels/resize/choose.h"

#include "kernels/blocks.h"
#include "kernels/copy.h"
#include "kernels/repeat.h"

namespace broadloom {

void choose(std::byte* to, const std::byte* from, std::span<const ChosenAxis> axes) {
  const auto& [offsets, block, times] = axes.front();
  if (axes.size() == 1) {
    // Twice in turn: 0.3 of the time of copying each.
    if (times > 1) return repeat_each(to, from, block, offsets.size() / times, times);
    return gather_blocks(to, from, offsets, block);
  }
  for (std::size_t i = 0; i < offsets.size(); ++i, to += block) {
    if (i > 0 && offsets[i] == offsets[i - 1]) {
      copy_bytes(to, to - block, block);
    } else {
      choose(to, from + offsets[i], axes.subspan(1));
    }
  }
}

}  // namespace broadloom
