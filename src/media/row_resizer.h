// Resizes an image row by row. Source rows come in order, and may be forgotten once the results that need them are taken.
#pragma once

#include <cstddef>
#include <memory>

#include "core/status.h"
#include "kernels/image/filter_taps.h"

namespace broadloom {

struct ResizeRequest {
  image::Filter filter = image::Filter::bilinear;
  bool has_antialias = true;
  image::ResizedSide rows;
  image::ResizedSide columns;
  std::size_t pixel_bytes = 4;
  bool has_alpha = false;  // colours are weighted by it, as Pillow does
};

class RowResizer {
 public:
  static Result<std::unique_ptr<RowResizer>> make(const ResizeRequest& request);

  RowResizer() = default;
  RowResizer(const RowResizer&) = delete;
  RowResizer& operator=(const RowResizer&) = delete;
  virtual ~RowResizer() = default;

  // The first and the last source row that a result needs, which is counted from the first one that is wanted. Neither ever
  // goes back.
  struct Rows {
    std::size_t first;
    std::size_t last;
  };
  virtual Rows needed(std::size_t row) const = 0;
  // Takes the next source row. Its pixels must stay until the next one is taken. All rows from the first needed one on are
  // taken.
  virtual void take(std::size_t source_row, const std::byte* pixels) = 0;
  // The wanted pixels of a result. They stay until the next call.
  virtual const std::byte* result(std::size_t row) = 0;
};

}  // namespace broadloom
