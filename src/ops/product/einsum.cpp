// Einsum: sums of products of any number of tensors, with letters for their axes. ONNX: onnx/defs/math/defs.cc, Einsum.
//
// As in numpy.einsum, an axis of size 1 stretches. Letters are case-sensitive, and spaces are ignored.
#include <bit>
#include <vector>

#include "core/count.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/text.h"
#include "kernels/elementwise/convert.h"
#include "kernels/movement/strided.h"
#include "kernels/products/matmul.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/elementwise.h"
#include "ops/product/products.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {required("equation", STRING)};
constexpr Parameter inputs[] = {{"Inputs", T, Variadic}};
constexpr Parameter outputs[] = {{"Output", T}};
constexpr Signature signature{attributes, inputs, outputs, {T}};
constexpr OperatorVersion versions[] = {{12, &signature, {types::integers | types::floats}}};

// The label of an axis: letters in ASCII order, followed by the axes of three dots, from the last one on.
using Label = std::uint16_t;
constexpr Label letters = 52;
constexpr std::size_t most_labels = letters + most_axes;

// A set of axes of an equation, one bit each.
using Axes = std::uint64_t;
constexpr std::size_t most_equation_axes = 64;
constexpr Axes bit(std::size_t axis) { return Axes{1} << axis; }

constexpr bool is_letter(char character) { return (character | 32) >= 'a' && (character | 32) <= 'z'; }
constexpr Label label_of(char letter) { return static_cast<Label>(letter <= 'Z' ? letter - 'A' : letter - 'a' + 26); }

// The axes of an operand or of the result in an equation.
struct Term {
  std::string_view text;
  std::size_t named = 0;  // letters
  bool has_dots = false;
};

Result<Term> read_term(std::string_view text) {
  Result<Term> term(tl::in_place, Term{text});
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_letter(text[i])) {
      ++term->named;
    } else if (text.substr(i, 3) == "..." && !term->has_dots) {
      term->has_dots = true;
      i += 2;
    } else if (text[i] != ' ') {
      return fail(Code::InvalidArgument, "the equation's {} has {}, wanted letters and '...' once", quoted(text),
                  quoted(text.substr(i, 1)));
    }
  }
  return term;
}

// Calls use(label) for each axis; three dots mean `dotted` axes.
template <class Use>
void for_axes(const Term& term, std::size_t dotted, Use use) {
  for (std::size_t i = 0; i < term.text.size(); ++i) {
    if (is_letter(term.text[i])) {
      use(label_of(term.text[i]));
    } else if (term.text[i] == '.') {
      for (std::size_t k = dotted; k > 0; --k) use(static_cast<Label>(letters + k - 1));
      i += 2;
    }
  }
}

