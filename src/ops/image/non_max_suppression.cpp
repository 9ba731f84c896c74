// NonMaxSuppression: the best boxes that do not overlap. ONNX: onnx/defs/object_detection/defs.cc.
#include <algorithm>
#include <cstring>

#include "core/count.h"
#include "core/limits.h"
#include "core/text.h"
#include "kernels/sampling/boxes.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;

constexpr AttributeSpec attributes[] = {with_default("center_point_box", INT, 0)};
constexpr Parameter inputs[] = {{"boxes", Dtype::float32},
                                {"scores", Dtype::float32},
                                Parameter::scalar("max_output_boxes_per_class", Dtype::int64, Optional),
                                {"iou_threshold", Dtype::float32, Optional},
                                {"score_threshold", Dtype::float32, Optional}};
constexpr Parameter outputs[] = {{"selected_indices", Dtype::int64}};
constexpr Signature signature{attributes, inputs, outputs, {}};
constexpr OperatorVersion versions[] = {{10, &signature, {}}, {11, &signature, {}}};

// An optional input with one element; one without elements counts as omitted.
Result<double> number_of(const Call& call, std::size_t i, double otherwise) {
  const Tensor* tensor = call.input(i);
  if (tensor == nullptr || !tensor->is_ranked() || !are_numbers(tensor->dims()) || tensor->count() == 0) return otherwise;
  if (tensor->count() != 1) {
    return impossible("{} has dims {}, wanted one element", quoted(inputs[i].name), tensor->dims().values());
  }
  if (!tensor->has_elements()) return otherwise;
  BROADLOOM_TRY(number, in_type(*tensor, Dtype::float64));
  return *reinterpret_cast<const double*>(number.data());
}

Status check_dims(const Tensor& boxes, const Tensor& scores) {
  for (const Tensor* tensor : {&boxes, &scores}) {
    if (tensor->is_ranked() && tensor->dims().size() != 3) {
      return impossible("{} have dims {}, wanted 3 axes", tensor == &boxes ? "boxes" : "scores", tensor->dims().values());
    }
  }
  if (boxes.is_ranked() && differ(boxes.dims()[2], 4)) {
    return impossible("boxes have dims {}, wanted 4 numbers for each", boxes.dims().values());
  }
  if (!boxes.is_ranked() || !scores.is_ranked()) return {};
  if (differ(boxes.dims()[0], scores.dims()[0]) || differ(boxes.dims()[1], scores.dims()[2])) {
    return impossible("boxes have dims {} and scores {}, wanted equally many of both in each batch", boxes.dims().values(),
                      scores.dims().values());
  }
  return {};
}

// A list of indices that grows.
class Selection3 {
 public:
  Status add(std::int64_t batch, std::int64_t kind, std::int64_t box) {
    constexpr std::size_t first = 64;
    if (size_ == room_) {
      const std::size_t room = std::max(first, 2 * room_);
      BROADLOOM_TRY(grown, Storage::allocate(Count(room) * (3 * sizeof(std::int64_t))));
      if (size_ > 0) std::memcpy(grown->data(), bytes_->data(), size_ * 3 * sizeof(std::int64_t));
      bytes_ = std::move(grown);
      room_ = room;
    }
    auto* to = reinterpret_cast<std::int64_t*>(bytes_->data()) + 3 * size_++;
    to[0] = batch;
    to[1] = kind;
    to[2] = box;
    return {};
  }
  Result<Tensor> finish() const {
    BROADLOOM_TRY(tensor, make_tensor(Dtype::int64, {static_cast<std::int64_t>(size_), 3}));
    if (size_ > 0) std::memcpy(tensor.data(), bytes_->data(), dense_size(tensor));
    return std::move(tensor);
  }

 private:
  StorageRef bytes_;
  std::size_t size_ = 0;
  std::size_t room_ = 0;
};

Result<Tensor> select_boxes(const Call& call, std::size_t most, float overlap) {
  const bool has_centre = call.integer("center_point_box") != 0;
  const Tensor* threshold = call.input(4);
  const bool has_least = threshold != nullptr && threshold->count() == 1;
  BROADLOOM_TRY(least_score, number_of(call, 4, 0));
  BROADLOOM_TRY(boxes, densify(*call.inputs[0]));
  BROADLOOM_TRY(scores, densify(*call.inputs[1]));
  const std::span<const std::int64_t> dims = scores.run_dims();
  const auto count = in_memory(dims[2]);
  most = std::min(most, count);
  Selection3 selection;
  if (most == 0) return selection.finish();
  const std::size_t words = count + (BoxRows::numbers_of(most) + 1) / 2;
  BROADLOOM_TRY(scratch, make_tensor(Dtype::int64, {static_cast<std::int64_t>(words)}));
  auto* const numbers = reinterpret_cast<std::int64_t*>(scratch.data());
  auto* const rows = reinterpret_cast<float*>(numbers + count);
  const auto* score = reinterpret_cast<const float*>(scores.data());
  for (std::int64_t batch = 0; batch < dims[0]; ++batch) {
    const auto* corners = reinterpret_cast<const float*>(boxes.data()) + in_memory(batch) * count * 4;
    for (std::int64_t kind = 0; kind < dims[1]; ++kind, score += count) {
      BROADLOOM_CHECK(Watch::check(4 * static_cast<double>(count)));
      std::size_t left = 0;
      for (std::size_t i = 0; i < count; ++i) {
        if (!has_least || static_cast<double>(score[i]) > least_score) numbers[left++] = static_cast<std::int64_t>(i);
      }
      BestFirst candidates(score, numbers, left);
      BoxRows chosen(rows, most);
      while (!candidates.is_empty() && chosen.size() < most) {
        BROADLOOM_CHECK(Watch::check(static_cast<double>(chosen.size() + 16)));
        const std::int64_t number = candidates.take();
        const Box box(corners + 4 * number, has_centre);
        if (chosen.overlap(box, overlap)) continue;
        chosen.add(box);
        BROADLOOM_CHECK(selection.add(batch, kind, number));
      }
    }
  }
  return selection.finish();
}

Status prepare(Call& call) {
  BROADLOOM_CHECK(check_dims(*call.inputs[0], *call.inputs[1]));
  const std::int64_t format = call.integer("center_point_box");
  if (format != 0 && format != 1) return impossible("center_point_box is {}, wanted 0 or 1", format);
  BROADLOOM_TRY(most, number_of(call, 2, 0));
  BROADLOOM_TRY(overlap, number_of(call, 3, 0));
  BROADLOOM_CHECK(number_of(call, 4, 0));
  if (!(overlap >= 0 && overlap <= 1)) return impossible("iou_threshold is {}, wanted 0 to 1", overlap);
  call.outputs[0] = known_dims(Dtype::int64, {unknown_size, 3});
  const bool is_known = std::all_of(call.inputs.begin(), call.inputs.end(),
                                    [](const Tensor* input) { return input == nullptr || input->has_elements(); });
  if (!call.is_run() || !is_known) return {};
  BROADLOOM_TRY(selected, select_boxes(call, in_memory(Count::of(std::clamp(most, 0.0, 1e9))), static_cast<float>(overlap)));
  call.outputs[0] = std::move(selected);
  return {};
}

}  // namespace

BROADLOOM_OPERATOR(op, non_max_suppression){
    .name = "NonMaxSuppression",
    .versions = versions,
    .prepare = prepare,
    .compute = finished_by_prepare,
    .traits = {.depends_on_data = true},
};

}  // namespace broadloom
