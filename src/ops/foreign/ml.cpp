// Operators of ai.onnx.ml. A row of features is one sample.
#include <algorithm>

#include "ops/foreign/foreign.h"

namespace broadloom {

using namespace foreign;

namespace {

constexpr TypeSource unknown_and_scores[] = {unknown, of(float32)};

Size sample_count(const Call& call) {
  const SymbolicDims* input = dims_of(call, 0);
  return input == nullptr ? unknown_size : input->size() == 1 ? 1 : size_of(call, 0, 0);
}

void classes(Call& call) {
  set(call, 0, {sample_count(call)});
  set(call, 1, {sample_count(call), unknown_size});
}

// One number per sample and target.
void tree_targets(Call& call) { set(call, 0, {sample_count(call), integer(call, "n_targets", unknown_size)}); }
void linear_targets(Call& call) { set(call, 0, {sample_count(call), integer(call, "targets", 1)}); }
void single_target(Call& call) { set(call, 0, {sample_count(call), 1}); }

void categories(Call& call) {
  const SymbolicDims* input = dims_of(call, 0);
  if (input == nullptr) return;
  SymbolicDims dims(input->size() + 1, unknown_size);
  std::copy(input->begin(), input->end(), dims.begin());
  set(call, 0, dims);
}

}  // namespace

BROADLOOM_OPERATOR(op::ruled::learning, binarizer) = learning_operator("Binarizer", prepare_like_input, first_input);
BROADLOOM_OPERATOR(op::ruled::learning, category_mapper) = learning_operator("CategoryMapper", prepare_like_input);
BROADLOOM_OPERATOR(op::ruled::learning, imputer) = learning_operator("Imputer", prepare_like_input, first_input);
BROADLOOM_OPERATOR(op::ruled::learning, label_encoder) = learning_operator("LabelEncoder", prepare_like_input);
BROADLOOM_OPERATOR(op::ruled::learning, linear_classifier) = learning_operator("LinearClassifier", by<classes>,
                                                                               unknown_and_scores);
BROADLOOM_OPERATOR(op::ruled::learning, linear_regressor) = learning_operator("LinearRegressor", by<linear_targets>, floats);
BROADLOOM_OPERATOR(op::ruled::learning, normalizer) = learning_operator("Normalizer", prepare_like_input, floats);
BROADLOOM_OPERATOR(op::ruled::learning, one_hot_encoder) = learning_operator("OneHotEncoder", by<categories>, floats);
BROADLOOM_OPERATOR(op::ruled::learning, svm_classifier) = learning_operator("SVMClassifier", by<classes>, unknown_and_scores);
BROADLOOM_OPERATOR(op::ruled::learning, svm_regressor) = learning_operator("SVMRegressor", by<single_target>, floats);
BROADLOOM_OPERATOR(op::ruled::learning, scaler) = learning_operator("Scaler", prepare_like_input, floats);
BROADLOOM_OPERATOR(op::ruled::learning, tree_ensemble_classifier) = learning_operator("TreeEnsembleClassifier", by<classes>,
                                                                                      unknown_and_scores);
BROADLOOM_OPERATOR(op::ruled::learning, tree_ensemble_regressor) = learning_operator("TreeEnsembleRegressor", by<tree_targets>,
                                                                                     floats);

}  // namespace broadloom
