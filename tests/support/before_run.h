// Results of an operator's prepare before a run, with symbolic sizes.
#pragma once

#include <string>

#include "support/calls.h"

namespace broadloom::test {

// Symbolic sizes, and the results of prepare for them.
class BeforeRun : public testing::Test {
 protected:
  Size n() { return expressions_.name(0); }
  Size m() { return expressions_.name(1); }
  static Tensor known(const SizeList& dims, Dtype dtype = Dtype::float32) { return known_of(dtype, dims); }
  static Tensor indices(const SizeList& dims) { return known_of(Dtype::int64, dims); }
  static Tensor unranked(Dtype dtype = Dtype::float32) { return {dtype, LayoutRef::unranked()}; }

  // The outputs' sizes, such as "3 n ?"; "unknown" if the rank is unknown, and "error" if every run fails.
  std::string sizes(const Operator& op, const std::vector<Tensor>& inputs, const std::vector<Given>& given = {},
                    std::size_t outputs = 1, std::int64_t opset = newest_opset) {
    const OperatorVersion& version = *must(select_version(op, opset));
    Attributes attributes;
    for (const Given& one : given) attributes.add(*find_spec(version, one.name)) = one.value;
    std::vector<const Tensor*> list;
    ElementTypes types(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      list.push_back(&inputs[i]);
      types[i] = ElementType(inputs[i].dtype);
    }
    Dtypes output_types(outputs);
    must(check_call({op, version, opset}, types, output_types, attributes));
    outputs_ = std::vector<Tensor>(outputs, unranked());
    Call call{version, list, attributes, output_types, outputs_, &expressions_};
    const Status status = op.prepare(call);
    if (!status) {
      Error::forget();
      return "error";
    }
    std::string text;
    for (const Tensor& output : outputs_) text += (text.empty() ? "" : "; ") + sizes_of(output);
    return text;
  }

  Expressions expressions_;
  std::vector<Tensor> outputs_;

 private:
  static Tensor known_of(Dtype dtype, const SizeList& dims) { return {dtype, uniform_layout(dims.dims())}; }
  std::string sizes_of(const Tensor& tensor) {
    if (!tensor.is_ranked()) return "unknown";
    const std::string_view names[] = {"n", "m"};
    std::string text;
    for (const Size size : tensor.dims()) {
      Text one;
      text += text.empty() ? "" : " ";
      if (size.is_number()) {
        text += std::to_string(size.number());
      } else {
        text += expressions_.append(one, size, names) ? one.view() : "?";
      }
    }
    return text;
  }
};

}  // namespace broadloom::test
