// Compares RNN, GRU and LSTM with naive C++ in double.
#include <cctype>
#include <functional>

#include "support/calls.h"
#include "support/cases.h"
#include "support/layouts.h"
#include "support/numbers.h"

namespace broadloom::op {
extern const Operator gru, lstm, rnn;
}

namespace broadloom::test::recurrent_test {
namespace {

Given text(std::string_view name, const char* value) { return {name, AttributeType::STRING, strings({}, {value})}; }
Given texts(const std::vector<std::string>& values) {
  return {"activations", AttributeType::STRINGS, strings({static_cast<std::int64_t>(values.size())}, values)};
}
Given numbers(std::string_view name, const std::vector<float>& values) {
  return {name, AttributeType::FLOATS, floats({static_cast<std::int64_t>(values.size())}, values)};
}
Given number(std::string_view name, float value) { return {name, AttributeType::FLOAT, value}; }

Tensor lengths_of(const std::vector<std::int32_t>& lengths) {
  return tensor_of(Dtype::int32, {static_cast<std::int64_t>(lengths.size())}, lengths);
}

// ---- The reference ----

double activated(const std::string& name, double alpha, double beta, double x) {
  if (name == "Affine") return alpha * x + beta;
  if (name == "Elu") return x >= 0 ? x : alpha * std::expm1(x);
  if (name == "HardSigmoid") return std::min(std::max(alpha * x + beta, 0.0), 1.0);
  if (name == "LeakyRelu") return x >= 0 ? x : alpha * x;
  if (name == "Relu") return std::max(x, 0.0);
  if (name == "ScaledTanh") return alpha * std::tanh(beta * x);
  if (name == "Sigmoid") return 1 / (1 + std::exp(-x));
  if (name == "Softplus") return std::log1p(std::exp(x));
  if (name == "Softsign") return x / (1 + std::abs(x));
  if (name == "ThresholdedRelu") return x >= alpha ? x : 0;
  return std::tanh(x);
}
using Function = std::function<double(double)>;

struct Layer {
  const Operator* op;
  std::size_t steps = 1;
  std::size_t batch = 1;
  std::size_t input = 1;
  std::size_t hidden = 1;
  std::string direction = "forward";
  bool is_batch_first = false;
  bool is_linear_first = false;
  bool is_coupled = false;
  double clip = HUGE_VAL;
  std::vector<Function> functions;  // of the first direction, then of the second one
  std::vector<std::int32_t> lengths;
  Numbers x, w, r, b, h, c, p;

  std::size_t gates() const { return op == &rnn ? 1 : op == &gru ? 3 : 4; }
  std::size_t directions() const { return direction == "bidirectional" ? 2 : 1; }
  std::size_t state_size() const { return directions() * batch * hidden; }
  std::size_t state_at(std::size_t d, std::size_t row) const {
    return (is_batch_first ? row * directions() + d : d * batch + row) * hidden;
  }

  struct Results {
    Numbers y, h, c;
  };
  Results results() const {
    Results to{Numbers(steps * state_size()), h.empty() ? Numbers(state_size()) : h, c.empty() ? Numbers(state_size()) : c};
    for (std::size_t d = 0; d < directions(); ++d) {
      for (std::size_t row = 0; row < batch; ++row) {
        const std::size_t length = lengths.empty() ? steps : static_cast<std::size_t>(lengths[row]);
        for (std::size_t i = 0; i < length; ++i) {
          step(to, d, row, d == 1 || direction == "reverse" ? length - 1 - i : i);
        }
      }
    }
    return to;
  }

