#include "ops/recurrent/activations.h"

#include <cmath>
#include <limits>

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
class Numbers {
 public:
  Numbers(const Call& call, std::string_view name) : name_(name), tensor_(call.attributes.find_tensor(name)) {}
  Result<float> next(std::string_view function, float otherwise) {
    if (tensor_ != nullptr && at_ < tensor_->count()) return reinterpret_cast<const float*>(tensor_->data())[at_++];
    if (!std::isnan(otherwise)) return otherwise;
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

Result<Activations> read_activations(const Call& call, std::span<const Activation::Kind> defaults, std::size_t directions) {
  const Tensor* given = call.attributes.find_tensor("activations");
  Activations result(defaults.size() * directions);
  // The default of RNN has functions for two directions.
  const std::int64_t most = defaults.size() == 1 ? 2 : static_cast<std::int64_t>(result.size());
  if (given != nullptr && (given->count() < static_cast<std::int64_t>(result.size()) || given->count() > most)) {
    return fail(Code::InvalidArgument, "attribute 'activations' has {} functions, wanted {}", given->count(), result.size());
  }
  Numbers alphas(call, "activation_alpha");
  Numbers betas(call, "activation_beta");
  for (std::size_t i = 0; i < result.size(); ++i) {
    Activation& activation = result[i];
    activation.kind = defaults[i % defaults.size()];
    if (given != nullptr) {
      BROADLOOM_TRY(kind, kind_of(string_at(*given, reinterpret_cast<const StringRef*>(given->data())[i])));
      activation.kind = kind;
    }
    const Name& name = names[static_cast<std::size_t>(activation.kind)];
    if (name.parameters > 0) {
      BROADLOOM_TRY(alpha, alphas.next(name.name, name.alpha));
      activation.alpha = alpha;
    }
    if (name.parameters > 1) {
      BROADLOOM_TRY(beta, betas.next(name.name, name.beta));
      activation.beta = beta;
    }
  }
  return result;
}

}  // namespace broadloom
