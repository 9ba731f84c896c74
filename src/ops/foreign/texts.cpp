// Texts.
#include <algorithm>

#include "ops/foreign/foreign.h"

namespace broadloom {

using namespace foreign;

namespace {

constexpr TypeSource strings_and_counts[] = {of(string), of(int64)};

void split_texts(Call& call) {
  set_like(call, 1, 0);
  const SymbolicDims* input = dims_of(call, 0);
  if (input == nullptr) return;
  SymbolicDims dims(input->size() + 1, unknown_size);
  std::copy(input->begin(), input->end(), dims.begin());
  set(call, 0, dims);
}

// Stop words are removed.
void normal_texts(Call& call) {
  if (const SymbolicDims* input = dims_of(call, 0)) set(call, 0, with_last(input->values(), unknown_size));
}

void term_counts(Call& call) {
  const SymbolicDims* input = dims_of(call, 0);
  if (input == nullptr || input->empty()) return;
  const Attribute* indexes = attribute_of(call.attributes, "ngram_indexes", AttributeType::INTS);
  std::int64_t most = -1;
  if (indexes != nullptr) {
    const auto* each = reinterpret_cast<const std::int64_t*>(indexes->value.tensor.data());
    const std::int64_t count = indexes->value.tensor.count();
    for (std::int64_t i = 0; i < count; ++i) most = std::max(most, each[i]);
  }
  set(call, 0, with_last(input->values(), most < 0 ? unknown_size : call.sizes().add(number_or_unknown(most), 1)));
}

}  // namespace

BROADLOOM_OPERATOR(op::ruled, regex_full_match) = onnx_operator("RegexFullMatch", prepare_like_input, bools);
BROADLOOM_OPERATOR(op::ruled, string_concat) = onnx_operator("StringConcat", by<broadcast<0, 1>>, strings);
BROADLOOM_OPERATOR(op::ruled, string_normalizer) = onnx_operator("StringNormalizer", by<normal_texts>, strings);
BROADLOOM_OPERATOR(op::ruled, string_split) = onnx_operator("StringSplit", by<split_texts>, strings_and_counts);
BROADLOOM_OPERATOR(op::ruled, tf_idf_vectorizer) = onnx_operator("TfIdfVectorizer", by<term_counts>, floats);

}  // namespace broadloom
