// Every operator, called on views of the inputs of official cases and of onnxruntime's.
#include "fuzz/views.h"

#include <algorithm>

#include "support/cases.h"
#include "support/random.h"
#include "support/single_call.h"

namespace broadloom::test::views_test {
namespace {

void copy_element(const Tensor& from, std::int64_t number, const Tensor& to, std::int64_t place) {
  if (!is_packed(from.dtype)) {
    const auto size = static_cast<std::int64_t>(item_size(from.dtype));
    std::memcpy(to.data() + place * size, from.data() + number * size, static_cast<std::size_t>(size));
    return;
  }
  const auto bits = static_cast<std::size_t>(info(from.dtype).bits);
  const std::size_t bit = static_cast<std::size_t>(to.offset + place) * bits;
  const std::byte mask = std::byte((1U << bits) - 1) << (bit % 8);
  const std::byte element = std::byte(packed_element(from.dtype, from.storage->data(), from.offset + number)) << (bit % 8);
  std::byte& whole = to.storage->data()[bit / 8];
  whole = (whole & ~mask) | element;
}

// A view with the elements of `tensor`, which is dense; where it repeats an axis, with one row of it.
Tensor view_of(const Tensor& tensor, Random& random) {
  const List dims = list(tensor.dims());
  Tensor view =
      fuzz::random_view(tensor.dtype, dims, random, [](Dtype dtype, const List& of) { return zeros(dtype, dims_of(of)); });
  if (tensor.dtype == Dtype::string) view.storage->text = tensor.storage->text;
  for (std::int64_t i = 0; i < tensor.count(); ++i)
    copy_element(tensor, i, view, fuzz::place_of(view, coordinates_of(dims, i)));
  return view;
}

std::vector<const Tensor*> addresses_of(const std::vector<Tensor>& tensors, const Inputs& like) {
  std::vector<const Tensor*> list;
  for (std::size_t i = 0; i < tensors.size(); ++i) list.push_back(like[i] != nullptr ? &tensors[i] : nullptr);
  return list;
}

// Elements are copied one by one.
constexpr std::int64_t most_elements = 1 << 12;

bool is_small(const Inputs& inputs) {
  return std::all_of(inputs.begin(), inputs.end(),
                     [](const Tensor* one) { return one == nullptr || one->count() <= most_elements; });
}

void expect_same_on_views(const SingleCall& one, Random& random, CallCounts& counts) {
  if (one.node->op->traits.is_random || !is_small(one.inputs)) return;
  for (int repeats = cases() / 100; repeats > 0; --repeats) {
    std::vector<Tensor> views;
    std::vector<Tensor> dense;
    for (const Tensor* input : one.inputs) {
      views.push_back(input != nullptr ? view_of(must(densify(*input)), random) : Tensor());
      dense.push_back(input != nullptr ? fuzz::row_major(views.back()) : Tensor());
    }
    const auto on_dense = call_node(*one.node, one.node->attributes, addresses_of(dense, one.inputs));
    const std::string error(on_dense ? "" : on_dense.error()->message.view());
    if (!on_dense) Error::forget();
    const auto on_views = call_node(*one.node, one.node->attributes, addresses_of(views, one.inputs));
    ASSERT_EQ(error, on_views ? "" : on_views.error()->message.view());
    if (!on_views) Error::forget();
    if (on_views) expect_same_bits(*on_views, *on_dense);
    ++(on_views ? counts.ran : counts.failed);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Views, OfTheInputsOfOfficialModelsGiveTheBitsOfDenseTensors) {
  Random random;
  CallCounts counts;
  for_each_official_call([&](const SingleCall& one) { expect_same_on_views(one, random, counts); });
  counts.expect_many_ran();
}

TEST(Views, OfTheInputsOfMicrosoftsOperatorsGiveTheBitsOfDenseTensors) {
  Random random;
  CallCounts counts;
  for_each_microsoft_call([&](const SingleCall& one) { expect_same_on_views(one, random, counts); });
  counts.expect_many_ran();
}

}  // namespace
}  // namespace broadloom::test::views_test