// The axes of an equation, those of the result first, and their sizes.
class Equation {
 public:
  Status read(const Call& call) {
    std::fill(std::begin(sizes_), std::end(sizes_), 1);
    std::string_view rest = call.word("equation");
    const std::size_t arrow = rest.find("->");
    std::string_view operands = rest.substr(0, arrow);
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
      if ((operands.find(',') == operands.npos) != (i + 1 == call.inputs.size())) {
        return fail(Code::InvalidArgument, "the equation {} is not one of {} operand{s}", quoted(rest), call.inputs.size());
      }
      BROADLOOM_TRY(term, read_term(next_term(operands)));
      BROADLOOM_CHECK(add_operand(*call.inputs[i], term));
    }
    if (arrow == rest.npos) {
      add_single_letters();
    } else {
      BROADLOOM_TRY(term, read_term(rest.substr(arrow + 2)));
      BROADLOOM_CHECK(add_result(term));
    }
    rank_ = count_;
    for (Label label = 0; label < most_labels; ++label) {
      if (counts_[label] > 0 && place_of(label) == count_) axes_[count_++] = label;
    }
    if (count_ <= most_equation_axes) return {};
    return fail(Code::InvalidArgument, "the equation has {} axes, more than {}", count_, most_equation_axes);
  }

  // Returns the text before the next comma, and removes it and the comma from `rest`.
  static std::string_view next_term(std::string_view& rest) {
    const std::string_view term = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), term.size() + 1));
    return term;
  }

  // Before a run, the result's rank may be unknown.
  bool has_rank() const { return are_dots_known_; }
  std::size_t rank() const { return rank_; }
  bool has_sums() const { return count_ > rank_; }
  SymbolicDims dims() const {
    SymbolicDims dims(count_);
    for (std::size_t i = 0; i < count_; ++i) dims[i] = sizes_[axes_[i]];
    return dims;
  }

  // An operand's layout with all axes of the equation. It repeats along axes that it lacks.
  LayoutRef spread(const Layout& from, const Term& term, Axes& present) const {
    LayoutRef layout(dims());
    std::size_t axis = 0;
    for_axes(term, from.dims.size() - term.named, [&](Label label) {
      const std::size_t place = place_of(label);
      present |= bit(place);
      if (from.dims[axis] != 1) layout.edit().strides[place] += from.strides[axis];
      ++axis;
    });
    return layout;
  }

 private:
  std::size_t place_of(Label label) const { return in_memory(std::find(axes_, axes_ + count_, label) - axes_); }

  Status add_operand(const Tensor& operand, const Term& term) {
    const bool is_ranked = operand.is_ranked();
    const std::size_t rank = is_ranked ? operand.dims().size() : term.named;
    if (rank < term.named || (rank > term.named && !term.has_dots)) {
      return fail(Code::InvalidArgument, "{} is not for an operand of dims {}", quoted(term.text), operand.dims().values());
    }
    if (term.has_dots) {
      dotted_ = std::max(dotted_, rank - term.named);
      are_dots_known_ = are_dots_known_ && is_ranked;
    }
    Status status;
    std::size_t axis = 0;
    for_axes(term, rank - term.named, [&](Label label) {
      counts_[label] = static_cast<std::uint8_t>(std::min(counts_[label] + 1, 2));
      const Size own = is_ranked ? operand.dims()[axis++] : unknown_size;
      if (!status) return;
      const Result<SymbolicDims> both = broadcast_dims({&sizes_[label], 1}, {&own, 1});
      if (both) {
        sizes_[label] = (*both)[0];
      } else {
        status = Failure(both.error());
      }
    });
    return status;
  }

  // The implicit result: three dots, and the letters that occur once.
  void add_single_letters() {
    for (std::size_t i = dotted_; i > 0; --i) axes_[count_++] = static_cast<Label>(letters + i - 1);
    for (Label label = 0; label < letters; ++label) {
      if (counts_[label] == 1) axes_[count_++] = label;
    }
  }

  Status add_result(const Term& term) {
    bool is_right = term.has_dots || dotted_ == 0;
    for_axes(term, dotted_, [&](Label label) {
      is_right = is_right && counts_[label] > 0 && place_of(label) == count_;
      if (is_right) axes_[count_++] = label;
    });
    if (!term.has_dots) are_dots_known_ = true;
    if (is_right) return {};
    return fail(Code::InvalidArgument,
                "the equation's result {} wants each axis once, and of an operand's; dots only with dots", quoted(term.text));
  }

  Size sizes_[most_labels];
  std::uint8_t counts_[most_labels] = {};  // of axes with that label; at most 2
  Label axes_[most_labels];
  std::size_t rank_ = 0;
  std::size_t count_ = 0;
  std::size_t dotted_ = 0;  // the number of axes of three dots
  bool are_dots_known_ = true;
};

Status prepare(Call& call) {
  Equation equation;
  BROADLOOM_CHECK(equation.read(call));
  if (!equation.has_rank()) return {};
  const Tensor& first = *call.inputs[0];
  if (call.inputs.size() > 1 || equation.has_sums() || !first.is_ranked()) {
    call.outputs[0] = known_dims(call.output_types[0], equation.dims().values().first(equation.rank()));
    return {};
  }
  std::string_view operands = call.word("equation");
  operands = operands.substr(0, operands.find("->"));
  BROADLOOM_TRY(term, read_term(operands));
  Axes present = 0;
  BROADLOOM_TRY(view, view_of(first, equation.spread(first.layout, term, present)));
  call.outputs[0] = std::move(view);
  return {};
}

// An operand, or the product of some. Its layout has all axes of the equation, and repeats along those not present.
struct Operand {
  Tensor tensor;
  Axes present = 0;
};

Layout part_of(const Layout& layout, Axes axes) {
  const auto count = in_memory(std::popcount(axes));
  Layout part{SymbolicDims(count), Dims(count)};
  for (std::size_t i = 0; i < count; ++i, axes &= axes - 1) {
    const auto axis = in_memory(std::countr_zero(axes));
    part.dims[i] = layout.dims[axis];
    part.strides[i] = layout.strides[axis];
  }
  return part;
}

