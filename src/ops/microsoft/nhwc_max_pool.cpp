// com.microsoft: NhwcMaxPool, a MaxPool of bytes whose channels are the last axis. onnxruntime: docs/ContribOperators.md.
#include "ops/call/inner_call.h"
#include "ops/convolution/channels_last.h"
#include "ops/dims/windows.h"
#include "ops/named_operators.h"
#include "ops/packed_operands.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {auto_pad_attribute,  with_default("ceil_mode", INT, 0),
                                        {"dilations", INTS}, required("kernel_shape", INTS),
                                        {"pads", INTS},      {"strides", INTS}};
constexpr Parameter inputs[] = {{"x", T}};
constexpr Parameter outputs[] = {{"y", T}};
constexpr Signature signature{attributes, inputs, outputs, {T}};
constexpr OperatorVersion versions[] = {{1, &signature, {Dtype::int8 | Dtype::uint8}}};

// The call of MaxPool.
class Pool {
 public:
  explicit Pool(const Call& call)
      : x_(channels_to_front(*call.inputs[0])),
        y_(channels_to_front(call.outputs[0])),
        call_(call, op::max_pool, inputs_, call.output_types, {&y_, 1}, call.attributes) {}
  InnerCall& call() { return call_; }
  const Tensor& result() const { return y_; }

 private:
  Tensor x_;
  Tensor y_;
  const Tensor* inputs_[1] = {&x_};
  InnerCall call_;
};

Status prepare(Call& call) {
  Pool pool(call);
  BROADLOOM_CHECK(pool.call().prepare());
  call.outputs[0] = channels_to_back(pool.result());
  return {};
}

Result<Ready> ready(const Call& call, PackedOperands* packed) { return Pool(call).call().ready(packed); }

}  // namespace

BROADLOOM_OPERATOR(op::microsoft, nhwc_max_pool){
    .name = "NhwcMaxPool",
    .domain = "com.microsoft",
    .versions = versions,
    .prepare = prepare,
    .compute = run_once<ready>,
    .ready = ready,
    .extra_work = work_of_windows,
    .calls = {&op::max_pool},
};

}  // namespace broadloom