 private:
  void step(Results& to, std::size_t d, std::size_t row, std::size_t t) const {
    const double* const from = &x[(is_batch_first ? row * steps + t : t * batch + row) * input];
    const std::size_t state = state_at(d, row);
    const auto f = [&](std::size_t i, double value) {
      return functions[d * functions.size() / directions() + i](std::min(std::max(value, -clip), clip));
    };
    const auto bias = [&](std::size_t gate, std::size_t unit, bool is_of_r) {
      return b.empty() ? 0 : b[((d * 2 + (is_of_r ? 1 : 0)) * gates() + gate) * hidden + unit];
    };
    const auto of_x = [&](std::size_t gate, std::size_t unit) {
      double sum = bias(gate, unit, false);
      for (std::size_t k = 0; k < input; ++k) sum += from[k] * w[((d * gates() + gate) * hidden + unit) * input + k];
      return sum;
    };
    const auto of_state = [&](const Numbers& states, std::size_t gate, std::size_t unit) {
      double sum = bias(gate, unit, true);
      for (std::size_t k = 0; k < hidden; ++k) sum += states[k] * r[((d * gates() + gate) * hidden + unit) * hidden + k];
      return sum;
    };
    const Numbers before(to.h.begin() + static_cast<std::ptrdiff_t>(state),
                         to.h.begin() + static_cast<std::ptrdiff_t>(state + hidden));
    const auto sum = [&](std::size_t gate, std::size_t unit) { return of_x(gate, unit) + of_state(before, gate, unit); };
    Numbers reset(hidden);
    for (std::size_t unit = 0; unit < hidden && op == &gru; ++unit) reset[unit] = f(0, sum(1, unit)) * before[unit];
    for (std::size_t unit = 0; unit < hidden; ++unit) {
      double& result = to.h[state + unit];
      double& cell = to.c[state + unit];
      const auto peephole = [&](std::size_t gate) { return p.empty() ? 0 : p[(d * 3 + gate) * hidden + unit] * cell; };
      if (op == &rnn) {
        result = f(0, sum(0, unit));
      } else if (op == &gru) {
        const double z = f(0, sum(0, unit));
        const double candidate = is_linear_first ? of_x(2, unit) + f(0, sum(1, unit)) * of_state(before, 2, unit)
                                                 : of_x(2, unit) + of_state(reset, 2, unit);
        result = (1 - z) * f(1, candidate) + z * before[unit];
      } else {
        const double i = f(0, sum(0, unit) + peephole(0));
        const double forget = is_coupled ? 1 - i : f(0, sum(2, unit) + peephole(2));
        cell = forget * cell + i * f(1, sum(3, unit));
        result = f(0, sum(1, unit) + peephole(1)) * f(2, cell);
      }
      to.y[(is_batch_first ? (row * steps + t) * directions() + d : (t * directions() + d) * batch + row) * hidden + unit] =
          result;
    }
  }
};

// ---- Random calls ----

struct Case {
  Layer layer;
  Dtype dtype;
  std::vector<Given> given;
  std::vector<Tensor> inputs;
  std::vector<bool> is_there;

