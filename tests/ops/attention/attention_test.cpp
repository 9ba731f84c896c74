#include <cmath>
#include <limits>
#include <random>

#include "support/before_run.h"
#include "support/random.h"

namespace broadloom::op {
extern const Operator attention, rotary_embedding;
}
namespace broadloom::op::microsoft {
extern const Operator rotary_embedding;
}

namespace broadloom::test::attention_test {
namespace {

namespace ms = op::microsoft;

constexpr double none = -std::numeric_limits<double>::infinity();

Tensor of_doubles(Dtype dtype, const SymbolicDims& dims, const std::vector<double>& values) {
  return must(in_type(tensor_of(Dtype::float64, dims, values), dtype));
}
std::vector<double> doubles(const Tensor& tensor) { return elements<double>(must(in_type(tensor, Dtype::float64))); }

Tensor random_tensor(std::mt19937& random, Dtype dtype, const List& dims) {
  std::uniform_real_distribution<double> draw(-1, 1);
  std::size_t count = 1;
  SymbolicDims sizes(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    sizes[i] = dims[i];
    count *= static_cast<std::size_t>(dims[i]);
  }
  std::vector<double> values(count);
  for (double& value : values) value = draw(random);
  return of_doubles(dtype, sizes, values);
}

// One call with heads apart; sizes and options of the reference.
struct Case {
  std::int64_t batch, heads, kv_heads, queries, keys, size, width;
  double scale, cap;
  std::int64_t offset, left, right;
  std::vector<std::int64_t> lengths;  // of each of the batch, or empty
  std::vector<double> added;          // [queries, keys], or empty
};

struct Results {
  std::vector<double> output, product, capped, added, weights;
};

Results naive(const Case& of, const std::vector<double>& q, const std::vector<double>& k, const std::vector<double>& v) {
  Results all;
  for (std::int64_t b = 0; b < of.batch; ++b) {
    for (std::int64_t h = 0; h < of.heads; ++h) {
      const std::int64_t shared = b * of.kv_heads + h / (of.heads / of.kv_heads);
      for (std::int64_t i = 0; i < of.queries; ++i) {
        std::vector<double> scores;
        double most = none;
        for (std::int64_t j = 0; j < of.keys; ++j) {
          double sum = 0;
          for (std::int64_t d = 0; d < of.size; ++d) {
            sum += q[static_cast<std::size_t>(((b * of.heads + h) * of.queries + i) * of.size + d)] *
                   k[static_cast<std::size_t>((shared * of.keys + j) * of.size + d)];
          }
          sum *= of.scale;
          all.product.push_back(sum);
          if (of.cap > 0) sum = of.cap * std::tanh(sum / of.cap);
          all.capped.push_back(sum);
          const std::int64_t own = of.lengths.empty() ? of.keys : of.lengths[static_cast<std::size_t>(b)];
          const std::int64_t position = i + (of.lengths.empty() ? of.offset : own - of.queries);
          if (!of.added.empty()) sum += of.added[static_cast<std::size_t>(i * of.keys + j)];
          const bool is_hidden =
              j >= own || (of.right >= 0 && j > position + of.right) || (of.left >= 0 && j < position - of.left);
          scores.push_back(is_hidden ? none : sum);
          all.added.push_back(scores.back());
          most = std::max(most, scores.back());
        }
        double total = 0;
        for (double& score : scores) total += score = most == none ? 0 : std::exp(score - most);
        for (double& score : scores) all.weights.push_back(score = total == 0 ? 0 : score / total);
        for (std::int64_t d = 0; d < of.width; ++d) {
          double sum = 0;
          for (std::int64_t j = 0; j < of.keys; ++j)
            sum += scores[static_cast<std::size_t>(j)] * v[static_cast<std::size_t>((shared * of.keys + j) * of.width + d)];
          all.output.push_back(sum);
        }
      }
    }
  }
  return all;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& wanted, double tolerance) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (found[i] != wanted[i]) ASSERT_NEAR(found[i], wanted[i], tolerance) << "at " << i;
  }
}