// Multiplies `product` by `other`, and sums over all axes that are not needed. Without sums each element is one multiplication:
// as products of matrices of one element, they would take 60 times as long.
Status contract(Operand& product, const Operand& other, Axes needed) {
  const Operand* a = &product;
  const Operand* b = &other;
  // The operand whose axis comes first in the result gives its rows.
  const Axes single = (a->present ^ b->present) & needed;
  if ((single & (~single + 1) & b->present) != 0) std::swap(a, b);
  const Axes present = (a->present | b->present) & needed;
  const Axes summed = (a->present | b->present) & ~needed;
  const Axes batch = a->present & b->present & needed;
  const Axes rows = present & ~b->present;
  const Axes columns = present & ~a->present;
  LayoutRef layout(a->tensor.dims());
  const SymbolicDims kept = part_of(layout, present).dims;
  BROADLOOM_TRY(count, checked_count(kept));
  BROADLOOM_TRY(result, make_tensor(a->tensor.dtype, {count}));
  const bool has_sums = summed != 0;
  const Axes groups[] = {has_sums ? columns : 0, has_sums ? rows : 0, has_sums ? batch : present};
  std::int64_t stride = 1;
  for (const Axes axes : groups) {
    for (std::size_t i = layout->dims.size(); i-- > 0;) {
      if ((axes & bit(i)) == 0) continue;
      layout.edit().strides[i] = stride;
      stride *= layout->dims[i].number();
    }
  }
  const auto factor = [&](const Operand& operand, Axes axes) {
    const Layout& from = operand.tensor.layout;
    return Factor{operand.tensor.data(), part_of(from, batch), part_of(from, axes), part_of(from, summed)};
  };
  if (has_sums) {
    BROADLOOM_CHECK(multiply(result.dtype, result.data(), factor(*a, rows), factor(*b, columns)));
  } else {
    Program program;
    const auto elements = [&](const Tensor& tensor) {
      return add_operand(program, {tensor.dtype, part_of(tensor.layout, present), tensor.storage, tensor.offset}, kept);
    };
    const Program::Value first = elements(a->tensor);
    const Program::Value value = program.apply(Operation::multiply, first, elements(b->tensor));
    // A sum begins with 0, so it is never -0.
    const Program::Value sum = program.apply(Operation::add, value, program.constant(0, value));
    BROADLOOM_CHECK(program.run(program.rounded(sum), result.data(), in_memory(count)));
  }
  result.layout = std::move(layout);
  product = {std::move(result), present};
  return {};
}

Status compute(Call& call) {
  Equation equation;
  BROADLOOM_CHECK(equation.read(call));
  Tensor& output = call.outputs[0];
  const Dtype computed = accumulate_type_of(output.dtype).dtype;
  const std::size_t count = call.inputs.size();
  BROADLOOM_CHECK(require_memory(count + 1, sizeof(Operand) + sizeof(Axes) + most_layout_bytes));
  std::vector<Operand> operands(count);
  std::string_view rest = call.word("equation");
  rest = rest.substr(0, rest.find("->"));
  for (std::size_t i = 0; i < count; ++i) {
    BROADLOOM_TRY(term, read_term(Equation::next_term(rest)));
    auto& [tensor, present] = operands[i];
    tensor = *call.inputs[i];
    if (computed != tensor.dtype) {
      BROADLOOM_TRY(wide, in_type(tensor, computed));
      tensor = std::move(wide);
    }
    tensor.layout = equation.spread(tensor.layout, term, present);
  }

  BROADLOOM_TRY(one, make_tensor(computed, {}));
  const double number = 1;
  BROADLOOM_CHECK(encode(computed, {&number, 1}, one.data()));
  one.layout = uniform_layout(equation.dims());
  const Operand nothing{std::move(one), 0};
  // Sums over the axes that nothing else uses.
  const auto reduce = [&](Operand& operand, Axes needed) {
    return (operand.present & ~needed) == 0 ? Status() : contract(operand, nothing, needed);
  };
  const Axes result = equation.rank() == 0 ? 0 : ~Axes{0} >> (most_equation_axes - equation.rank());
  Operand& product = operands[0];
  // By operand: the axes that it, later operands or the result use.
  std::vector<Axes> used(count + 1);
  used[count] = result;
  for (std::size_t i = count; i-- > 0;) used[i] = used[i + 1] | operands[i].present;
  for (std::size_t i = 1; i < count; ++i) {
    const Axes needed = used[i + 1];
    BROADLOOM_CHECK(reduce(product, used[i]));
    BROADLOOM_CHECK(reduce(operands[i], needed | product.present));
    BROADLOOM_CHECK(contract(product, operands[i], needed));
  }
  BROADLOOM_CHECK(reduce(product, result));
  product.tensor.layout = axes_of(product.tensor.layout, 0, equation.rank());
  if (computed == output.dtype) {
    return materialize_watched(output.data(), product.tensor.data(), product.tensor.layout, item_size(computed));
  }
  BROADLOOM_TRY(dense, densify(product.tensor));
  return write_rounded(output, dense);
}

double extra_work(const Call& call) {
  double product = 1;
  for (const Tensor* input : call.inputs) product *= std::max(static_cast<double>(input->count()), 1.0);
  return product;
}

}  // namespace

BROADLOOM_OPERATOR(op, einsum){
    .name = "Einsum",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .extra_work = extra_work,
    .kernels = loops(Operation::add, Operation::multiply),
};

}  // namespace broadloom
