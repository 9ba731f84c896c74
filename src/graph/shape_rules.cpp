#include "graph/shape_rules.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/strings.h"
#include "ops/arguments.h"

namespace broadloom {
namespace {

// ---- What rules read ----

// Rules know of so many axes, and read lists of twice as many entries: pads are two for each axis.
constexpr std::size_t most_ruled_axes = 32;
constexpr std::size_t most_entries = 2 * most_ruled_axes;

// Sizes on the stack, most_entries at most. Functions that make lists by the dozen would be twice as large with Dims, whose
// heap is to be freed.
class List {
 public:
  List() = default;
  [[gnu::noinline]] List(std::size_t size, Size value) : size_(size) { std::fill_n(values_, size, value); }
  [[gnu::noinline]] List(std::span<const Size> values) : size_(values.size()) {
    std::copy(values.begin(), values.end(), values_);
  }
  List(std::initializer_list<Size> values) : List(std::span(values.begin(), values.size())) {}
  List(const Dims& dims) : List(dims.values()) {}
  List(const List& other) : List(other.values()) {}
  [[gnu::noinline]] List& operator=(const List& other) {
    if (this == &other) return *this;
    std::copy(other.begin(), other.end(), values_);
    size_ = other.size_;
    return *this;
  }
  ~List() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Size& operator[](std::size_t i) { return values_[i]; }
  Size operator[](std::size_t i) const { return values_[i]; }
  Size* data() { return values_; }
  Size* begin() { return values_; }
  Size* end() { return values_ + size_; }
  const Size* begin() const { return values_; }
  const Size* end() const { return values_ + size_; }
  std::span<const Size> values() const { return {values_, size_}; }
  void add(Size size) { values_[size_++] = size; }