TEST(Attention, IsTheSoftmaxOfProductsForAnySizesAndOptions) {
  const std::uint64_t seed = test::seed();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const auto from = [&](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
  };
  for (int round = 0; round < 120; ++round) {
    const std::int64_t group = from(1, 3);
    Case of{from(1, 2), 0, from(1, 2), from(1, 20), from(1, 40), from(1, 9), from(1, 9), 0, 0, 0, -1, -1, {}, {}};
    of.heads = group * of.kv_heads;
    of.scale = from(0, 1) == 0 ? 1 / std::sqrt(static_cast<double>(of.size)) : 0.5;
    of.cap = from(0, 2) == 0 ? 0.75 : 0;
    const Dtype dtypes[] = {Dtype::float32, Dtype::float64, Dtype::float16};
    const Dtype dtype = dtypes[from(0, 2)];
    const std::int64_t past = from(0, 2) == 0 ? from(1, of.keys) : 0;
    of.offset = past;
    const Tensor q = random_tensor(random, dtype, {of.batch, of.heads, of.queries, of.size});
    const Tensor k = random_tensor(random, dtype, {of.batch, of.kv_heads, of.keys, of.size});
    const Tensor v = random_tensor(random, dtype, {of.batch, of.kv_heads, of.keys, of.width});
    std::vector<Given> given{{"scale", AttributeType::FLOAT, static_cast<float>(of.scale)},
                             {"softcap", AttributeType::FLOAT, static_cast<float>(of.cap)}};
    of.scale = static_cast<double>(static_cast<float>(of.scale));
    if (from(0, 1) == 0) {
      given.push_back(int_attribute("is_causal", 1));
      of.right = 0;
    } else if (from(0, 1) == 0) {
      of.left = from(0, 5);
      of.right = from(0, 5);
      given.push_back(int_attribute("left_window_size", of.left));
      given.push_back(int_attribute("right_window_size", of.right));
    }
    Tensor mask;
    const std::int64_t masked = from(0, 2);
    if (masked > 0) {
      const std::int64_t shown = from(1, of.keys);
      std::vector<double> values;
      std::vector<std::uint8_t> flags;
      for (std::int64_t i = 0; i < of.queries * of.keys; ++i) {
        const bool is_shown = i % of.keys < shown;
        const double value = masked == 1 ? (from(0, 3) == 0 ? none : 0) : static_cast<double>(from(-4, 4)) / 4;
        of.added.push_back(is_shown ? value : none);
        if (!is_shown) continue;
        values.push_back(value);
        flags.push_back(value == 0 ? 1 : 0);
      }
      mask =
          masked == 1 ? tensor_of(Dtype::boolean, {of.queries, shown}, flags) : of_doubles(dtype, {of.queries, shown}, values);
    }
    Tensor lengths;
    if (past == 0 && from(0, 2) == 0) {
      SizeList list;
      for (std::int64_t b = 0; b < of.batch; ++b) {
        of.lengths.push_back(from(0, of.keys));
        list.push_back(of.lengths.back());
      }
      lengths = int64s({of.batch}, list);
    }
    // The past, and the new keys.
    const auto part = [&](const Tensor& tensor, std::int64_t first, std::int64_t count) {
      Tensor view = tensor;
      Layout layout = *tensor.layout;
      layout.dims[2] = count;
      view.layout = LayoutRef(layout);
      view.offset += first * tensor.layout->strides[2];
      return view;
    };
    const Tensor past_k = part(k, 0, past), past_v = part(v, 0, past);
    const Tensor new_k = part(k, past, of.keys - past), new_v = part(v, past, of.keys - past);
    const Results wanted = naive(of, doubles(q), doubles(k), doubles(v));
    const double tolerance = dtype == Dtype::float64 ? 1e-12 : dtype == Dtype::float32 ? 5e-6 : 4e-3;
    const std::vector<const Tensor*> inputs{&q,
                                            &new_k,
                                            &new_v,
                                            masked > 0 ? &mask : nullptr,
                                            past > 0 ? &past_k : nullptr,
                                            past > 0 ? &past_v : nullptr,
                                            of.lengths.empty() ? nullptr : &lengths};
    ASSERT_NO_FATAL_FAILURE(expect_near(doubles(must(call(attention, inputs, given))), wanted.output, tolerance)) << round;
    const std::vector<double>* stages[] = {&wanted.product, &wanted.capped, &wanted.added, &wanted.weights};
    const std::int64_t mode = from(0, 3);
    given.push_back(int_attribute("qk_matmul_output_mode", mode));
    const auto all = must(call_all(attention, inputs, given, {25, 4}));
    ASSERT_NO_FATAL_FAILURE(expect_near(doubles(all[0]), wanted.output, tolerance)) << round;
    ASSERT_NO_FATAL_FAILURE(expect_near(doubles(all[1]), doubles(k), 0)) << round;
    ASSERT_NO_FATAL_FAILURE(expect_near(doubles(all[2]), doubles(v), 0)) << round;
    ASSERT_NO_FATAL_FAILURE(expect_near(doubles(all[3]), *stages[mode], 2 * tolerance)) << round << " mode " << mode;
  }
}

