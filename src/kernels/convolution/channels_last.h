// Images with their channels side by side.
#pragma once

#include <cstddef>
#include <span>

#include "core/count.h"
#include "core/layout.h"
#include "kernels/elementwise/convert.h"

namespace broadloom {

// How an image is wanted.
struct ImageForm {
  Dtype dtype;
  bool is_accumulated = true;  // elements of two bytes in float32
  bool is_widened = false;     // elements of one byte less a zero point, in int16 (kernels/products/pairs.h)
  std::size_t repeats = 1;     // of each channel, side by side
  std::size_t before = 0;      // zeros before the first element of the last axis
  std::size_t after = 0;
  bool has_whole_rows = false;  // pixels follow each other on the last axis
};

// The images of a batch [N, C, ...], of any layout: read where they lie if they have the form, else copied one by one.
class ChannelsLast {
 public:
  ChannelsLast(const Layout& images, const ImageForm& form);

  bool is_copied() const { return is_copied_; }
  // Bytes between neighbours along one of the axes after C.
  std::ptrdiff_t pitch(std::size_t axis) const;
  // The bytes of the workspace of at().
  Count workspace_bytes() const;
  // Element 0 of image `number` of the batch, where the first one lies at `images`. It stays until the next call.
  const std::byte* at(std::size_t number, const std::byte* images, std::byte* workspace, int zero = 0) const;

 private:
  std::size_t item_size() const { return form_.is_widened ? 2 : form_.is_accumulated ? accumulate_size_ : size_; }
  bool is_converted() const { return form_.is_widened || (form_.is_accumulated && accumulate_.load != nullptr); }

  ImageForm form_;
  AccumulateType accumulate_;
  std::size_t size_;
  std::size_t accumulate_size_;
  bool is_copied_;
  std::ptrdiff_t batch_pitch_;
  Layout axes_;  // those after C
  Layout rows_;  // which are copied one by one
  Layout row_;
  std::size_t channel_bytes_ = 0;  // of a copied pixel
};

}  // namespace broadloom