 private:
  std::size_t size_ = 0;
  Size values_[most_entries];
};

// The dims of an input, or nullptr where no rank is known, or one that no such operator has use for.
const Dims* dims_of(const RuleCall& call, std::size_t i) {
  const bool is_known = i < call.inputs.size() && call.inputs[i] != nullptr && call.inputs[i]->is_ranked();
  return is_known && call.inputs[i]->dims().size() <= most_ruled_axes ? &call.inputs[i]->dims() : nullptr;
}

bool is_given(const RuleCall& call, std::size_t i) { return i < call.inputs.size() && call.inputs[i] != nullptr; }

// One size of an input; a negative axis counts from the end.
Size size_of(const RuleCall& call, std::size_t i, int axis) {
  const Dims* dims = dims_of(call, i);
  if (dims == nullptr) return unknown_size;
  const auto place = static_cast<std::size_t>(axis < 0 ? static_cast<int>(dims->size()) + axis : axis);
  return place < dims->size() ? (*dims)[place] : unknown_size;
}

const Attribute* attribute_of(const Attributes& attributes, std::string_view name, AttributeType type) {
  const Attribute* attribute = attributes.find(name);
  return attribute != nullptr && attribute->spec->type == type ? attribute : nullptr;
}

Size integer(const RuleCall& call, std::string_view name, Size otherwise = 0) {
  const Attribute* attribute = attribute_of(call.attributes, name, AttributeType::INT);
  return attribute == nullptr ? otherwise : number_or_unknown(attribute->value.integer);
}

std::string_view text(const RuleCall& call, std::string_view name) {
  const Attribute* attribute = attribute_of(call.attributes, name, AttributeType::STRING);
  if (attribute == nullptr || !attribute->value.is_present) return {};
  const Tensor& tensor = attribute->value.tensor;
  return string_at(tensor, *reinterpret_cast<const StringRef*>(tensor.data()));
}

// A list that may not be there, or have entries that are unknown.
struct Entries {
  bool is_given = false;
  bool has_length = false;
  List values;
};

// The integers of a tensor with at most one axis.
Entries entries_of(const Tensor& tensor) {
  Entries entries{true, false, {}};
  if (!tensor.is_ranked() || tensor.dims().size() > 1) return entries;
  const Size length = tensor.dims().empty() ? 1 : tensor.dims()[0];
  if (!is_number(length) || length < 0 || length > static_cast<Size>(most_entries)) return entries;
  entries.has_length = true;
  entries.values = List(static_cast<std::size_t>(length), unknown_size);
  const bool are_integers = tensor.dtype == Dtype::int64 || tensor.dtype == Dtype::int32;
  if (tensor.has_elements() && are_integers) read_integers(tensor, entries.values.data());
  return entries;
}

Entries input_entries(const RuleCall& call, std::size_t i) {
  return is_given(call, i) ? entries_of(*call.inputs[i]) : Entries{};
}

Entries list(const RuleCall& call, std::string_view name) {
  const Attribute* attribute = attribute_of(call.attributes, name, AttributeType::INTS);
  if (attribute == nullptr) return {};
  Entries entries = entries_of(attribute->value.tensor);
  for (Size& entry : entries.values) entry = number_or_unknown(entry);
  return entries;
}

// The list with one entry for each of `count` axes; unknown ones where the node has a list of another length.
List list_of(const RuleCall& call, std::string_view name, std::size_t count, Size otherwise) {
  Entries entries = list(call, name);
  if (!entries.is_given) return List(count, otherwise);
  return entries.values.size() == count ? entries.values : List(count, unknown_size);
}

// The one integer of an input.
Size element(const RuleCall& call, std::size_t i) {
  const Entries entries = input_entries(call, i);
  return entries.values.size() == 1 ? entries.values[0] : unknown_size;
}

// The place of an axis among `rank`; `rank` where it is none of them.
std::size_t place_of(Size axis, std::size_t rank) {
  const auto axes = static_cast<Size>(rank);
  if (!is_number(axis) || axis < -axes || axis >= axes) return rank;
  return static_cast<std::size_t>(axis < 0 ? axis + axes : axis);
}

// ---- What they say ----

[[gnu::noinline]] void set(RuleCall& call, std::size_t i, std::span<const Size> sizes) {
  if (i >= call.outputs.size() || sizes.size() > most_axes) return;
  Dims dims(sizes);
  for (Size& size : dims) {
    if (is_number(size) && size < 0) size = unknown_size;
  }
  call.outputs[i].layout = uniform_layout(dims);
}
[[gnu::noinline]] void set(RuleCall& call, std::size_t i, std::initializer_list<Size> sizes) {
  set(call, i, std::span(sizes.begin(), sizes.size()));
}
void set(RuleCall& call, std::size_t i, const List& sizes) { set(call, i, sizes.values()); }

void set_rank(RuleCall& call, std::size_t i, std::size_t rank) { set(call, i, List(rank, unknown_size)); }

void set_like(RuleCall& call, std::size_t i, std::size_t input) {
  if (const Dims* dims = dims_of(call, input)) set(call, i, dims->values());
}

// The same with another last size.
List with_last(std::span<const Size> dims, Size size) {
  List result(dims);
  if (result.size() > 0) result[result.size() - 1] = size;
  return result;
}

// Stretches `dims` to what they and the others broadcast to; false where they do not.
[[gnu::noinline]] bool stretch(List& dims, std::span<const Size> others) {
  const Result<Dims> both = broadcast_dims(dims.values(), others);
  if (!both) return false;
  dims = *both;
  return true;
}

// ---- Elementwise ----

void like_input(RuleCall& call) { set_like(call, 0, call.argument); }

void all_like_first(RuleCall& call) {
  for (std::size_t i = 0; i < call.outputs.size(); ++i) set_like(call, i, 0);
}

void scalars(RuleCall& call) {
  for (std::size_t i = 0; i < call.outputs.size(); ++i) set(call, i, {});
}

void only_rank(RuleCall& call) { set_rank(call, 0, call.argument); }

// What the inputs of which `call.argument` has the bits broadcast to.
void broadcast(RuleCall& call) {
  List dims;
  for (std::size_t i = 0; i < 8; ++i) {
    if (((call.argument >> i) & 1U) == 0) continue;
    const Dims* own = dims_of(call, i);
    if (own == nullptr || !stretch(dims, own->values())) return;
  }
  set(call, 0, dims);
}

// ---- Reductions ----

void without_axes(RuleCall& call, std::span<const Size> dims, const Entries& axes, bool keeps) {
  const std::size_t rank = dims.size();
  AxisSet reduced;
  bool are_known = axes.has_length;
  for (const Size axis : axes.values) {
    const std::size_t place = place_of(axis, rank);
    are_known = are_known && place < rank;
    if (place < rank) reduced.set(place);
  }
  if (!are_known) {
    if (keeps) set_rank(call, 0, rank);
    if (!keeps && axes.has_length && axes.values.size() <= rank) set_rank(call, 0, rank - axes.values.size());
    return;
  }
  List result(keeps ? rank : rank - reduced.count(), 1);
  std::size_t next = 0;
  for (std::size_t i = 0; i < rank; ++i) {
    if (!reduced.test(i)) result[next] = dims[i];
    if (keeps || !reduced.test(i)) ++next;
  }
  set(call, 0, result);
}

void reduction(RuleCall& call) {
  const bool keeps = integer(call, "keepdims", 1) != 0;
  const Entries axes = list(call, "axes");
  const bool takes_all = axes.values.empty();
  const Dims* dims = dims_of(call, 0);
  if (takes_all && !keeps) return set(call, 0, {});
  if (dims == nullptr) return;
  if (takes_all) return set(call, 0, List(dims->size(), 1));
  without_axes(call, dims->values(), axes, keeps);
}

// ---- Products ----

void product(RuleCall& call, std::span<const Size> a, std::span<const Size> b) {
  if (a.empty() || b.empty()) return;
  const bool is_row = a.size() == 1;
  const bool is_column = b.size() == 1;
  const std::size_t batch_a = is_row ? 0 : a.size() - 2;
  const std::size_t batch_b = is_column ? 0 : b.size() - 2;
  List dims(a.first(batch_a));
  if (!stretch(dims, b.first(batch_b))) return;
  if (!is_row) dims.add(a[a.size() - 2]);
  if (!is_column) dims.add(b[b.size() - 1]);
  set(call, 0, dims);
}

// Argument: the position of the second matrix.
void matrix_product(RuleCall& call) {
  const Dims* a = dims_of(call, 0);
  const Dims* b = dims_of(call, call.argument);
  if (a != nullptr && b != nullptr) product(call, a->values(), b->values());
}

void fused_product(RuleCall& call) {
  const Dims* a = dims_of(call, 0);
  const Dims* b = dims_of(call, 1);
  if (a == nullptr || b == nullptr) return;
  List first = *a;
  List second = *b;
  const auto transpose = [&](List& dims, std::string_view name, std::string_view batch) {
    if (dims.size() >= 2 && integer(call, name) != 0) std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
    if (integer(call, batch) != 0) dims = List(dims.size(), unknown_size);
  };
  transpose(first, "transA", "transBatchA");
  transpose(second, "transB", "transBatchB");
  product(call, first.values(), second.values());
}

// Argument: the position of the second matrix.
void gemm(RuleCall& call) {
  const bool is_a_turned = integer(call, "transA") != 0;
  const bool is_b_turned = integer(call, "transB") != 0;
  set(call, 0, {size_of(call, 0, is_a_turned ? 1 : 0), size_of(call, call.argument, is_b_turned ? 0 : 1)});
}

// The second matrix is packed; attribute N tells its columns.
void packed_product(RuleCall& call) {
  if (const Dims* a = dims_of(call, 0)) set(call, 0, with_last(a->values(), integer(call, "N", unknown_size)));
}

// ---- Windows ----

constexpr std::uint8_t channels_last = 128;

// Where the axes of an image are.
struct Image {
  std::size_t rank;
  bool has_last;