TEST(Attention, ThreeAxesHaveTheirHeadsSideBySide) {
  std::mt19937 random(3);
  const Tensor q = random_tensor(random, Dtype::float32, {2, 5, 12});
  const Tensor k = random_tensor(random, Dtype::float32, {2, 7, 6});
  const Tensor v = random_tensor(random, Dtype::float32, {2, 7, 10});
  const auto apart = [](const Tensor& tensor, std::int64_t heads) {
    Tensor view = tensor;
    const List dims = list(tensor.dims());
    LayoutRef layout(SymbolicDims{dims[0], heads, dims[1], dims[2] / heads});
    layout.edit().strides = {dims[1] * dims[2], dims[2] / heads, dims[2], 1};
    view.layout = layout;
    return view;
  };
  const Tensor q4 = apart(q, 4), k4 = apart(k, 2), v4 = apart(v, 2);
  const Tensor wanted = must(call(attention, {&q4, &k4, &v4}));
  const Tensor found = must(call(attention, {&q, &k, &v}, {int_attribute("q_num_heads", 4), int_attribute("kv_num_heads", 2)}));
  EXPECT_EQ(list(found.dims()), (List{2, 5, 20}));
  EXPECT_EQ(elements<float>(apart(found, 4)), elements<float>(wanted));
}

