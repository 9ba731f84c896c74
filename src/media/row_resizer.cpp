#include "media/row_resizer.h"

#include <algorithm>
#include <vector>

#include "core/count.h"
#include "core/memory.h"
#include "core/storage.h"
#include "kernels/base/simd.h"
#include "kernels/image/pixels.h"
#include "kernels/image/resample_rows.h"
#include "ops/call/dense.h"

namespace broadloom {

namespace {

using image::ResizedSide;

// Rows of the same length, each with room for whole vectors. Row i takes the place of row i - `rows`.
class RowRing {
 public:
  static Result<RowRing> make(std::size_t rows, std::size_t bytes) {
    RowRing ring;
    ring.rows_ = rows;
    ring.stride_ = whole_vectors(bytes) + image::row_padding;
    BROADLOOM_TRY(place, Storage::allocate(Count(rows) * ring.stride_));
    ring.place_ = std::move(place);
    return ring;
  }
  std::byte* row(std::size_t number) const { return place_->data() + number % rows_ * stride_; }

 private:
  StorageRef place_;
  std::size_t rows_ = 1;
  std::size_t stride_ = 0;
};

// Chooses pixels, or copies none where neither side changes.
class NearestResizer : public RowResizer {
 public:
  Status prepare(const ResizeRequest& request) {
    pixel_bytes_ = request.pixel_bytes;
    copies_ = request.columns.is_unchanged();
    BROADLOOM_TRY(rows, image::nearest_positions(request.rows));
    rows_ = std::move(rows);
    BROADLOOM_TRY(columns, image::nearest_positions(request.columns));
    columns_ = std::move(columns);
    BROADLOOM_TRY(chosen, RowRing::make(1, columns_.size() * pixel_bytes_));
    chosen_ = std::move(chosen);
    return {};
  }
  Rows needed(std::size_t row) const override {
    const auto position = in_memory(rows_[row]);
    return {position, position};
  }
  void take(std::size_t /*source_row*/, const std::byte* pixels) override {
    taken_ = pixels;
    is_chosen_ = false;
  }
  const std::byte* result(std::size_t /*row*/) override {
    if (copies_) return taken_ + in_memory(columns_[0]) * pixel_bytes_;
    if (!is_chosen_) image::choose_pixels(chosen_.row(0), taken_, columns_, pixel_bytes_);
    is_chosen_ = true;
    return chosen_.row(0);
  }

 private:
  std::size_t pixel_bytes_ = 0;
  bool copies_ = false;
  std::vector<std::int32_t> rows_;
  std::vector<std::int32_t> columns_;
  const std::byte* taken_ = nullptr;
  RowRing chosen_;
  bool is_chosen_ = false;
};

// Pillow's filters: first along the rows, then across them. A side that keeps its length has no pass.
class FilterResizer : public RowResizer {
 public:
  Status prepare(const ResizeRequest& request) {
    request_ = request;
    const std::size_t bytes = request.columns.count() * request.pixel_bytes;
    std::size_t kept = 1;
    if (!request.columns.is_unchanged()) {
      BROADLOOM_TRY(taps, image::FilterTaps::make(request.filter, request.columns));
      columns_ = std::make_unique<image::FilterTaps>(std::move(taps));
    }
    if (!request.rows.is_unchanged()) {
      BROADLOOM_TRY(taps, image::FilterTaps::make(request.filter, request.rows));
      rows_ = std::make_unique<image::FilterTaps>(std::move(taps));
      kept = rows_->most();
      BROADLOOM_TRY(addresses, allocate_vector<const std::byte*>(kept));
      addresses_ = std::move(addresses);
    }
    BROADLOOM_TRY(ring, RowRing::make(kept, bytes));
    ring_ = std::move(ring);
    BROADLOOM_TRY(work, RowRing::make(2, std::max(in_memory(request.columns.from) * request.pixel_bytes, bytes)));
    work_ = std::move(work);
    return {};
  }
  Rows needed(std::size_t row) const override {
    if (rows_ == nullptr) {
      const std::size_t source = in_memory(request_.rows.begin) + row;
      return {source, source};
    }
    const auto [first, count] = rows_->of(row);
    return {first, first + count - 1};
  }
  void take(std::size_t source_row, const std::byte* pixels) override {
    const ResizedSide& columns = request_.columns;
    if (request_.has_alpha) {
      image::premultiply(work_.row(0), pixels, in_memory(columns.from));
      pixels = work_.row(0);
    }
    std::byte* const to = ring_.row(source_row);
    if (columns_ != nullptr) return image::filter_row(to, pixels, *columns_, request_.pixel_bytes);
    std::copy_n(pixels + in_memory(columns.begin) * request_.pixel_bytes, row_bytes(), to);
  }
  const std::byte* result(std::size_t row) override {
    std::byte* const to = work_.row(1);
    const auto [first, last] = needed(row);
    if (rows_ == nullptr) {
      std::copy_n(ring_.row(first), row_bytes(), to);
    } else {
      for (std::size_t i = first; i <= last; ++i) addresses_[i - first] = ring_.row(i);
      image::filter_rows(to, addresses_.data(), *rows_, row, row_bytes());
    }
    if (request_.has_alpha) image::unpremultiply(to, request_.columns.count());
    return to;
  }