  Image(const RuleCall& call, std::size_t its_rank)
      : rank(its_rank), has_last((call.argument & channels_last) != 0 || integer(call, "channels_last") != 0) {}
  std::size_t channel() const { return has_last ? rank - 1 : 1; }
  std::size_t first() const { return has_last ? 1 : 2; }
  std::size_t count() const { return rank - 2; }
};

// How many places a window has along an axis.
Size places(const Sizes& sizes, Size size, Size reach, Size stride, Size begin, Size end, bool rounds_up) {
  const Size free = sizes.subtract(sizes.add(size, sizes.add(begin, end)), reach);
  if (!rounds_up) return sizes.add(sizes.floor_divide(free, stride), 1);
  const Size count = sizes.add(sizes.ceil_divide(free, stride), 1);
  // A window that would start behind the image and the padding before it is none.
  if (sizes.is_natural(sizes.subtract(reach, sizes.add(stride, end)))) return count;
  if (!is_number(count) || !is_number(size)) return unknown_size;
  const Size start = sizes.multiply(sizes.subtract(count, 1), stride);
  return start == unknown_size ? start : start >= sizes.add(size, begin) ? count - 1 : count;
}

// Sets the sizes of an image's axes to what windows of `kernel` leave of those that are there.
void slide(const RuleCall& call, const Image& image, const List& kernel, List& dims) {
  const Sizes sizes = call.sizes();
  const std::size_t count = image.count();
  const List strides = list_of(call, "strides", count, 1);
  const List dilations = list_of(call, "dilations", count, 1);
  const List pads = list_of(call, "pads", 2 * count, 0);
  const std::string_view automatic = text(call, "auto_pad");
  const bool rounds_up = integer(call, "ceil_mode") != 0;
  for (std::size_t i = 0; i < count; ++i) {
    Size& size = dims[image.first() + i];
    if (strides[i] < 1) {  // or unknown
      size = unknown_size;
    } else if (automatic.starts_with("SAME")) {
      size = sizes.ceil_divide(size, strides[i]);
    } else {
      const bool is_valid = automatic == "VALID";
      const Size reach = sizes.add(sizes.multiply(sizes.subtract(kernel[i], 1), dilations[i]), 1);
      size = places(sizes, size, reach, strides[i], is_valid ? 0 : pads[i], is_valid ? 0 : pads[count + i], rounds_up);
    }
  }
}

// The kernel as the attribute says, or as the weights do.
List kernel_of(const RuleCall& call, const Image& image, const Dims* weights) {
  List kernel = list_of(call, "kernel_shape", image.count(), unknown_size);
  if (weights == nullptr || image.has_last || list(call, "kernel_shape").is_given) return kernel;
  for (std::size_t i = 0; i < kernel.size(); ++i) kernel[i] = (*weights)[2 + i];
  return kernel;
}

// The dims of an image that weights are slid over: all have one rank. Without any, there are none.
List image_of(const RuleCall& call, const Dims* weights) {
  const Dims* image = dims_of(call, 0);
  if (image != nullptr && weights != nullptr && image->size() != weights->size()) return {};
  if (image != nullptr) return *image;
  const Entries kernel = list(call, "kernel_shape");
  const std::size_t rank = weights != nullptr ? weights->size() : kernel.has_length ? kernel.values.size() + 2 : 0;
  return List(rank <= most_ruled_axes ? rank : 0, unknown_size);
}

// Argument: the position of the weights.
void convolution(RuleCall& call) {
  const Dims* weights = dims_of(call, call.argument & 15U);
  List dims = image_of(call, weights);
  if (dims.size() < 2) return;
  const Image image(call, dims.size());
  slide(call, image, kernel_of(call, image, weights), dims);
  dims[image.channel()] = weights == nullptr ? unknown_size : (*weights)[0];
  set(call, 0, dims);
}

void pool(RuleCall& call) {
  List dims = image_of(call, nullptr);
  if (dims.size() < 2) return;
  const Image image(call, dims.size());
  slide(call, image, kernel_of(call, image, nullptr), dims);
  for (std::size_t i = 0; i < call.outputs.size(); ++i) set(call, i, dims);
}

void global_pool(RuleCall& call) {
  const Dims* input = dims_of(call, 0);
  if (input == nullptr || input->size() < 2) return;
  const Image image(call, input->size());
  List dims(input->size(), 1);
  dims[0] = (*input)[0];
  dims[image.channel()] = (*input)[image.channel()];
  set(call, 0, dims);
}

// The size of an image before windows were slid over it.
Size unslid(const Sizes& sizes, Size size, Size reach, Size stride, Size pads) {
  return sizes.subtract(sizes.add(sizes.multiply(sizes.subtract(size, 1), stride), reach), pads);
}

void transposed_convolution(RuleCall& call) {
  const Sizes sizes = call.sizes();
  const Dims* weights = dims_of(call, 1);
  List dims = image_of(call, weights);
  if (dims.size() < 2) return;
  const Image image(call, dims.size());
  const std::size_t count = image.count();
  const List kernel = kernel_of(call, image, weights);
  const List strides = list_of(call, "strides", count, 1);
  const List dilations = list_of(call, "dilations", count, 1);
  const List pads = list_of(call, "pads", 2 * count, 0);
  const List padding = list_of(call, "output_padding", count, 0);
  const Entries shape = list(call, "output_shape");
  const std::string_view automatic = text(call, "auto_pad");
  for (std::size_t i = 0; i < count; ++i) {
    Size& size = dims[2 + i];
    if (shape.is_given) {
      // Some files name the batch and the channels, too.
      const bool has_entry = shape.values.size() == count || shape.values.size() == count + 2;
      size = has_entry ? shape.values[shape.values.size() - count + i] : unknown_size;
    } else if (automatic.starts_with("SAME")) {
      size = sizes.multiply(size, strides[i]);
    } else {
      const Size reach = sizes.add(sizes.multiply(sizes.subtract(kernel[i], 1), dilations[i]), sizes.add(padding[i], 1));
      size = unslid(sizes, size, reach, strides[i], automatic == "VALID" ? 0 : sizes.add(pads[i], pads[count + i]));
    }
  }
  dims[1] = weights == nullptr ? unknown_size : sizes.multiply((*weights)[1], integer(call, "group", 1));
  set(call, 0, dims);
}

void unpool(RuleCall& call) {
  const Sizes sizes = call.sizes();
  List dims = image_of(call, nullptr);
  if (dims.size() < 2) return;
  const Image image(call, dims.size());
  const std::size_t count = image.count();
  const List kernel = kernel_of(call, image, nullptr);
  const List strides = list_of(call, "strides", count, 1);
  const List pads = list_of(call, "pads", 2 * count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    dims[2 + i] = unslid(sizes, dims[2 + i], kernel[i], strides[i], sizes.add(pads[i], pads[count + i]));
  }
  const Entries shape = input_entries(call, 2);
  if (shape.is_given) dims = shape.values.size() == dims.size() ? shape.values : List(dims.size(), unknown_size);
  set(call, 0, dims);
}

void columns_to_image(RuleCall& call) {
  const Sizes sizes = call.sizes();
  const Entries image = input_entries(call, 1);
  const Entries block = input_entries(call, 2);
  const Entries& known = image.has_length ? image : block;
  if (!known.has_length || known.values.size() + 2 > most_ruled_axes) return;
  List dims(known.values.size() + 2, unknown_size);
  dims[0] = size_of(call, 0, 0);
  if (block.has_length) dims[1] = sizes.floor_divide(size_of(call, 0, 1), sizes.product(block.values.values()));
  if (image.has_length) std::copy(image.values.begin(), image.values.end(), dims.begin() + 2);
  set(call, 0, dims);
}

// ---- Sizes that are asked for ----

// floor(size * scale), where no rounding of the product can make a difference.
Size scaled(const Sizes& sizes, Size size, float scale) {
  if (!(scale >= 0) || scale > 65536) return unknown_size;
  if (is_number(size)) {
    if (size < 0 || size > (Size{1} << 24)) return unknown_size;
    return static_cast<Size>(std::floor(static_cast<float>(size) * scale));
  }
  constexpr float parts = 256;
  const float whole = scale * parts;
  if (whole != std::floor(whole)) return unknown_size;
  return sizes.floor_divide(sizes.multiply(size, static_cast<Size>(whole)), static_cast<Size>(parts));
}

struct Scales {
  bool has_length = false;
  std::size_t count = 0;
  const Tensor* tensor = nullptr;  // with elements

