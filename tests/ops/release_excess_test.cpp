// Small views of large storages, of every type, with offsets and strides of either sign.
#include <vector>

#include "ops/call/dense.h"
#include "ops/move/join.h"
#include "support/random.h"
#include "support/tensors.h"

namespace broadloom::test::release_excess_test {
namespace {

Tensor source(Dtype dtype, std::int64_t count, Random& random) {
  if (dtype == Dtype::string) {
    std::vector<std::string> elements;
    for (std::int64_t i = 0; i < count; ++i) elements.push_back(std::to_string(i * 7));
    return strings({count}, elements);
  }
  Tensor tensor = zeros(dtype, {count});
  for (std::size_t i = 0; i < tensor.storage->size(); ++i)
    tensor.data()[i] = std::byte(random.between(0, dtype == Dtype::boolean ? 1 : 255));
  clear_padding(dtype, count, tensor.storage->data());
  return tensor;
}

std::vector<std::string> values(const Tensor& tensor) {
  if (tensor.dtype == Dtype::string) return string_elements(tensor);
  std::vector<std::string> result;
  for (const std::uint8_t byte : bytes_of(tensor)) result.push_back(std::to_string(byte));
  return result;
}

// The elements, read one by one.
std::vector<std::string> walked(const Tensor& tensor) {
  std::vector<Tensor> parts;
  const Layout& layout = tensor.layout;
  for (std::int64_t i = 0; i < layout.run_dims()[0]; ++i) {
    for (std::int64_t j = 0; j < layout.run_dims()[1]; ++j) {
      parts.emplace_back(tensor.dtype, LayoutRef(), tensor.storage,
                         tensor.offset + i * layout.strides[0] + j * layout.strides[1]);
    }
  }
  return values(must(join(parts, tensor.dtype, {static_cast<std::int64_t>(parts.size())})));
}

TEST(SmallViews, HoldTheirElementsAndNoLargeStorage) {
  Random random;
  for (const Dtype dtype :
       {Dtype::float32, Dtype::int64, Dtype::boolean, Dtype::string, Dtype::int4, Dtype::uint2, Dtype::complex128}) {
    for (int round = 0; round < 60; ++round) {
      const std::int64_t bits = info(dtype).bits;
      const std::int64_t count = random.one_in(2) ? 8 * 70000 / bits + random.between(0, 5) : random.between(60, 300);
      const Tensor whole = source(dtype, count, random);
      LayoutRef layout(Dims{random.between(0, 5), random.between(1, 4)});
      layout.edit().strides = {random.between(-6, 6), random.between(-3, 3)};
      const Span span = span_of(layout);
      const Tensor view(dtype, layout, whole.storage, random.between(-span.lowest, count - 1 - span.highest));
      const auto wanted = walked(view);
      EXPECT_EQ(values(view), wanted);
      Tensor small = view;
      release_excess(small);
      EXPECT_EQ(values(small), wanted);
      EXPECT_EQ(walked(small), wanted);
      const bool is_large = whole.storage->size() > 64 * 1024;
      EXPECT_EQ(small.storage->size() < whole.storage->size(), is_large);
      if (is_large) EXPECT_LT(small.storage->size(), 1024U);
      EXPECT_EQ(values(must(share(view))), wanted);
      EXPECT_EQ(values(must(join(std::vector<Tensor>{view, small}, dtype, {2, view.count()}))).size(),
                values(must(join(std::vector<Tensor>{small, view}, dtype, {2, view.count()}))).size());
      Tensor exposed = view;
      if (dtype != Dtype::string) must(expose(exposed));
      EXPECT_EQ(values(exposed), wanted);
    }
  }
}

TEST(SmallViews, OfOneLongStringKeepOneCopyOfIt) {
  const Tensor one = strings({}, {std::string(100000, 'a')});
  const Tensor many = must(densify({Dtype::string, LayoutRef(Dims{20000}), one.storage}));
  // Dense, and a view of a part.
  Tensor part{Dtype::string, dense_layout({1000}), many.storage, 7};
  const std::size_t before = Storage::bytes_in_use();
  release_excess(part);
  EXPECT_EQ(Storage::bytes_in_use(), before);
}

}  // namespace
}  // namespace broadloom::test::release_excess_test
