// One call of an operator: any version, types that its schema allows and others, small dims, attributes, and views of every
// layout. Sizes inferred before a run hold in the run, and a run on views gives the bits of a run on row-major copies.
#include <map>

#include "fuzz/reader.h"
#include "fuzz/runs.h"
#include "fuzz/target.h"
#include "fuzz/views.h"
#include "ops/operators.h"
#include "support/calls.h"

namespace broadloom::fuzz {
namespace {

using enum AttributeType;

constexpr std::int64_t telling_integers[] = {0,  1,   -1,  2,   -2,    3,         4,         5,         8,
                                             16, 100, 127, 255, 65536, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
constexpr float telling_numbers[] = {0, 1, -1, 0.5F, 2, 1e-5F, 1e30F, -1e30F, HUGE_VALF, -HUGE_VALF, 1e-45F};
constexpr std::int64_t sizes[] = {1, 2, 3, 0, 4, 5, 7, 8, 9, 16, 17, 33};
constexpr std::int64_t most_elements = 2048;

// All operators that run without graphs of their own.
const std::vector<const Operator*>& operators() {
  static const std::vector<const Operator*> list = [] {
    std::vector<const Operator*> all;
    for (const auto some : {all_operators(), microsoft_operators()}) {
      for (const Operator* op : some) {
        if (!op->traits.has_graphs) all.push_back(op);
      }
    }
    return all;
  }();
  return list;
}

// The call that bytes describe.
class CallMaker {
 public:
  explicit CallMaker(std::string_view bytes)
      : bytes_(bytes),
        op_(*operators()[bytes_.below(operators().size())]),
        version_(op_.versions[bytes_.below(op_.versions.size())]),
        random_(bytes_.word()) {
    for (std::int64_t& size : palette_) size = bytes_.one_of(sizes);
    for (TypeSet const& types : version_.types)
      bound_[static_cast<std::size_t>(&types - version_.types.data())] = one_of(types);
    const std::size_t rank = bytes_.below(6);
    for (std::size_t axis = 0; axis < rank; ++axis) common_.push_back(palette_[bytes_.below(palette_.size())]);
  }

  Selection selection() const { return {op_, version_, version_.since_version}; }

  // The inputs, nullopt where one is omitted.
  std::vector<std::optional<Tensor>> inputs() {
    std::vector<std::optional<Tensor>> list;
    for (const Parameter& parameter : version_.inputs()) {
      std::size_t times = parameter.option == Option::Variadic ? bytes_.below(4) + 1 : 1;
      if (bytes_.one_in(32)) times = bytes_.below(3);
      for (; times > 0; --times) {
        const bool is_omitted = parameter.option == Option::Optional && bytes_.below(3) == 1;
        list.push_back(is_omitted ? std::nullopt : std::optional(input(parameter)));
      }
    }
    while (!list.empty() && !list.back()) list.pop_back();
    return list;
  }

  std::size_t output_count() {
    std::size_t count = version_.outputs().size();
    if (!version_.outputs().empty() && version_.outputs().back().option == Option::Variadic) count = bytes_.below(5) + 1;
    return bytes_.one_in(8) ? bytes_.below(count + 2) : count;
  }

  Status attributes(Attributes& to) {
    for (const AttributeSpec& spec : version_.attributes()) {
      if (!spec.required && bytes_.below(3) == 0) continue;
      if (spec.required && bytes_.one_in(32)) continue;
      const AttributeType type = bytes_.one_in(64) ? static_cast<AttributeType>(bytes_.below(15)) : spec.type;
      BROADLOOM_CHECK(admit_attribute(selection(), to, &spec, spec.name, type));
      to.add(spec) = value(spec);
    }
    if (bytes_.one_in(64)) return admit_attribute(selection(), to, nullptr, bytes_.text(8), INT);
    return {};
  }

  // The names of sizes before a run come from the palette.
  const std::array<std::int64_t, 4>& palette() const { return palette_; }
  Reader& bytes() { return bytes_; }

 private:
  Dtype one_of(TypeSet types) {
    if (bytes_.one_in(32)) return static_cast<Dtype>(bytes_.below(dtype_count) + 1);
    std::vector<Dtype> list;
    for (int id = 1; id <= dtype_count; ++id) {
      if (types.contains(static_cast<Dtype>(id))) list.push_back(static_cast<Dtype>(id));
    }
    return list.empty() ? Dtype::float32 : list[bytes_.below(list.size())];
  }

  Tensor input(const Parameter& parameter) {
    const bool is_bound = parameter.variable != TypeVariable::none && parameter.is_homogeneous && !bytes_.one_in(64);
    const Dtype dtype = is_bound ? bound_[version_.position_of(parameter.variable)] : one_of(version_.types_of(parameter));
    test::List dims = dims_of_input(parameter);
    std::int64_t count = 1;
    for (std::int64_t& size : dims) {
      if (count * size > most_elements) size = 1;
      count *= std::max<std::int64_t>(size, 1);
    }
    const auto make = [&](Dtype type, const test::List& of) { return elements(type, of); };
    return random_view(dtype, dims, random_, make);
  }

  test::List dims_of_input(const Parameter& parameter) {
    test::List dims = common_;
    std::size_t way = bytes_.below(8);
    if (parameter.is_list && !bytes_.one_in(8)) way = 6;
    if (parameter.type != Dtype::undefined && !parameter.is_list && way < 4) way = 7;
    switch (way) {
      case 0:
      case 1: return dims;
      case 2:
        for (std::int64_t& size : dims) size = bytes_.one_in(2) ? 1 : size;
        return dims;
      case 3: dims.erase(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(bytes_.below(dims.size() + 1))); return dims;
      case 4:
        if (dims.size() > 1) std::swap(dims[bytes_.below(dims.size())], dims[bytes_.below(dims.size())]);
        return dims;
      case 5:
        dims.resize(bytes_.below(6));
        for (std::int64_t& size : dims) size = palette_[bytes_.below(palette_.size())];
        return dims;
      case 6: return {static_cast<std::int64_t>(bytes_.one_in(3) ? bytes_.below(9) : common_.size())};
      default: return bytes_.one_in(2) ? test::List{1} : test::List{};
    }
  }

  // Small numbers, or any bits.
  Tensor elements(Dtype dtype, const test::List& dims) {
    if (dtype == Dtype::string || dtype == Dtype::boolean || !random_.one_in(6)) return random_elements(dtype, dims, random_);
    Tensor tensor = test::zeros(dtype, test::dims_of(dims));
    for (std::size_t i = 0; i < tensor.storage->size(); ++i) tensor.data()[i] = std::byte(random_.between(0, 255));
    clear_padding(dtype, tensor.count(), tensor.data());
    return tensor;
  }

  std::int64_t integer() { return bytes_.one_in(4) ? bytes_.one_of(telling_integers) : bytes_.between(-3, 4); }

  AttributeValue value(const AttributeSpec& spec) {
    AttributeValue value;
    value.is_present = true;
    switch (spec.type) {
      case INT: value.integer = spec.is_data_type ? bytes_.between(0, dtype_count + 1) : integer(); break;
      case FLOAT: value.number = bytes_.one_of(telling_numbers); break;
      case STRING: value.tensor = test::strings({}, {word(spec.words)}); break;
      case TENSOR: value.tensor = elements(static_cast<Dtype>(bytes_.below(dtype_count) + 1), list_dims()); break;
      case FLOATS: value.tensor = elements(Dtype::float32, {bytes_.between(0, 4)}); break;
      case STRINGS: {
        std::vector<std::string> words(bytes_.below(4));
        for (std::string& one : words) one = word("Relu Tanh Sigmoid Affine LeakyRelu ThresholdedRelu HardSigmoid Elu");
        value.tensor = test::strings({static_cast<std::int64_t>(words.size())}, words);
        break;
      }
      case SPARSE_TENSOR:
        value.sparse.push_back({test::floats({1}, {2}), test::int64s({1}, {integer()}), Dims{bytes_.between(1, 4)}});
        break;
      default: {
        const std::size_t length = bytes_.one_in(3) ? bytes_.below(5) : std::max<std::size_t>(common_.size(), 2) - 2;
        test::List list(length);
        for (std::int64_t& one : list) one = integer();
        value.tensor = test::int64s({static_cast<std::int64_t>(list.size())}, list);
      }
    }
    return value;
  }
  test::List list_dims() { return bytes_.one_in(2) ? test::List{} : test::List{bytes_.between(1, 3)}; }
  std::string word(std::string_view words) {
    if (words.empty() || bytes_.one_in(32)) {
      std::string text(bytes_.text(6));
      for (char& character : text) character = static_cast<char>(character & 0x7F);
      return text;
    }
    for (std::size_t skipped = bytes_.below(8); skipped > 0 && words.find(' ') != words.npos; --skipped) {
      words = words.substr(words.find(' ') + 1);
    }
    return std::string(words.substr(0, words.find(' ')));
  }

  Reader bytes_;
  const Operator& op_;
  const OperatorVersion& version_;
  test::Random random_;
  std::array<std::int64_t, 4> palette_{};
  std::array<Dtype, 4> bound_{};
  test::List common_;
};

// The result of a run.
struct Made {
  std::vector<Tensor> outputs;
  std::string error;
  bool is_too_large = false;
};

std::vector<const Tensor*> addresses_of(const std::vector<std::optional<Tensor>>& inputs) {
  std::vector<const Tensor*> list;
  for (const auto& one : inputs) list.push_back(one ? &*one : nullptr);
  return list;
}

Made run_on(const Selection& selection, const std::vector<std::optional<Tensor>>& inputs, const Attributes& attributes,
            std::span<const Dtype> types) {
  const std::vector<const Tensor*> list = addresses_of(inputs);
  Made made;
  made.outputs.resize(types.size());
  Call call{selection.version, list, attributes, types, made.outputs};
  Watch::start();
  const Status status = run_call(selection, call);
  if (status) return made;
  made.outputs.clear();
  made.error = status.error()->message.view();
  made.is_too_large = is_about_size(expect_proper_error(status));
  return made;
}

// Names for sizes of the palette before a run, and the elements of some inputs.
class Inferred {
 public:
  Inferred(const Selection& selection, const std::vector<std::optional<Tensor>>& inputs, const Attributes& attributes,
           std::span<const Dtype> types, const std::array<std::int64_t, 4>& palette, std::uint8_t choices) {
    std::vector<std::optional<Tensor>> before;
    for (const auto& one : inputs) {
      if (!one) {
        before.emplace_back();
        continue;
      }
      SymbolicDims dims = one->dims();
      for (Size& size : dims) {
        const auto name = std::find(palette.begin(), palette.end(), size.number());
        const auto number = static_cast<std::uint32_t>(name - palette.begin());
        if (name == palette.end() || ((choices >> number) & 1U) == 0) continue;
        size = expressions_.name(number);
        seen_[size.word()] = *name;
      }
      const bool has_elements = are_numbers(dims) && ((choices >> (4 + before.size() % 4)) & 1U) != 0;
      before.push_back(has_elements ? row_major(*one) : Tensor{one->dtype, uniform_layout(dims)});
    }
    const std::vector<const Tensor*> list = addresses_of(before);
    outputs_ = std::vector<Tensor>(types.size(), Tensor{Dtype::undefined, LayoutRef::unranked()});
    for (std::size_t i = 0; i < types.size(); ++i) outputs_[i].dtype = types[i];
    Call call{selection.version, list, attributes, types, outputs_, &expressions_};
    const Status status = selection.op.prepare(call);
    if (!status) {
      error_ = status.error()->message.view();
      expect_proper_error(status);
    }
  }

  void expect_to_hold(const Made& made) {
    if (!made.error.empty()) return;
    ASSERT_EQ(error_, "") << "the run succeeds";
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const Tensor& known = outputs_[i];
      const Tensor& result = made.outputs[i];
      if (!known.is_ranked()) continue;
      ASSERT_EQ(known.dtype, result.dtype);
      ASSERT_EQ(known.dims().size(), result.dims().size()) << "output " << i;
      for (std::size_t axis = 0; axis < known.dims().size(); ++axis) hold(known.dims()[axis], result.run_dims()[axis]);
      if (!has_size_elements(known) || !are_numbers(known.dims()) || known.count() > most_elements) continue;
      const Tensor wanted = row_major(known);
      const Tensor is = row_major(result);
      for (std::int64_t at = 0; at < wanted.count(); ++at) hold(size_at(wanted, at), size_at(is, at).word());
    }
  }

 private:
  void hold(Size size, std::int64_t is) {
    if (size.is_unknown()) return;
    const std::int64_t wanted = size.is_number() ? size.number() : seen_.try_emplace(size.word(), is).first->second;
    EXPECT_EQ(wanted, is) << "before the run";
  }

  Expressions expressions_;
  std::vector<Tensor> outputs_;
  std::string error_;
  std::map<std::int64_t, std::int64_t> seen_;
};

void one_call(std::string_view bytes) {
  CallMaker maker(bytes);
  const Selection selection = maker.selection();
  SCOPED_TRACE(std::string(selection.op.name) + "-" + std::to_string(selection.opset));
  const std::vector<std::optional<Tensor>> inputs = maker.inputs();
  Attributes attributes;
  if (const Status status = maker.attributes(attributes); !status) return static_cast<void>(expect_proper_error(status));
  ElementTypes types(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i]) types[i] = ElementType(inputs[i]->dtype);
  }
  Dtypes output_types(maker.output_count());
  const Status checked = check_call(selection, types, std::span(output_types.data(), output_types.size()), attributes);
  note(checked ? "called" : "refused");
  if (!checked) return static_cast<void>(expect_proper_error(checked));
  const std::span<const Dtype> outputs = output_types.values();

