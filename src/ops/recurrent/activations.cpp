#include "ops/recurrent/activations.h"

#include <cmath>
#include <limits>

#include "core/count.h"
#include "core/strings.h"
#include "core/text.h"

namespace broadloom {
namespace {

// In the order of Activation::Kind.
struct Name {
  std::string_view name;
  std::uint8_t parameters = 0;  // 1: alpha, 2: alpha and beta
  float alpha = 0;              // the defaults of the operators of these names; NaN: it has none
  float beta = 0;
};
constexpr float none = std::numeric_limits<float>::quiet_NaN();
constexpr Name names[] = {{"affine", 2, 1, 0},
                          {"elu", 1, 1},
                          {"hardsigmoid", 2, 0.2F, 0.5F},
                          {"leakyrelu", 1, 0.01F},
                          {"relu"},
                          {"scaledtanh", 2, none, none},
                          {"sigmoid"},
                          {"softplus"},
                          {"softsign"},
                          {"tanh"},
                          {"thresholdedrelu", 1, 1}};

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

Result<Activation::Kind> kind_of(std::string_view text) {
  for (std::size_t i = 0; i < std::size(names); ++i) {
    const std::string_view name = names[i].name;
    const bool is_same =
        std::equal(name.begin(), name.end(), text.begin(), text.end(), [](char a, char b) { return a == lower(b); });
    if (is_same) return static_cast<Activation::Kind>(i);
  }
  return fail(Code::InvalidArgument, "attribute 'activations' has {}, which is not an activation function", quoted(text));
}

// A list of FLOATS, from which functions take what they use.
class ListedNumbers {
 public:
  ListedNumbers(const Call& call, std::string_view name) : name_(name), tensor_(call.attributes.find_tensor(name)) {}
  Status take(float& to, std::string_view function, float otherwise) {
    to = tensor_ != nullptr && at_ < tensor_->count() ? reinterpret_cast<const float*>(tensor_->data())[at_++] : otherwise;
    if (!std::isnan(to)) return {};
    return fail(Code::InvalidArgument, "attribute {} has no number for activation {}, which has no default", quoted(name_),
                quoted(function));
  }

 private:
  std::string_view name_;
  const Tensor* tensor_;
  std::int64_t at_ = 0;
};

}  // namespace

Formula Activation::of(const Formula& x) const {
  switch (kind) {
    case Kind::affine: return x * alpha + beta;
    case Kind::elu: return formulas::elu(x, alpha);
    case Kind::hard_sigmoid: return formulas::hard_sigmoid(x, alpha, beta);
    case Kind::leaky_relu: return formulas::leaky_relu(x, alpha);
    case Kind::relu: return formulas::relu(x);
    case Kind::scaled_tanh: return (x * beta).apply(Operation::tanh) * alpha;
    case Kind::sigmoid: return x.apply(Operation::sigmoid);
    case Kind::softplus: return x.apply(Operation::softplus);
    case Kind::softsign: return formulas::softsign(x);
    case Kind::tanh: return x.apply(Operation::tanh);
    case Kind::thresholded_relu: return select(x.number(alpha).apply(Operation::less_or_equal, x), x, x.number(0));
  }
  return x;
}

Status read_activations(Activations& to, const Call& call, std::span<const Activation::Kind> defaults, std::size_t directions) {
  const Tensor* given = call.attributes.find_tensor("activations");
  const std::size_t count = defaults.size() * directions;
  // The default of RNN has functions for two directions.
  const std::size_t most = defaults.size() == 1 ? 2 : count;
  const auto names_given = in_memory(given == nullptr ? 0 : given->count());
  if (given != nullptr && (names_given < count || names_given > most)) {
    return fail(Code::InvalidArgument, "attribute 'activations' has {} functions, wanted {}", names_given, count);
  }
  ListedNumbers alphas(call, "activation_alpha");
  ListedNumbers betas(call, "activation_beta");
  for (std::size_t i = 0; i < count; ++i) {
    Activation& activation = to[i];
    activation.kind = defaults[i % defaults.size()];
    if (given != nullptr) {
      BROADLOOM_TRY(kind, kind_of(string_at(*given, reinterpret_cast<const StringRef*>(given->data())[i])));
      activation.kind = kind;
    }
    const Name& name = names[place_of(activation.kind)];
    if (name.parameters > 0) BROADLOOM_CHECK(alphas.take(activation.alpha, name.name, name.alpha));
    if (name.parameters > 1) BROADLOOM_CHECK(betas.take(activation.beta, name.name, name.beta));
  }
  return {};
}

}  // namespace broadloom
