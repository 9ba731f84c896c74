// A recurrent layer of com.microsoft.
#include <algorithm>

#include "ops/foreign/foreign.h"

namespace broadloom {

using namespace foreign;

namespace {

// The data, two matrices of weights and the initial states have three axes.
Status recurrent(Call& call) {
  for (const std::size_t i : {0U, 1U, 2U, 5U, 6U}) BROADLOOM_CHECK(want_rank(call, i, 3));
  const bool is_batch_first = integer(call, "layout") != 0;
  const Size directions = text(call, "direction") == "bidirectional" ? 2 : 1;
  const Size hidden = integer(call, "hidden_size", size_of(call, 2, 2));
  const Size steps = size_of(call, 0, is_batch_first ? 1 : 0);
  const Size batch = size_of(call, 0, is_batch_first ? 0 : 1);
  if (is_batch_first) {
    set(call, 0, {batch, steps, directions, hidden});
  } else {
    set(call, 0, {steps, directions, batch, hidden});
  }
  for (std::size_t i = 1; i < call.outputs.size(); ++i) {
    set(call, i, {is_batch_first ? batch : directions, is_batch_first ? directions : batch, hidden});
  }
  return {};
}

}  // namespace

constinit const Operator op::microsoft::dynamic_quantize_lstm =
    microsoft_operator("DynamicQuantizeLSTM", by<recurrent>, first_input_thrice);

}  // namespace broadloom