  std::vector<std::optional<Tensor>> dense;
  std::vector<std::optional<Tensor>> kept;
  for (const auto& one : inputs) {
    dense.push_back(one ? std::optional(row_major(*one)) : std::nullopt);
    kept.push_back(one ? std::optional(row_major(*one)) : std::nullopt);
  }
  const Made wanted = run_on(selection, dense, attributes, outputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    SCOPED_TRACE("input " + std::to_string(i) + " after the run");
    if (inputs[i]) expect_same(*dense[i], *kept[i]);
  }
  Inferred(selection, inputs, attributes, outputs, maker.palette(), maker.bytes().byte()).expect_to_hold(wanted);
  for (std::size_t i = 0; i < wanted.outputs.size(); ++i) EXPECT_EQ(wanted.outputs[i].dtype, outputs[i]) << "output " << i;

  const Made viewed = run_on(selection, inputs, attributes, outputs);
  if (wanted.is_too_large || viewed.is_too_large) return;
  note(wanted.error.empty() ? "ran" : "failed");
  ASSERT_EQ(viewed.error, wanted.error) << "on views";
  if (!selection.op.traits.is_random) expect_same(viewed.outputs, wanted.outputs);
}

}  // namespace
}  // namespace broadloom::fuzz

BROADLOOM_FUZZ_TARGET("operator", one_call);