  Scales() = default;
  explicit Scales(const Tensor& from) {
    if (!from.is_ranked() || from.dims().size() != 1 || !is_number(from.dims()[0])) return;
    has_length = true;
    count = static_cast<std::size_t>(std::clamp<Size>(from.dims()[0], 0, most_entries));
    if (from.has_elements() && from.dtype == Dtype::float32) tensor = &from;
  }
  float operator[](std::size_t i) const {
    return reinterpret_cast<const float*>(tensor->data())[static_cast<std::int64_t>(i) * tensor->layout->strides[0]];
  }
};

void resize(RuleCall& call) {
  const Sizes sizes = call.sizes();
  const bool is_upsample = call.argument == 1;
  const std::size_t place = is_upsample || call.opset < 11 ? 1 : 2;
  Scales scales;
  if (is_given(call, place)) scales = Scales(*call.inputs[place]);
  if (const Attribute* attribute = attribute_of(call.attributes, "scales", AttributeType::FLOATS)) {
    scales = Scales(attribute->value.tensor);
  }
  const Entries wanted = place == 2 ? input_entries(call, 3) : Entries{};
  const Entries named = list(call, "axes");
  const Dims* input = dims_of(call, 0);
  if (input == nullptr) {
    // There is one entry for each axis.
    const std::size_t rank = scales.has_length && scales.count > 0 ? scales.count : wanted.values.size();
    if (!named.is_given && rank > 0) set_rank(call, 0, rank);
    return;
  }
  List dims = *input;
  const std::size_t rank = dims.size();
  List axes = named.is_given ? named.values : List(rank, 0);
  for (std::size_t i = 0; i < rank && !named.is_given; ++i) axes[i] = static_cast<Size>(i);
  const std::string_view policy = text(call, "keep_aspect_ratio_policy");
  const bool keeps_aspect = !policy.empty() && policy != "stretch";
  const bool has_sizes = wanted.has_length && wanted.values.size() == axes.size() && !keeps_aspect;
  const bool has_scales = !has_sizes && scales.tensor != nullptr && scales.count == axes.size();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t axis = place_of(axes[i], rank);
    if (axis == rank) return set_rank(call, 0, rank);
    dims[axis] = has_sizes ? wanted.values[i] : has_scales ? scaled(sizes, dims[axis], scales[i]) : unknown_size;
  }
  const Attribute* height = attribute_of(call.attributes, "height_scale", AttributeType::FLOAT);
  const Attribute* width = attribute_of(call.attributes, "width_scale", AttributeType::FLOAT);
  if (is_upsample && rank == 4 && height != nullptr && width != nullptr) {
    dims = *input;
    dims[2] = scaled(sizes, dims[2], height->value.number);
    dims[3] = scaled(sizes, dims[3], width->value.number);
  }
  set(call, 0, dims);
}

// Of an image and a grid of points.
void sampled(RuleCall& call) {
  const Dims* image = dims_of(call, 0);
  const Dims* grid = dims_of(call, 1);
  if (image == nullptr && grid == nullptr) return;
  const std::size_t rank = image != nullptr ? image->size() : grid->size();
  if (rank < 3 || (grid != nullptr && grid->size() != rank)) return;
  List dims(rank, unknown_size);
  dims[0] = size_of(call, 0, 0);
  dims[1] = size_of(call, 0, 1);
  for (std::size_t i = 2; i < rank; ++i) dims[i] = size_of(call, 1, static_cast<int>(i) - 1);
  set(call, 0, dims);
}

void affine_grid(RuleCall& call) {
  const Entries size = input_entries(call, 1);
  const std::size_t rank = size.values.size();
  if (rank < 3) return;
  List dims(rank, static_cast<Size>(rank) - 2);
  dims[0] = size.values[0];
  for (std::size_t i = 2; i < rank; ++i) dims[i - 1] = size.values[i];
  set(call, 0, dims);
}

// Regions of an image, each at one size.
void regions(RuleCall& call) {
  const bool is_aligned = call.argument == 0;
  const List shape = list_of(call, "pooled_shape", 2, unknown_size);
  set(call, 0,
      {size_of(call, 1, 0), size_of(call, 0, 1), is_aligned ? integer(call, "output_height", 1) : shape[0],
       is_aligned ? integer(call, "output_width", 1) : shape[1]});
}

void random(RuleCall& call) {
  const Entries shape = list(call, "shape");
  if (shape.has_length) set(call, 0, shape.values);
}

void samples(RuleCall& call) { set(call, 0, {size_of(call, 0, 0), integer(call, "sample_size", 1)}); }

void window(RuleCall& call) { set(call, 0, {element(call, 0)}); }

// How many frequencies a real signal has.
Size half_of(const Sizes& sizes, Size size) { return sizes.add(sizes.floor_divide(size, 2), 1); }

void mel_weights(RuleCall& call) { set(call, 0, {half_of(call.sizes(), element(call, 1)), element(call, 0)}); }

void fourier(RuleCall& call) {
  const Dims* input = dims_of(call, 0);
  if (input == nullptr || input->empty()) return;
  List dims = *input;
  const bool is_onesided = integer(call, "onesided") != 0;
  const bool is_inverse = integer(call, "inverse") != 0;
  const Size axis = call.opset < 20 ? integer(call, "axis", 1) : is_given(call, 2) ? element(call, 2) : -2;
  const std::size_t place = place_of(axis, dims.size());
  const bool has_length = is_given(call, 1);
  const Size length = element(call, 1);
  if (place == dims.size()) {
    dims = List(dims.size(), unknown_size);
  } else if (has_length) {
    dims[place] = length;
  }
  if (is_onesided && place < dims.size()) {
    const bool is_open = is_inverse && !has_length;
    if (!is_inverse) dims[place] = half_of(call.sizes(), dims[place]);
    if (is_open) dims[place] = unknown_size;
  }
  set(call, 0, with_last(dims.values(), is_onesided && is_inverse ? 1 : 2));
}

void short_time_fourier(RuleCall& call) {
  const Sizes sizes = call.sizes();
  const Size length = is_given(call, 3) ? element(call, 3) : size_of(call, 2, 0);
  const Size step = element(call, 1);
  Size frames = unknown_size;
  if (is_number(step) && step > 0) frames = places(sizes, size_of(call, 0, 1), length, step, 0, 0, false);
  const Size frequencies = integer(call, "onesided", 1) != 0 ? half_of(sizes, length) : length;
  set(call, 0, {size_of(call, 0, 0), frames, frequencies, 2});
}

// ---- Networks ----

void layer_normalization(RuleCall& call) {
  set_like(call, 0, 0);
  const Dims* input = dims_of(call, 0);
  if (input == nullptr) return;
  List dims = *input;
  const std::size_t axis = place_of(integer(call, "axis", -1), dims.size());
  if (axis == dims.size()) return;
  std::fill(dims.begin() + axis, dims.end(), 1);
  for (std::size_t i = 1; i < call.outputs.size(); ++i) set(call, i, dims);
}

void recurrent(RuleCall& call) {
  const bool is_batch_first = integer(call, "layout") != 0;
  const Size directions = text(call, "direction") == "bidirectional" ? 2 : 1;
  const Size hidden = integer(call, "hidden_size", size_of(call, 2, 2));
  const Size steps = size_of(call, 0, is_batch_first ? 1 : 0);
  const Size batch = size_of(call, 0, is_batch_first ? 0 : 1);
  if (is_batch_first) {
    set(call, 0, {batch, steps, directions, hidden});
  } else {
    set(call, 0, {steps, directions, batch, hidden});
  }
  for (std::size_t i = 1; i < call.outputs.size(); ++i) {
    set(call, i, {is_batch_first ? batch : directions, is_batch_first ? directions : batch, hidden});
  }
}

void convolution_with_state(RuleCall& call) {
  set_like(call, 0, 0);
  const Sizes sizes = call.sizes();
  set(call, 1, {size_of(call, 0, 0), size_of(call, 0, 1), sizes.subtract(size_of(call, 1, -1), 1)});
}

// A size that is shared by heads.
Size per_head(const RuleCall& call, Size size, Size heads) {
  return is_number(heads) && heads > 0 ? call.sizes().floor_divide(size, heads) : unknown_size;
}

// Queries, keys and values are [batch, heads, length, size], or [batch, length, heads * size].
void attention(RuleCall& call) {
  const Sizes sizes = call.sizes();
  const Dims* query = dims_of(call, 0);
  if (query == nullptr || (query->size() != 3 && query->size() != 4)) return;
  const bool is_split = query->size() == 4;
  const Size query_heads = is_split ? (*query)[1] : integer(call, "q_num_heads", unknown_size);
  const Size heads = is_split ? size_of(call, 1, 1) : integer(call, "kv_num_heads", unknown_size);
  const auto last = [&](std::size_t i) { return is_split ? size_of(call, i, 3) : per_head(call, size_of(call, i, 2), heads); };
  const int length_axis = is_split ? 2 : 1;
  const Size batch = (*query)[0];
  const Size length = size_of(call, 0, length_axis);
  Size total = size_of(call, 1, length_axis);
  if (is_given(call, 4)) total = sizes.add(total, size_of(call, 4, 2));
  if (is_split) {
    set(call, 0, {batch, query_heads, length, last(2)});
  } else {
    set(call, 0, {batch, length, sizes.multiply(query_heads, last(2))});
  }
  set(call, 1, {batch, heads, total, last(1)});
  set(call, 2, {batch, heads, total, last(2)});
  set(call, 3, {batch, query_heads, length, total});
}

// Queries [batch, length, heads * size], values, and a state [batch, heads, size, size].
void linear_attention(RuleCall& call) {
  const Size query_heads = integer(call, "q_num_heads", unknown_size);
  const Size heads = integer(call, "kv_num_heads", unknown_size);
  const Size key = per_head(call, size_of(call, 1, 2), heads);
  const Size value = per_head(call, size_of(call, 2, 2), heads);
  const Size width = call.sizes().multiply(query_heads, value);
  set(call, 0, {size_of(call, 0, 0), size_of(call, 0, 1), query_heads == heads ? size_of(call, 2, 2) : width});
  set(call, 1, {size_of(call, 0, 0), heads, key, value});
}

// Of one loss for each target, or of their sum. Argument: the position of the targets.
void loss(RuleCall& call) {
  if (text(call, "reduction") == "none") {
    set_like(call, 0, 1);
  } else {
    set(call, 0, {});
  }
  set_like(call, 1, 0);
}

// ---- Texts and images ----

void split_texts(RuleCall& call) {
  set_like(call, 1, 0);
  const Dims* input = dims_of(call, 0);
  if (input == nullptr) return;
  List dims(input->size() + 1, unknown_size);
  std::copy(input->begin(), input->end(), dims.begin());
  set(call, 0, dims);
}

// Stop words are taken out.
void normal_texts(RuleCall& call) {
  if (const Dims* input = dims_of(call, 0)) set(call, 0, with_last(input->values(), unknown_size));
}

void term_counts(RuleCall& call) {
  const Dims* input = dims_of(call, 0);
  if (input == nullptr || input->empty()) return;
  const Attribute* indexes = attribute_of(call.attributes, "ngram_indexes", AttributeType::INTS);
  Size most = -1;
  if (indexes != nullptr) {
    const auto* each = reinterpret_cast<const std::int64_t*>(indexes->value.tensor.data());
    const std::int64_t count = indexes->value.tensor.count();
    for (std::int64_t i = 0; i < count; ++i) most = std::max(most, each[i]);
  }
  set(call, 0, with_last(input->values(), most < 0 ? unknown_size : call.sizes().add(most, 1)));
}

void decoded_image(RuleCall& call) {
  set(call, 0, {unknown_size, unknown_size, text(call, "pixel_format") == "Grayscale" ? 1 : 3});
}

void suppressed(RuleCall& call) { set(call, 0, {unknown_size, 3}); }

// ---- com.microsoft ----

void skip_normalization(RuleCall& call) {
  set_like(call, 0, 0);
  set_like(call, 3, 0);
}

void embedding(RuleCall& call) {
  const List dims{size_of(call, 0, 0), size_of(call, 0, 1), size_of(call, 2, 1)};
  set(call, 0, dims);
  set(call, 1, {dims[0]});
  set(call, 2, dims);
}

// Inputs are [batch, length, size], weights of queries, keys and values lie beside one another.
void packed_attention(RuleCall& call) {
  const Sizes sizes = call.sizes();
  const Entries hidden = list(call, "qkv_hidden_sizes");
  Size width = sizes.floor_divide(size_of(call, 1, 1), 3);
  if (hidden.is_given) width = hidden.values.size() == 3 ? hidden.values[2] : unknown_size;
  const Size length = size_of(call, 0, 1);
  set(call, 0, {size_of(call, 0, 0), length, width});
  List past(5, unknown_size);
  if (const Dims* before = dims_of(call, call.argument); before != nullptr && before->size() == 5) {
    past = *before;
    past[3] = sizes.add(past[3], length);
  }
  past[0] = 2;
  set(call, 1, past);
}

// Queries are [batch, length, size]; or all is in one tensor [batch, length, heads, 3, size].
void multi_head_attention(RuleCall& call) {
  const Dims* query = dims_of(call, 0);
  if (query == nullptr) return;
  const Sizes sizes = call.sizes();
  const Dims* value = dims_of(call, 2);
  List dims{(*query).empty() ? unknown_size : (*query)[0], size_of(call, 0, 1), unknown_size};
  if (query->size() == 5) {
    dims[2] = sizes.multiply((*query)[2], (*query)[4]);
  } else if (value != nullptr && value->size() == 3) {
    dims[2] = (*value)[2];
  } else if (value != nullptr && value->size() == 4) {
    dims[2] = sizes.multiply((*value)[1], (*value)[3]);
  } else if (!is_given(call, 2) && query->size() == 3) {
    dims[2] = (*query)[2];
  }
  set(call, 0, dims);
  for (std::size_t i = 1; i < call.outputs.size() && i < 3; ++i) set_rank(call, i, 4);
}

void group_attention(RuleCall& call) {
  const Sizes sizes = call.sizes();
  const Size query_heads = integer(call, "num_heads", unknown_size);
  const Size heads = integer(call, "kv_num_heads", unknown_size);
  Size width = size_of(call, 0, 2);
  Size head = per_head(call, width, query_heads);
  if (!is_given(call, 1)) {  // keys and values lie behind the queries
    head = per_head(call, width, sizes.add(query_heads, sizes.multiply(2, heads)));
    width = sizes.multiply(head, query_heads);
  }
  set(call, 0, {size_of(call, 0, 0), size_of(call, 0, 1), width});
  for (std::size_t i = 1; i < call.outputs.size() && i < 3; ++i) {
    set(call, i, {size_of(call, 0, 0), heads, unknown_size, head});
  }
}

void half_of_last(RuleCall& call) {
  if (const Dims* input = dims_of(call, 0))
    set(call, 0, with_last(input->values(), call.sizes().floor_divide(size_of(call, 0, -1), 2)));
}

// Of tensors that each have a scale and a zero point behind them; before the first, there are those of the output.
void quantized_concat(RuleCall& call) {
  const Dims* first = dims_of(call, 2);
  if (first == nullptr) return;
  List dims = *first;
  const std::size_t axis = place_of(integer(call, "axis", unknown_size), dims.size());
  if (axis == dims.size()) return;
  for (std::size_t i = 5; i < call.inputs.size(); i += 3)
    dims[axis] = call.sizes().add(dims[axis], size_of(call, i, static_cast<int>(axis)));
  set(call, 0, dims);
}

void distances(RuleCall& call) { set(call, 0, {size_of(call, 0, 0), size_of(call, 1, 0)}); }

// ---- ai.onnx.ml: a row of features is one sample ----

Size sample_count(const RuleCall& call) {
  const Dims* input = dims_of(call, 0);
  return input == nullptr ? unknown_size : input->size() == 1 ? 1 : size_of(call, 0, 0);
}

void classes(RuleCall& call) {
  set(call, 0, {sample_count(call)});
  set(call, 1, {sample_count(call), unknown_size});
}

void targets(RuleCall& call) {
  const std::string_view name = call.argument == 0 ? "n_targets" : "targets";
  set(call, 0, {sample_count(call), call.argument == 2 ? 1 : integer(call, name, call.argument == 0 ? unknown_size : 1)});
}

void categories(RuleCall& call) {
  const Dims* input = dims_of(call, 0);
  if (input == nullptr) return;
  List dims(input->size() + 1, unknown_size);
  std::copy(input->begin(), input->end(), dims.begin());
  set(call, 0, dims);
}

// ---- Types ----

// The element type of an output, in one byte: the number of a type, or one of these.
constexpr std::uint8_t like(std::uint8_t input) { return static_cast<std::uint8_t>(32 + input); }
constexpr std::uint8_t of(Dtype dtype) { return static_cast<std::uint8_t>(dtype); }

// What an attribute says, and what else it is.
struct TypeAttribute {
  std::string_view name;
  std::uint8_t otherwise;
};
constexpr TypeAttribute type_attributes[] = {{"dtype", of(Dtype::float32)},
                                             {"dtype", like(0)},
                                             {"dtype", of(Dtype::int32)},
                                             {"output_datatype", of(Dtype::float32)},
                                             {"output_dtype", of(Dtype::uint8)}};
constexpr std::uint8_t dtype_or_float = 64, dtype_or_first = 65, dtype_or_int32 = 66, window_type = 67, quantized = 68;

Dtype type_of(std::uint8_t code, std::span<const Dtype> inputs, const Attributes& attributes) {
  const auto input = [&](std::size_t i) { return i < inputs.size() ? inputs[i] : Dtype::undefined; };
  if (code < like(0)) return static_cast<Dtype>(code);
  if (code < dtype_or_float) return input(code - like(0));
  if (code == quantized && inputs.size() > 2 && inputs[2] != unknown_type) return inputs[2];
  const auto& [name, otherwise] = type_attributes[code - dtype_or_float];
  const Attribute* attribute = attribute_of(attributes, name, AttributeType::INT);
  if (attribute == nullptr || attribute->value.integer == 0) return type_of(otherwise, inputs, attributes);
  return dtype_from_id(attribute->value.integer).value_or(Dtype::undefined);
}

// ---- Rows, in ASCII order of the names ----

constexpr std::uint8_t boolean = of(Dtype::boolean), int64 = of(Dtype::int64), int32 = of(Dtype::int32),
                       float32 = of(Dtype::float32), uint8 = of(Dtype::uint8), texts = of(Dtype::string);

constexpr ShapeRule same(std::string_view name) { return {name, like_input, 0, {like(0)}}; }
constexpr ShapeRule same(std::string_view name, std::uint8_t type) { return {name, like_input, 0, {type}}; }

constexpr ShapeRule onnx_rules[] = {
    same("Affine"),
    {"AffineGrid", affine_grid, 0, {like(0)}},
    {"Attention", attention, 0, {like(0), like(1), like(2)}},
    {"AveragePool", pool, 0, {like(0)}},
    same("Bernoulli", dtype_or_first),
    {"BlackmanWindow", window, 0, {window_type}},
    {"CausalConvWithState", convolution_with_state, 0, {like(0), like(0)}},
    {"Col2Im", columns_to_image, 0, {like(0)}},
    {"Conv", convolution, 1, {like(0)}},
    {"ConvInteger", convolution, 1, {int32}},
    {"ConvTranspose", transposed_convolution, 0, {like(0)}},
    {"DFT", fourier, 0, {like(0)}},
    {"DeformConv", convolution, 1, {like(0)}},
    {"GRU", recurrent, 0, {like(0), like(0)}},
    {"GlobalAveragePool", global_pool, 0, {like(0)}},
    {"GlobalLpPool", global_pool, 0, {like(0)}},
    {"GlobalMaxPool", global_pool, 0, {like(0)}},
    {"GridSample", sampled, 0, {like(0)}},
    {"HammingWindow", window, 0, {window_type}},
    {"HannWindow", window, 0, {window_type}},
    {"ImageDecoder", decoded_image, 0, {uint8}},
    same("ImageScaler"),
    same("LRN"),
    {"LSTM", recurrent, 0, {like(0), like(0), like(0)}},
    {"LinearAttention", linear_attention, 0, {like(0)}},
    {"LpPool", pool, 0, {like(0)}},
    {"MatMulInteger", matrix_product, 1, {int32}},
    {"MaxPool", pool, 0, {like(0), int64}},
    {"MaxRoiPool", regions, 1, {like(0)}},
    {"MaxUnpool", unpool, 0, {like(0)}},
    {"MelWeightMatrix", mel_weights, 0, {window_type}},
    {"Multinomial", samples, 0, {dtype_or_int32}},
    {"NegativeLogLikelihoodLoss", loss, 0, {like(0)}},
    {"NonMaxSuppression", suppressed, 0, {int64}},
    {"OptionalHasElement", scalars, 0, {boolean}},
    same("ParametricSoftplus"),
    {"QLinearConv", convolution, 3, {like(7)}},
    {"QLinearMatMul", matrix_product, 3, {like(7)}},
    {"RNN", recurrent, 0, {like(0), like(0)}},
    {"RandomNormal", random, 0, {dtype_or_float}},
    same("RandomNormalLike", dtype_or_first),
    {"RandomUniform", random, 0, {dtype_or_float}},
    same("RandomUniformLike", dtype_or_first),
    same("RegexFullMatch", boolean),
    {"Resize", resize, 0, {like(0)}},
    {"RoiAlign", regions, 0, {like(0)}},
    same("RotaryEmbedding"),
    {"STFT", short_time_fourier, 0, {like(0)}},
    same("ScaledTanh"),
    {"SequenceLength", scalars, 0, {int64}},
    {"SimplifiedLayerNormalization", layer_normalization, 0, {like(0)}},
    {"SoftmaxCrossEntropyLoss", loss, 0, {like(0), like(0)}},
    {"StringConcat", broadcast, 3, {texts}},
    {"StringNormalizer", normal_texts, 0, {texts}},
    {"StringSplit", split_texts, 0, {texts, int64}},
    {"SwiGLU", broadcast, 3, {like(0)}},
    same("TensorScatter"),
    {"TfIdfVectorizer", term_counts, 0, {float32}},
    {"Upsample", resize, 1, {like(0)}},
};

constexpr ShapeRule microsoft_rules[] = {
    {"Attention", packed_attention, 4, {like(0), like(0)}},
    same("BiasAdd"),
    {"BiasDropout", all_like_first, 0, {like(0), boolean}},
    same("BiasGelu"),
    same("BiasSoftmax"),
    {"BiasSplitGelu", half_of_last, 0, {like(0)}},
    {"CDist", distances, 0, {like(0)}},
    {"ComplexMul", broadcast, 3, {like(0)}},
    {"DecoderMaskedMultiHeadAttention", multi_head_attention, 0, {like(0)}},
    same("DequantizeLinear", like(1)),
    {"DynamicQuantizeLSTM", recurrent, 0, {like(0), like(0), like(0)}},
    {"DynamicQuantizeMatMul", matrix_product, 1, {like(0)}},
    {"EmbedLayerNormalization", embedding, 0, {like(2), int32, like(2)}},
    same("FastGelu"),
    {"FusedConv", convolution, 1, {like(0)}},
    {"FusedGemm", gemm, 1, {like(0)}},
    {"FusedMatMul", fused_product, 0, {like(0)}},
    {"FusedMatMulActivation", fused_product, 0, {like(0)}},
    {"GatedRelativePositionBias", only_rank, 4, {like(0)}},
    same("Gelu"),
    {"GemmFastGelu", matrix_product, 1, {like(0)}},
    {"GridSample", sampled, 0, {like(0)}},
    same("GroupNorm"),
    {"GroupQueryAttention", group_attention, 0, {like(0), like(0), like(0)}},
    same("Inverse"),
    {"LayerNormalization", layer_normalization, 0, {like(0)}},
    {"MatMulBnb4", packed_product, 0, {like(0)}},
    {"MatMulInteger16", matrix_product, 1, {int32}},
    {"MatMulIntegerToFloat", matrix_product, 1, {like(2)}},
    {"MatMulNBits", packed_product, 0, {like(0)}},
    same("MoE"),
    {"MultiHeadAttention", multi_head_attention, 0, {like(0), like(0), like(0)}},
    {"NhwcConv", convolution, channels_last | 1, {like(0)}},
    {"NhwcFusedConv", convolution, channels_last | 1, {like(0)}},
    {"NhwcMaxPool", pool, channels_last, {like(0)}},
    {"QAttention", packed_attention, 8, {like(3), like(3)}},
    {"QEmbedLayerNormalization", embedding, 0, {0, int32}},
    {"QGemm", gemm, 3, {0}},
    {"QLinearAdd", broadcast, 9, {like(0)}},
    {"QLinearAveragePool", pool, 0, {like(0)}},
    {"QLinearConcat", quantized_concat, 0, {like(1)}},
    {"QLinearConv", convolution, 3, {like(7)}},
    {"QLinearGlobalAveragePool", global_pool, 0, {like(0)}},
    same("QLinearLeakyRelu"),
    {"QLinearMul", broadcast, 9, {like(0)}},
    {"QLinearReduceMean", reduction, 0, {like(0)}},
    same("QLinearSigmoid"),
    same("QLinearSoftmax"),
    {"QLinearWhere", broadcast, 19, {like(1)}},
    same("QMoE"),
    same("QuantizeLinear", like(2)),
    same("QuickGelu"),
    {"RelativePositionBias", only_rank, 4, {like(0)}},
    same("RotaryEmbedding"),
    {"SimplifiedLayerNormalization", layer_normalization, 0, {like(0)}},
    same("SkipGroupNorm"),
    {"SkipLayerNormalization", skip_normalization, 0, {like(0)}},
    {"SkipSimplifiedLayerNormalization", skip_normalization, 0, {like(0)}},
    {"TransposeMatMul", fused_product, 0, {like(0)}},
    same("Trilu"),
};

constexpr ShapeRule learning_rules[] = {
    same("Binarizer"),
    same("CategoryMapper", 0),
    same("Imputer"),
    same("LabelEncoder", 0),
    {"LinearClassifier", classes, 0, {0, float32}},
    {"LinearRegressor", targets, 1, {float32}},
    same("Normalizer", float32),
    {"OneHotEncoder", categories, 0, {float32}},
    {"SVMClassifier", classes, 0, {0, float32}},
    {"SVMRegressor", targets, 2, {float32}},
    same("Scaler", float32),
    {"TreeEnsembleClassifier", classes, 0, {0, float32}},
    {"TreeEnsembleRegressor", targets, 0, {float32}},
};

constexpr bool comes_before(const ShapeRule& one, std::string_view name) { return one.name < name; }
template <std::size_t count>
constexpr bool is_sorted(const ShapeRule (&rules)[count]) {
  for (std::size_t i = 1; i < count; ++i) {
    if (!comes_before(rules[i - 1], rules[i].name)) return false;
  }
  return true;
}
static_assert(is_sorted(onnx_rules) && is_sorted(microsoft_rules) && is_sorted(learning_rules));

}  // namespace