TEST(Attention, RefusesSizesThatDoNotFit) {
  const Tensor q = zeros(Dtype::float32, {2, 4, 3, 8});
  const Tensor k = zeros(Dtype::float32, {2, 2, 5, 8});
  const Tensor v = zeros(Dtype::float32, {2, 2, 5, 6});
  const auto refused = [](const std::vector<const Tensor*>& inputs, const std::vector<Given>& given, std::string_view part) {
    return fails(call(attention, inputs, given), Code::InvalidArgument, part);
  };
  const Tensor flat = zeros(Dtype::float32, {2, 3, 8});
  const Tensor other_batch = zeros(Dtype::float32, {1, 2, 5, 8});
  const Tensor other_size = zeros(Dtype::float32, {2, 2, 5, 7});
  const Tensor three_heads = zeros(Dtype::float32, {2, 3, 5, 8});
  const Tensor short_v = zeros(Dtype::float32, {2, 2, 4, 6});
  const Tensor mask = zeros(Dtype::float32, {3, 6});
  const Tensor lengths = int64s({1}, {1});
  EXPECT_TRUE(refused({&flat, &k, &v}, {}, "'K' has dims [2, 2, 5, 8], wanted 3 axes"));
  EXPECT_TRUE(refused({&q, &other_batch, &v}, {}, "'K' has dims [1, 2, 5, 8], wanted 2 where it has 1"));
  EXPECT_TRUE(refused({&q, &other_size, &v}, {}, "wanted 8 where it has 7"));
  EXPECT_TRUE(refused({&q, &three_heads, &v}, {}, "'V' has dims"));
  EXPECT_TRUE(refused({&q, &three_heads, &three_heads}, {}, "4 heads of queries cannot share 3 heads of keys"));
  EXPECT_TRUE(refused({&q, &k, &short_v}, {}, "wanted 5 where it has 4"));
  EXPECT_TRUE(refused({&q, &k, &v, &mask}, {}, "attn_mask has dims [3, 6]"));
  EXPECT_TRUE(refused({&q, &k, &v, nullptr, &k}, {}, "past_key and past_value are given together"));
  EXPECT_TRUE(refused({&q, &k, &v, nullptr, &k, &v, &lengths}, {}, "nonpad_kv_seqlen is for caches outside"));
  EXPECT_TRUE(refused({&q, &k, &v, nullptr, nullptr, nullptr, &lengths}, {}, "'nonpad_kv_seqlen' has dims [1]"));
  EXPECT_TRUE(refused({&q, &k, &v}, {int_attribute("qk_matmul_output_mode", 4)}, "qk_matmul_output_mode is 4, wanted 0 to 3"));
  EXPECT_TRUE(refused({&q, &k, &v}, {int_attribute("left_window_size", -2)}, "left_window_size is -2, wanted -1 or more"));
  EXPECT_TRUE(refused({&q, &k, &v}, {int_attribute("softmax_precision", 7)}, "softmax_precision is 7"));
  EXPECT_TRUE(refused({&q, &k, &v}, {int_attribute("softmax_precision", -2)}, "softmax_precision is -2"));
  EXPECT_TRUE(refused({&q, &k, &v}, {int_attribute("softmax_precision", 257)}, "softmax_precision is 257"));
  EXPECT_TRUE(refused({&flat, &flat, &flat}, {}, "inputs of three axes need q_num_heads"));
  EXPECT_TRUE(refused({&flat, &flat, &flat}, {int_attribute("q_num_heads", 3), int_attribute("kv_num_heads", 1)},
                      "not a multiple of 3 heads"));
  EXPECT_TRUE(refused({&q, &k, &v}, {int_attribute("q_num_heads", 4)}, "q_num_heads is for inputs of three axes"));
}

TEST(RotaryEmbedding, RotatesPairsByTheAnglesOfTheirPosition) {
  const Tensor x = floats({1, 1, 2, 6}, {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6});
  const Tensor cosines = floats({3, 2}, {1, 1, 0, 0.5F, -1, 0});
  const Tensor sines = floats({3, 2}, {0, 0, 1, 2, 0, 1});
  const Tensor positions = int64s({1, 2}, {1, 2});
  const std::vector<Given> four{int_attribute("rotary_embedding_dim", 4)};
  // Elements 0 and 2 are a pair, 1 and 3 another one; adjacent ones are 0 and 1, 2 and 3.
  const std::vector<float> apart{-3, -7, 1, 6, 5, 6, -1, -4, -3, 2, 5, 6};
  const std::vector<float> adjacent{-2, 1, -6.5F, 8, 5, 6, -1, -2, -4, 3, 5, 6};
  EXPECT_EQ(elements<float>(must(call(rotary_embedding, {&x, &cosines, &sines, &positions}, four))), apart);
  std::vector<Given> given = four;
  given.push_back(int_attribute("interleaved", 1));
  EXPECT_EQ(elements<float>(must(call(rotary_embedding, {&x, &cosines, &sines, &positions}, given))), adjacent);
  const Tensor each_cosine = floats({1, 2, 2}, {0, 0.5F, -1, 0});
  const Tensor each_sine = floats({1, 2, 2}, {1, 2, 0, 1});
  EXPECT_EQ(elements<float>(must(call(rotary_embedding, {&x, &each_cosine, &each_sine}, four))), apart);
  const Tensor first = int64s({1}, {1});
  EXPECT_EQ(elements<float>(must(call(ms::rotary_embedding, {&x, &first, &cosines, &sines}, four))), apart);
  const Tensor flat = floats({1, 2, 6}, {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6});
  given = four;
  given.push_back(int_attribute("num_heads", 1));
  EXPECT_EQ(elements<float>(must(call(rotary_embedding, {&flat, &cosines, &sines, &positions}, given))), apart);
}

