// Pools, and other operators on regions of images.
#include <algorithm>

#include "ops/foreign/foreign.h"
#include "ops/foreign/windows.h"

namespace broadloom {

using namespace foreign;

namespace {

void pool(Call& call, Channels channels) {
  SymbolicDims dims = image_of(call, nullptr);
  if (dims.size() < 2) return;
  const Image image(call, dims.size(), channels);
  slide(call, image, kernel_of(call, image, nullptr), dims);
  for (std::size_t i = 0; i < call.outputs.size(); ++i) set(call, i, dims);
}

void global_pool(Call& call) {
  const SymbolicDims* input = dims_of(call, 0);
  if (input == nullptr || input->size() < 2) return;
  const Image image(call, input->size());
  SymbolicDims dims(input->size(), 1);
  dims[0] = (*input)[0];
  dims[image.channel()] = (*input)[image.channel()];
  set(call, 0, dims);
}

}  // namespace

constinit const Operator op::microsoft::qlinear_average_pool =
    microsoft_operator("QLinearAveragePool", by<pool, Channels::first>, first_input);
constinit const Operator op::microsoft::qlinear_global_average_pool =
    microsoft_operator("QLinearGlobalAveragePool", by<global_pool>, first_input);

}  // namespace broadloom