std::span<const ShapeRule> shape_rules(std::string_view domain) {
  if (domain.empty()) return onnx_rules;
  if (domain == "com.microsoft") return microsoft_rules;
  if (domain == "ai.onnx.ml") return learning_rules;
  return {};
}

const ShapeRule* find_shape_rule(std::string_view domain, std::string_view name) {
  const std::span<const ShapeRule> rules = shape_rules(domain);
  const auto found = std::lower_bound(rules.begin(), rules.end(), name, comes_before);
  return found != rules.end() && found->name == name ? &*found : nullptr;
}

bool has_wrong_rank(const ShapeRule& rule, std::span<const Tensor* const> inputs) {
  const auto rank = [&](std::size_t i) -> std::size_t {
    const bool is_known = i < inputs.size() && inputs[i] != nullptr && inputs[i]->is_ranked();
    return is_known ? inputs[i]->dims().size() : most_axes + 1;
  };
  const auto is_not = [&](std::size_t i, std::size_t wanted) { return rank(i) <= most_axes && rank(i) != wanted; };
  // The data, two matrices of weights; and the states to begin with.
  if (rule.infer == recurrent) return is_not(0, 3) || is_not(1, 3) || is_not(2, 3) || is_not(5, 3) || is_not(6, 3);
  if (rule.infer == convolution) return rank(0) <= most_axes && is_not(1, rank(0));
  return false;
}

void set_rule_types(const ShapeRule& rule, std::span<const Dtype> inputs, const Attributes& attributes,
                    std::span<Dtype> outputs) {
  for (std::size_t i = 0; i < std::min(outputs.size(), std::size(rule.types)); ++i) {
    if (outputs[i] == Dtype::undefined) outputs[i] = type_of(rule.types[i], inputs, attributes);
  }
}

}  // namespace broadloom
