// The work of Resize and Upsample for known dims: one pass along each axis that changes.
#pragma once

#include "core/count.h"
#include "core/inline_vector.h"
#include "core/layout.h"
#include "core/tensor.h"
#include "kernels/sampling/choose.h"
#include "kernels/sampling/coordinates.h"

namespace broadloom {

// In the order in which they lie in memory.
using ResizedAxes = InlineVector<ResizedAxis, 8>;

class Resizing {
 public:
  Resizing(Dtype dtype, const ResizeRule& rule, float extrapolation)
      : rule_(rule), extrapolation_(extrapolation), dtype_(dtype) {}

  // Works out indices and weights: in time and memory in proportion to the axes. The result has elements.
  Status make(std::span<const ResizedAxis> axes);

  Count workspace_bytes() const { return workspace_bytes_; }
  // Both sides are dense in the order of the axes, and do not overlap. The workspace is aligned to 16.
  Status run(std::byte* to, const std::byte* from, std::byte* workspace) const;

 private:
  // Weighted sums along one axis. The axes before it are merged, and so are the axes after it.
  struct Pass {
    std::size_t outer;
    std::size_t from_row;  // elements on the axis and on the axes after it
    std::size_t to_row;
    std::size_t inner;
    Windows windows;
  };

  std::size_t count(std::size_t first, std::size_t end, bool is_resized) const;
  Status allocate(Count bytes);
  Status make_choice();
  void repeat_elements();
  Status make_passes();
  Status run_passes(std::byte* to, const std::byte* from, std::byte* workspace) const;
  Status run_pass(const Pass& pass, std::byte* to, const std::byte* from, std::byte* slabs) const;
  Status fill_outside(std::byte* to) const;
  Count result_bytes(const Pass& pass) const;

  ResizeRule rule_;
  float extrapolation_;
  Dtype dtype_;
  Dtype sum_type_ = Dtype::float32;
  std::size_t sum_size_ = 0;
  bool converts_ = false;
  std::size_t parts_ = 1;   // of a complex number
  std::size_t first_ = 0;   // the first axis that changes
  std::size_t end_ = 0;     // after the last axis that changes; 0 if none does
  std::size_t blocks_ = 1;  // before the first one; each is resized by itself
  std::size_t from_block_ = 0;
  std::size_t to_block_ = 0;  // in bytes
  Count workspace_bytes_;
  Count slab_bytes_;
  // Views into the tables.
  std::span<const ResizedAxis> axes_;
  std::span<ChosenAxis> choice_;
  std::span<Pass> passes_;
  Layout repeated_;  // of the input as the result, where elements are repeated; else no axes
  std::byte* free_ = nullptr;
  StorageRef tables_;
};

}  // namespace broadloom
