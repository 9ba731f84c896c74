#include "ops/dims/product.h"

#include "core/text.h"

namespace broadloom {

Result<SymbolicDims> product_dims(std::span<const Size> a, std::span<const Size> b) {
  if (a.empty() || b.empty()) return impossible("cannot multiply {} by {}: a scalar", a, b);
  const Size width = a[summed_axis(a.size(), false)];
  const Size height = b[summed_axis(b.size(), true)];
  if (differ(width, height)) {
    return impossible("cannot multiply {} by {}: {} column{s}, {} row{s}", a, b, width, height);
  }
  BROADLOOM_TRY(batch, broadcast_dims(a.first(batch_rank(a.size())), b.first(batch_rank(b.size()))));
  const std::size_t kept = (a.size() > 1 ? 1U : 0U) + (b.size() > 1 ? 1U : 0U);
  Result<SymbolicDims> dims(tl::in_place, batch.size() + kept);
  Size* next = std::copy(batch.begin(), batch.end(), dims->begin());
  if (a.size() > 1) *next++ = a[a.size() - 2];
  if (b.size() > 1) *next = b[b.size() - 1];
  return dims;
}

}  // namespace broadloom
