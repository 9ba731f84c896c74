// The rule for dims of Resize and Upsample.
#pragma once

#include "ops/call/operator.h"
#include "ops/image/resizing.h"

namespace broadloom {

// The requested sizes and scales.
struct ResizeTarget {
  bool is_ranked = false;
  bool is_known = false;  // all sizes are numbers, and each axis has its scale
  SymbolicDims dims;
  ResizedAxes axes;

  bool is_unchanged() const;
};

// `least_scale` is the least that scales may be; they are above 0.
Result<ResizeTarget> target_of(const Call& call, double least_scale);

// Sets the part of each axis from input 'roi', if it is given. False while its elements are missing.
Result<bool> read_regions(const Call& call, ResizedAxes& axes);

// The number of an attribute's word among its words. The version declares the attribute.
std::size_t word_number(const Call& call, std::string_view name);

}  // namespace broadloom