TEST(RotaryEmbedding, RefusesPositionsAndSizesThatDoNotFit) {
  const Tensor x = floats({1, 1, 2, 4}, {1, 2, 3, 4, 1, 2, 3, 4});
  const Tensor table = zeros(Dtype::float32, {3, 2});
  const Tensor far = int64s({1, 2}, {1, 3});
  const Tensor positions = int64s({2, 2}, {0, 0, 0, 0});
  EXPECT_TRUE(
      fails(call(rotary_embedding, {&x, &table, &table, &far}), Code::InvalidArgument, "position 3 is not one of the 3"));
  EXPECT_TRUE(fails(call(rotary_embedding, {&x, &table, &table, &positions}), Code::InvalidArgument, "wanted [1, 2]"));
  const Tensor near = int64s({1, 2}, {1, 2});
  const Tensor shorter = zeros(Dtype::float32, {2, 2});
  EXPECT_TRUE(fails(call(rotary_embedding, {&x, &table, &shorter, &near}), Code::InvalidArgument,
                    "the tables have dims [3, 2] and [2, 2], wanted the same"));
  EXPECT_TRUE(fails(call(rotary_embedding, {&x, &table, &table}), Code::InvalidArgument, "wanted those of batch and length"));
  const Tensor flat = floats({2, 2}, {1, 2, 3, 4});
  EXPECT_TRUE(fails(call(rotary_embedding, {&flat, &table, &table, &positions}, {int_attribute("num_heads", 1)}),
                    Code::InvalidArgument, "the input has dims [2, 2], wanted three or four axes"));
  EXPECT_TRUE(fails(call(rotary_embedding, {&x, &table, &table, &far}, {int_attribute("rotary_embedding_dim", 6)}),
                    Code::InvalidArgument, "6 elements of heads of 4 cannot be rotated"));
  EXPECT_TRUE(fails(call(rotary_embedding, {&x, &table, &table, &far}, {int_attribute("rotary_embedding_dim", -2)}),
                    Code::InvalidArgument, "cannot be rotated"));
}

class AttentionBeforeARun : public BeforeRun {};

TEST_F(AttentionBeforeARun, LengthsAddUpAndHeadsDivide) {
  const Tensor q = known({n(), 8, m(), 64});
  const Tensor k = known({n(), 2, 3, 64});
  const Tensor v = known({n(), 2, 3, 32});
  const Tensor past_k = known({n(), 2, m(), 64});
  const Tensor past_v = known({n(), 2, m(), 32});
  EXPECT_EQ(sizes(attention, {q, k, v}), "n 8 m 32");
  EXPECT_EQ(sizes(attention, {q, k, v, Tensor{Dtype::boolean, LayoutRef::unranked()}, past_k, past_v}, {}, 4),
            "n 8 m 32; n 2 m + 3 64; n 2 m + 3 32; n 8 m m + 3");
  const std::vector<Given> heads{int_attribute("q_num_heads", 8), int_attribute("kv_num_heads", 2)};
  EXPECT_EQ(sizes(attention, {known({n(), m(), 512}), known({n(), 3, 128}), known({n(), 3, 64})}, heads), "n m 256");
  EXPECT_EQ(sizes(attention, {unranked(), unranked(), unranked()}), "unknown");
  EXPECT_EQ(sizes(rotary_embedding, {known({n(), 4, m(), 8}), unranked(), unranked()}), "n 4 m 8");
}

}  // namespace
}  // namespace broadloom::test::attention_test
