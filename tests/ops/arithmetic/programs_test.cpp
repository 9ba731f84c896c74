// Random programs of operators and writes, compared with a model in which every tensor owns its elements.
#include "support/calls.h"
#include "support/cases.h"
#include "support/random.h"

namespace broadloom::op {
extern const Operator constant, constant_of_shape, expand, identity;
}

namespace broadloom::test::programs_test {
namespace {

struct Pair {
  Tensor tensor;
  List dims;
  std::vector<float> values;
  bool exposed = false;  // a writable view exists
};

// The values of `from` after a broadcast to `dims`.
std::vector<float> stretched(const Pair& from, const List& dims) {
  std::vector<float> values;
  const std::size_t added = dims.size() - from.dims.size();
  for (std::int64_t i = 0; i < *checked_count(dims); ++i) {
    std::int64_t rest = i;
    std::int64_t at = 0;
    std::int64_t step = 1;
    for (std::size_t axis = dims.size(); axis-- > added;) {
      const std::int64_t own = from.dims[axis - added];
      at += own == 1 ? 0 : rest % dims[axis] * step;
      rest /= dims[axis];
      step *= own;
    }
    values.push_back(from.values[static_cast<std::size_t>(at)]);
  }
  return values;
}

class Program {
 public:
  // One random step; afterwards every tensor must still have the values of its model.
  void step() {
    const std::size_t i = pairs_.empty() ? 0 : random_.below(pairs_.size());
    const std::int64_t choice = pairs_.empty() ? 0 : random_.between(0, 8);
    if (choice <= 1) {
      create();
    } else if (choice == 2) {
      add(must(call(identity, {&pairs_[i].tensor})), pairs_[i].dims, pairs_[i].values);
    } else if (choice == 3) {
      add(must(call(constant, {}, {tensor_attribute("value", pairs_[i].tensor)})), pairs_[i].dims, pairs_[i].values);
    } else if (choice == 4) {
      expand_one(pairs_[i]);
    } else if (choice == 5) {
      fill_with(pairs_[i]);
    } else if (choice <= 7) {
      write(pairs_[i]);
    } else {
      pairs_.erase(pairs_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (pairs_.size() > 12) pairs_.erase(pairs_.begin());
    for (const Pair& pair : pairs_) {
      ASSERT_EQ(list(pair.tensor.dims()), pair.dims);
      ASSERT_EQ(elements<float>(pair.tensor), pair.values);
    }
  }

 private:
  void add(Tensor tensor, const List& dims, std::vector<float> values) {
    pairs_.push_back({std::move(tensor), dims, std::move(values)});
  }

  void create() {
    List dims(random_.below(3));
    for (auto& dim : dims) dim = random_.one_in(8) ? 0 : random_.between(1, 3);
    std::vector<float> values(static_cast<std::size_t>(*checked_count(dims)));
    for (float& value : values) value = next_++;
    add(floats(dims_of(dims), values), dims, values);
  }

  void expand_one(const Pair& pair) {
    if (pair.values.size() > 200) return;
    List dims = pair.dims;
    for (auto& dim : dims) dim = dim == 1 && random_.one_in(2) ? random_.between(0, 3) : dim;
    if (random_.one_in(2) && dims.size() < 5) dims.insert(dims.begin(), random_.between(1, 2));
    const Tensor shape = shape_of(dims);
    std::vector<float> values = stretched(pair, dims);
    add(must(call(expand, {&pair.tensor, &shape})), dims, std::move(values));
  }

  void fill_with(const Pair& pair) {
    if (pair.values.size() != 1) return;
    const List dims{random_.between(0, 3), random_.between(1, 3)};
    const Tensor shape = shape_of(dims);
    std::vector<float> values(static_cast<std::size_t>(*checked_count(dims)), pair.values.front());
    add(must(call(constant_of_shape, {&shape}, {tensor_attribute("value", pair.tensor)})), dims, std::move(values));
  }

  // Writes through a new view, or through an earlier one.
  void write(Pair& pair) {
    if (pair.values.empty()) return;
    if (!pair.exposed || random_.one_in(2)) must(expose(pair.tensor));
    pair.exposed = true;
    const std::size_t at = random_.below(pair.values.size());
    pair.values[at] = next_++;
    std::memcpy(pair.tensor.data() + at * sizeof(float), &pair.values[at], sizeof(float));
  }

  Random random_;
  std::vector<Pair> pairs_;
  float next_ = 1;
};

TEST(Programs, BehaveAsIfEveryTensorOwnedItsElements) {
  const std::size_t before = Storage::bytes_in_use();
  {
    Program program;
    for (int i = 0; i < rounds(20'000) && !testing::Test::HasFatalFailure(); ++i) program.step();
  }
  EXPECT_EQ(Storage::bytes_in_use(), before);
}

}  // namespace
}  // namespace broadloom::test::programs_test
