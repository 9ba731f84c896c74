#include "ops/reduce/reduced.h"

#include "ops/call/dense.h"
#include "ops/row_tiles.h"

namespace broadloom {
namespace {

class ReadyReduction : public ReadyCall {
 public:
  ReadyReduction(const Layout& layout, const Reduction& reduction, const AxisSet& axes)
      : reduction_(reduction), kept_(part_of(layout, axes, false)), reduced_(part_of(layout, axes, true)) {}
  Status run(const Call& call, std::byte*) override {
    return reduce(reduction_, call.outputs[0].dtype, call.outputs[0].data(), call.inputs[0]->data(), kept_, reduced_);
  }

 private:
  Reduction reduction_;
  Layout kept_;
  Layout reduced_;
};

bool has_dense_end(const Layout& layout) {
  std::size_t axis = layout.dims.size();
  while (axis > 0 && layout.run_dims()[axis - 1] == 1) --axis;
  return axis > 0 && layout.strides[axis - 1] == 1;
}

}  // namespace

bool is_read_fast(const Layout& layout, const AxisSet& reduced) {
  return is_gapless(layout) &&
         (has_dense_end(part_of(layout, reduced, false)) || has_dense_end(part_of(layout, reduced, true)));
}

Status reduce_axes(Tensor& output, const Tensor& input, const Reduction& reduction, const AxisSet& axes) {
  BROADLOOM_TRY(tensor, is_read_fast(input.layout, axes) ? input : densify(input));
  return reduce(reduction, output.dtype, output.data(), tensor.data(), part_of(tensor.layout, axes, false),
                part_of(tensor.layout, axes, true));
}

Ready ready_reduction(const Call& call, const Reduction& reduction, const AxisSet& axes) {
  const Layout& layout = call.inputs[0]->layout;
  Ready ready;
  if (is_read_fast(layout, axes)) ready.call = std::make_unique<ReadyReduction>(layout, reduction, axes);
  return ready;
}

}  // namespace broadloom
