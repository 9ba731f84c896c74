#include "ops/convolution/channels_last.h"

#include "core/dims.h"

namespace broadloom {
namespace {

// Moves an axis to another place; those between them move by one.
Tensor moved(const Tensor& image, bool to_front) {
  if (!image.is_ranked() || image.dims().size() < 3) return image;
  const std::size_t rank = image.dims().size();
  Dims order(rank);
  for (std::size_t i = 2; i < rank; ++i) {
    const std::size_t to = to_front ? i : i - 1;
    order[to] = static_cast<std::int64_t>(2 * i - 1 - to);
  }
  order[to_front ? 1 : rank - 1] = static_cast<std::int64_t>(to_front ? rank - 1 : 1);
  Tensor view = image;
  view.layout = transposed_layout(image.layout, order.values());
  return view;
}

}  // namespace

Tensor channels_to_front(const Tensor& image) { return moved(image, true); }
Tensor channels_to_back(const Tensor& image) { return moved(image, false); }

}  // namespace broadloom