 private:
  std::size_t row_bytes() const { return request_.columns.count() * request_.pixel_bytes; }

  ResizeRequest request_;
  std::unique_ptr<image::FilterTaps> columns_;  // none where the side keeps its length
  std::unique_ptr<image::FilterTaps> rows_;
  std::vector<const std::byte*> addresses_;
  RowRing ring_;  // rows whose columns are resized
  RowRing work_;
};

// OpenCV's INTER_LINEAR.
class LinearResizer : public RowResizer {
 public:
  Status prepare(const ResizeRequest& request) {
    pixel_bytes_ = request.pixel_bytes;
    BROADLOOM_TRY(columns, image::linear_taps(request.columns, image::LinearEdge::whole));
    columns_ = std::move(columns);
    BROADLOOM_TRY(rows, image::linear_taps(request.rows, image::LinearEdge::twice));
    rows_ = std::move(rows);
    BROADLOOM_TRY(ring, RowRing::make(2, row_bytes() * sizeof(std::int32_t) + 4 * vector_bytes));
    ring_ = std::move(ring);
    BROADLOOM_TRY(work, RowRing::make(1, row_bytes()));
    work_ = std::move(work);
    return {};
  }
  Rows needed(std::size_t row) const override { return {in_memory(rows_[row].first), in_memory(rows_[row].second)}; }
  void take(std::size_t source_row, const std::byte* pixels) override {
    image::mix_row(ring_.row(source_row), pixels, columns_, pixel_bytes_);
  }
  const std::byte* result(std::size_t row) override {
    const auto [first, second] = needed(row);
    image::mix_rows(work_.row(0), ring_.row(first), ring_.row(second), rows_[row], row_bytes());
    return work_.row(0);
  }

 private:
  std::size_t row_bytes() const { return columns_.size() * pixel_bytes_; }

  std::size_t pixel_bytes_ = 0;
  std::vector<image::LinearTap> rows_;
  std::vector<image::LinearTap> columns_;
  RowRing ring_;  // rows whose columns are resized, in int32
  RowRing work_;
};

template <class Resizer>
Result<std::unique_ptr<RowResizer>> prepared(const ResizeRequest& request) {
  auto resizer = std::make_unique<Resizer>();
  BROADLOOM_CHECK(resizer->prepare(request));
  return std::unique_ptr<RowResizer>(std::move(resizer));
}

}  // namespace

Result<std::unique_ptr<RowResizer>> RowResizer::make(const ResizeRequest& request) {
  const bool is_unchanged = request.rows.is_unchanged() && request.columns.is_unchanged();
  if (is_unchanged || request.filter == image::Filter::nearest) return prepared<NearestResizer>(request);
  return request.has_antialias ? prepared<FilterResizer>(request) : prepared<LinearResizer>(request);
}

}  // namespace broadloom