  std::vector<const Tensor*> list() const {
    std::vector<const Tensor*> all(inputs.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = is_there[i] ? &inputs[i] : nullptr;
    return all;
  }
};

struct Choice {
  const char* name;
  std::size_t parameters;
};
constexpr Choice choices[] = {{"Affine", 2},     {"Elu", 1},     {"HardSigmoid", 2}, {"LeakyRelu", 1}, {"Relu", 0},
                              {"ScaledTanh", 2}, {"Sigmoid", 0}, {"Softplus", 0},    {"Softsign", 0},  {"Tanh", 0}};

void add_functions(Case& to, Random& random) {
  Layer& layer = to.layer;
  const std::size_t count = (layer.op == &rnn ? 1 : layer.op == &gru ? 2 : 3) * layer.directions();
  // Functions without bounds would grow over many steps.
  const bool has_defaults = layer.steps > 5 || random.one_in(2);
  std::vector<std::string> names;
  std::vector<float> alphas;
  std::vector<float> betas;
  for (std::size_t i = 0; i < count; ++i) {
    if (has_defaults) {
      const bool is_first = layer.op != &rnn && i % (count / layer.directions()) == 0;
      layer.functions.emplace_back([=](double x) { return activated(is_first ? "Sigmoid" : "Tanh", 0, 0, x); });
      continue;
    }
    const Choice& choice = choices[random.below(std::size(choices))];
    const auto alpha = static_cast<float>(random.real(0.1, 0.6));
    const auto beta = static_cast<float>(random.real(0.1, 0.6));
    if (choice.parameters > 0) alphas.push_back(alpha);
    if (choice.parameters > 1) betas.push_back(beta);
    const std::string name = choice.name;
    layer.functions.emplace_back([=](double x) { return activated(name, alpha, beta, x); });
    names.push_back(name);
    if (random.one_in(3)) {
      for (char& letter : names.back()) letter = static_cast<char>(std::tolower(letter));
    }
  }
  if (has_defaults) return;
  to.given.push_back(texts(names));
  if (!alphas.empty()) to.given.push_back(numbers("activation_alpha", alphas));
  if (!betas.empty()) to.given.push_back(numbers("activation_beta", betas));
}

std::size_t random_size(Random& random, std::int64_t most) { return static_cast<std::size_t>(random.between(1, most)); }

Case random_case(Random& random, const Operator& op, Dtype dtype) {
  Case result;
  result.layer.op = &op;
  result.dtype = dtype;
  Layer& layer = result.layer;
  const bool is_long = random.one_in(8);
  const bool is_wide = !is_long && random.one_in(8);
  layer.steps = random_size(random, is_long ? 60 : is_wide ? 2 : 5);
  layer.batch = random.one_in(2) ? 1 : random_size(random, is_wide ? 2 : 6);
  layer.input = random_size(random, random.one_in(4) ? 40 : 6);
  layer.hidden = random_size(random, is_long ? 8 : is_wide ? 270 : 20);
  layer.direction = random.one_in(3) ? "bidirectional" : random.one_in(2) ? "reverse" : "forward";
  layer.is_batch_first = random.one_in(3);
  layer.is_linear_first = &op == &gru && random.one_in(2);
  layer.is_coupled = &op == &lstm && random.one_in(4);
  result.given = {text("direction", layer.direction.c_str())};
  if (random.one_in(2)) result.given.push_back(int_attribute("hidden_size", static_cast<std::int64_t>(layer.hidden)));
  if (layer.is_batch_first || random.one_in(2)) result.given.push_back(int_attribute("layout", layer.is_batch_first ? 1 : 0));
  if (layer.is_linear_first) result.given.push_back(int_attribute("linear_before_reset", 1));
  if (layer.is_coupled) result.given.push_back(int_attribute("input_forget", 1));
  if (random.one_in(3)) {
    const auto clip = static_cast<float>(random.real(0, 0.5));
    layer.clip = static_cast<double>(clip);
    result.given.push_back(number("clip", clip));
  }
  add_functions(result, random);

  const auto size = [](std::size_t count) { return static_cast<std::int64_t>(count); };
  const auto add = [&](Numbers& values, List dims, double most, bool is_there) {
    const auto count = static_cast<std::size_t>(must(checked_count(dims_of(dims))));
    result.is_there.push_back(is_there);
    if (!is_there) {
      result.inputs.emplace_back();
      return;
    }
    values = random_numbers(random, dtype, count, -most, most);
    const Tensor dense = tensor_of_numbers(dtype, dims, values);
    result.inputs.push_back(count < 3000 && random.one_in(4) ? scrambled(dense, random) : dense);
  };
  const std::int64_t directions = size(layer.directions());
  const std::int64_t rows = size(layer.gates() * layer.hidden);
  const List state = layer.is_batch_first ? List{size(layer.batch), directions, size(layer.hidden)}
                                          : List{directions, size(layer.batch), size(layer.hidden)};
  add(layer.x,
      layer.is_batch_first ? List{size(layer.batch), size(layer.steps), size(layer.input)}
                           : List{size(layer.steps), size(layer.batch), size(layer.input)},
      1, true);
  const double most = 1.0 / std::sqrt(static_cast<double>(layer.hidden));
  add(layer.w, {directions, rows, size(layer.input)}, most, true);
  add(layer.r, {directions, rows, size(layer.hidden)}, most, true);
  add(layer.b, {directions, 2 * rows}, 1, random.one_in(2));
  if (random.one_in(2)) {
    for (std::size_t i = 0; i < layer.batch; ++i) {
      layer.lengths.push_back(static_cast<std::int32_t>(random.between(0, size(layer.steps))));
    }
  }
  result.is_there.push_back(!layer.lengths.empty());
  result.inputs.push_back(layer.lengths.empty() ? Tensor() : lengths_of(layer.lengths));
  add(layer.h, state, 1, random.one_in(2));
  if (&op == &lstm) {
    add(layer.c, state, 1, random.one_in(2));
    add(layer.p, {directions, 3 * size(layer.hidden)}, 1, random.one_in(3));
  }
  return result;
}

constexpr Dtype real_types[] = {Dtype::float32, Dtype::float32, Dtype::float16, Dtype::bfloat16, Dtype::float64};

void expect_results(const Operator& op) {
  Random random;
  for (int i = 0; i < cases() / 25; ++i) {
    const Case one = random_case(random, op, real_types[random.below(std::size(real_types))]);
    const Layer& layer = one.layer;
    const std::size_t outputs = &op == &lstm ? 3 : 2;
    const std::vector<Tensor> results = must(call_all(op, one.list(), one.given, {newest_opset, outputs}));
    const Layer::Results wanted = layer.results();
    const double precision = 10 * precision_of(one.dtype);
    const std::string what = std::to_string(i) + ": " + std::string(info(one.dtype).name) + " " + layer.direction + " steps " +
                             std::to_string(layer.steps) + " batch " + std::to_string(layer.batch) + " hidden " +
                             std::to_string(layer.hidden);
    ASSERT_TRUE(are_near(results[0], wanted.y, precision)) << what;
    ASSERT_TRUE(are_near(results[1], wanted.h, precision)) << what;
    if (outputs == 3) {
      ASSERT_TRUE(are_near(results[2], wanted.c, precision)) << what;
    }
  }
}

TEST(Recurrent, RandomRnnsAreThoseOfTheReference) { expect_results(rnn); }
TEST(Recurrent, RandomGrusAreThoseOfTheReference) { expect_results(gru); }
TEST(Recurrent, RandomLstmsAreThoseOfTheReference) { expect_results(lstm); }

}  // namespace
}  // namespace broadloom::test::recurrent_test
