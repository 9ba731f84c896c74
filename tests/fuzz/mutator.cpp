#include "fuzz/mutator.h"

#if !defined(__EMSCRIPTEN__)

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "onnx/wire.h"
#include "ops/operators.h"
#include "support/proto.h"
#include "support/random.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace broadloom::fuzz {
namespace {

using test::Proto;
using test::Random;

// ---- Messages ----

enum class Kind : std::uint8_t {
  bytes,
  name,
  text,
  packed,
  model,
  opset,
  pair,
  function,
  training,
  graph,
  node,
  attribute,
  tensor,
  sparse,
  value_info,
  type,
  tensor_type,
  sequence,
  shape,
  dim,
  annotation,
};

// The content of the length-delimited fields of messages (onnx.proto).
struct Content {
  Kind parent;
  std::uint32_t field;
  Kind kind;
};
constexpr Content contents[] = {
    {Kind::model, 7, Kind::graph},         {Kind::model, 8, Kind::opset},       {Kind::model, 14, Kind::pair},
    {Kind::model, 20, Kind::training},     {Kind::model, 25, Kind::function},   {Kind::training, 1, Kind::graph},
    {Kind::training, 2, Kind::graph},      {Kind::training, 3, Kind::pair},     {Kind::training, 4, Kind::pair},
    {Kind::graph, 1, Kind::node},          {Kind::graph, 5, Kind::tensor},      {Kind::graph, 11, Kind::value_info},
    {Kind::graph, 12, Kind::value_info},   {Kind::graph, 13, Kind::value_info}, {Kind::graph, 14, Kind::annotation},
    {Kind::graph, 15, Kind::sparse},       {Kind::graph, 16, Kind::pair},       {Kind::node, 1, Kind::name},
    {Kind::node, 2, Kind::name},           {Kind::node, 3, Kind::text},         {Kind::node, 4, Kind::text},
    {Kind::node, 5, Kind::attribute},      {Kind::node, 7, Kind::text},         {Kind::attribute, 1, Kind::text},
    {Kind::attribute, 4, Kind::text},      {Kind::attribute, 5, Kind::tensor},  {Kind::attribute, 6, Kind::graph},
    {Kind::attribute, 7, Kind::packed},    {Kind::attribute, 8, Kind::packed},  {Kind::attribute, 9, Kind::text},
    {Kind::attribute, 10, Kind::tensor},   {Kind::attribute, 11, Kind::graph},  {Kind::attribute, 14, Kind::type},
    {Kind::attribute, 21, Kind::text},     {Kind::attribute, 22, Kind::sparse}, {Kind::attribute, 23, Kind::sparse},
    {Kind::tensor, 1, Kind::packed},       {Kind::tensor, 5, Kind::packed},     {Kind::tensor, 6, Kind::text},
    {Kind::tensor, 7, Kind::packed},       {Kind::tensor, 8, Kind::name},       {Kind::tensor, 11, Kind::packed},
    {Kind::tensor, 13, Kind::pair},        {Kind::sparse, 1, Kind::tensor},     {Kind::sparse, 2, Kind::tensor},
    {Kind::sparse, 3, Kind::packed},       {Kind::value_info, 1, Kind::name},   {Kind::value_info, 2, Kind::type},
    {Kind::type, 1, Kind::tensor_type},    {Kind::type, 8, Kind::tensor_type},  {Kind::type, 4, Kind::sequence},
    {Kind::type, 9, Kind::sequence},       {Kind::sequence, 1, Kind::type},     {Kind::tensor_type, 2, Kind::shape},
    {Kind::shape, 1, Kind::dim},           {Kind::dim, 2, Kind::text},          {Kind::annotation, 1, Kind::name},
    {Kind::annotation, 2, Kind::pair},     {Kind::function, 4, Kind::name},     {Kind::function, 5, Kind::name},
    {Kind::function, 6, Kind::text},       {Kind::function, 7, Kind::node},     {Kind::function, 9, Kind::opset},
    {Kind::function, 11, Kind::attribute}, {Kind::function, 1, Kind::text},     {Kind::opset, 1, Kind::text},
    {Kind::pair, 1, Kind::text},           {Kind::pair, 2, Kind::name},
};

Kind kind_of(Kind parent, std::uint32_t field) {
  for (const Content& one : contents) {
    if (one.parent == parent && one.field == field) return one.kind;
  }
  return Kind::bytes;
}

bool is_message(Kind kind) { return kind >= Kind::model; }

struct Field {
  std::uint32_t number = 0;
  std::uint32_t type = 0;     // of the wire
  Kind kind = Kind::bytes;    // of what is length-delimited
  std::uint64_t value = 0;    // of a varint
  std::string bytes;          // of any other type
  std::vector<Field> fields;  // of a message
  bool is_parsed = false;     // whether they are its content, and not `bytes`
};

class Parser {
 public:
  explicit Parser(std::string_view bytes) : left_(bytes) {}

  std::optional<std::vector<Field>> fields(Kind parent, int depth) {
    std::vector<Field> list;
    while (!left_.empty()) {
      std::uint64_t tag = 0;
      Field field;
      if (!varint(tag)) return std::nullopt;
      field.number = static_cast<std::uint32_t>(tag >> 3U);
      field.type = static_cast<std::uint32_t>(tag & 7U);
      std::uint64_t length = field.type == 1 ? 8 : 4;
      if (field.type == 0) {
        if (!varint(field.value)) return std::nullopt;
      } else {
        if (field.type != 1 && field.type != 2 && field.type != 5) return std::nullopt;
        if (field.type == 2 && !varint(length)) return std::nullopt;
        if (length > left_.size()) return std::nullopt;
        field.bytes = left_.substr(0, static_cast<std::size_t>(length));
        left_.remove_prefix(static_cast<std::size_t>(length));
      }
      if (field.type == 2) read_content(field, parent, depth);
      list.push_back(std::move(field));
    }
    return list;
  }

 private:
  static void read_content(Field& field, Kind parent, int depth) {
    field.kind = kind_of(parent, field.number);
    if (!is_message(field.kind) || depth == 64) return;
    auto inner = Parser(field.bytes).fields(field.kind, depth + 1);
    if (!inner) return;
    field.fields = std::move(*inner);
    field.is_parsed = true;
  }
  bool varint(std::uint64_t& value) {
    const char* at = left_.data();
    const char* const end = at + left_.size();
    if (!read_varint(at, end, value)) return false;
    left_.remove_prefix(static_cast<std::size_t>(at - left_.data()));
    return true;
  }

  std::string_view left_;
};

Proto written(const std::vector<Field>& fields) {
  Proto proto;
  for (const Field& field : fields) {
    proto.tag(field.number, field.type);
    if (field.type == 0) {
      proto.number(field.value);
    } else if (field.type != 2) {
      proto.raw(field.bytes);
    } else {
      const std::string content = field.is_parsed ? written(field.fields).bytes() : field.bytes;
      proto.number(content.size()).raw(content);
    }
  }
  return proto;
}

// ---- Changes ----

constexpr std::uint64_t telling_numbers[] = {0,
                                             1,
                                             2,
                                             3,
                                             4,
                                             7,
                                             8,
                                             16,
                                             17,
                                             25,
                                             127,
                                             128,
                                             255,
                                             256,
                                             65535,
                                             65536,
                                             0x7FFFFFFF,
                                             0x80000000,
                                             0xFFFFFFFF,
                                             0x7FFFFFFFFFFFFFFF,
                                             0x8000000000000000,
                                             0xFFFFFFFFFFFFFFFF,
                                             0xFFFFFFFFFFFFFFFE,
                                             0xFFFFFFFF80000000};

// A place of a field: the list that it is in, and its index there.
struct Place {
  std::vector<Field>* list;
  std::size_t index;
  Kind parent;
  Field& field() const { return (*list)[index]; }
};

class Changer {
 public:
  Changer(std::vector<Field>& model, Random& random) : model_(model), random_(random) {}

  // Changes one thing, or nothing.
  void change() {
    places_.clear();
    names_.clear();
    list(model_, Kind::model);
    if (places_.empty()) return;
    const Place place = places_[random_.below(places_.size())];
    switch (random_.between(0, 9)) {
      case 0: place.list->erase(place.list->begin() + static_cast<std::ptrdiff_t>(place.index)); return;
      case 1: return insert(*place.list, place.field());
      case 2: return std::swap(place.field(), (*place.list)[random_.below(place.list->size())]);
      case 3: return copy_elsewhere(place);
      case 4: return change_node();
      default: return alter(place);
    }
  }

  // Copies a field of another model to where one of that kind can be.
  void take_from(std::vector<Field>& other) {
    places_.clear();
    list(other, Kind::model);
    if (places_.empty()) return;
    const Place from = places_[random_.below(places_.size())];
    const Field copy = from.field();
    places_.clear();
    list(model_, Kind::model);
    put(copy, from.parent);
  }

 private:
  void list(std::vector<Field>& fields, Kind parent) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      places_.push_back({&fields, i, parent});
      if (fields[i].kind == Kind::name) names_.push_back(fields[i].bytes);
      list(fields[i].fields, fields[i].kind);
    }
  }
  void insert(std::vector<Field>& to, Field field) {
    to.insert(to.begin() + static_cast<std::ptrdiff_t>(random_.below(to.size() + 1)), std::move(field));
  }
  // Puts a copy into some message of this kind.
  void put(const Field& field, Kind parent) {
    std::vector<std::vector<Field>*> lists;
    if (parent == Kind::model) lists.push_back(&model_);
    for (const Place& place : places_) {
      Field& one = place.field();
      if (one.is_parsed && one.kind == parent) lists.push_back(&one.fields);
    }
    if (!lists.empty()) insert(*lists[random_.below(lists.size())], field);
  }
  void copy_elsewhere(const Place& place) {
    const Field copy = place.field();
    put(copy, place.parent);
  }

  // Another operator, or an attribute that its schema has.
  void change_node() {
    std::vector<Field*> nodes;
    for (const Place& place : places_) {
      if (place.field().is_parsed && place.field().kind == Kind::node) nodes.push_back(&place.field());
    }
    if (nodes.empty()) return;
    Field& node = *nodes[random_.below(nodes.size())];
    Field* op_type = nullptr;
    for (Field& one : node.fields) {
      if (one.number == 4 && one.type == 2) op_type = &one;
    }
    if (op_type == nullptr) return;
    if (random_.one_in(3)) {
      const auto operators = random_.one_in(8)   ? microsoft_operators()
                             : random_.one_in(8) ? foreign_operators()
                                                 : all_operators();
      op_type->bytes = operators[random_.below(operators.size())]->name;
      return;
    }
    const Operator* op = find_operator("", op_type->bytes);
    if (op == nullptr || op->versions.empty()) return;
    const auto specs = op->versions[random_.below(op->versions.size())].attributes();
    if (specs.empty()) return;
    const AttributeSpec& spec = specs[random_.below(specs.size())];
    Field attribute{5, 2, Kind::attribute, 0, value_for(spec).bytes(), {}, false};
    if (auto fields = Parser(attribute.bytes).fields(Kind::attribute, 0)) {
      attribute.fields = std::move(*fields);
      attribute.is_parsed = true;
    }
    insert(node.fields, std::move(attribute));
  }

  std::int64_t small() { return random_.between(random_.one_in(3) ? -3 : 0, 3); }
  Proto value_for(const AttributeSpec& spec) {
    Proto value = test::attribute(spec.name, spec.type);
    switch (spec.type) {
      case AttributeType::INT: return value.varint(3, spec.is_data_type ? random_.between(0, 26) : small());
      case AttributeType::FLOAT: return value.fixed(2, static_cast<float>(small()) / 2);
      case AttributeType::STRING: {
        std::string_view words = spec.words;
        for (std::int64_t skipped = random_.between(0, 3); skipped > 0 && words.find(' ') != words.npos; --skipped) {
          words = words.substr(words.find(' ') + 1);
        }
        return value.string(4, words.substr(0, words.find(' ')));
      }
      case AttributeType::INTS:
        for (std::int64_t count = random_.between(0, 4); count > 0; --count) value.varint(8, small());
        return value;
      case AttributeType::FLOATS:
        for (std::int64_t count = random_.between(0, 4); count > 0; --count) value.fixed(7, static_cast<float>(small()));
        return value;
      case AttributeType::STRINGS: return value.string(9, "Tanh").string(9, "Relu");
      case AttributeType::TENSOR: return value.message(5, test::int64_tensor({2}, {small(), small()}));
      default: return value;
    }
  }

  void alter(const Place& place) {
    Field& field = place.field();
    if (field.type == 0) return alter_number(field.value);
    if (field.is_parsed) return;
    if (field.kind == Kind::name && !names_.empty() && !random_.one_in(4)) {
      field.bytes = names_[random_.below(names_.size())];
    } else if (field.kind == Kind::packed && random_.one_in(2)) {
      alter_packed(field);
    } else {
      alter_bytes(field.bytes, field.type == 2 ? 32 : 0);
    }
  }
  void alter_number(std::uint64_t& value) {
    if (random_.one_in(2)) {
      value += random_.one_in(2) ? 1 : ~std::uint64_t{0};
    } else if (random_.one_in(2)) {
      value = static_cast<std::uint64_t>(random_.between(0, 8));
    } else {
      value = telling_numbers[random_.below(std::size(telling_numbers))];
    }
  }
  void alter_packed(Field& field) {
    std::vector<std::uint64_t> numbers;
    const char* at = field.bytes.data();
    const char* const end = at + field.bytes.size();
    std::uint64_t number = 0;
    while (at != end && read_varint(at, end, number)) numbers.push_back(number);
    if (numbers.empty() || random_.one_in(8)) numbers.push_back(1);
    const std::size_t chosen = random_.below(numbers.size());
    if (random_.one_in(8)) {
      numbers.erase(numbers.begin() + static_cast<std::ptrdiff_t>(chosen));
    } else {
      alter_number(numbers[chosen]);
    }
    Proto list;
    for (const std::uint64_t one : numbers) list.number(one);
    field.bytes = list.bytes();
  }
  void alter_bytes(std::string& bytes, std::size_t room) {
    const std::size_t size = bytes.size();
    bytes.resize(size + room);
    if (bytes.empty()) return;
    const std::size_t changed = LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()), size, bytes.size());
    bytes.resize(room == 0 ? size : changed);
  }

  std::vector<Field>& model_;
  Random& random_;
  std::vector<Place> places_;
  std::vector<std::string> names_;
};

std::optional<std::vector<Field>> read(const std::uint8_t* data, std::size_t size, std::size_t header) {
  if (size < header) return std::nullopt;
  return Parser({reinterpret_cast<const char*>(data) + header, size - header}).fields(Kind::model, 0);
}

// Returns 0 if the model does not fit.
std::size_t write(const std::vector<Field>& model, std::uint8_t* to, std::size_t most) {
  const std::string bytes = written(model).bytes();
  if (bytes.size() > most) return 0;
  std::memcpy(to, bytes.data(), bytes.size());
  return bytes.size();
}

}  // namespace

std::size_t mutate_model(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed, std::size_t header) {
  Random random(seed);
  if (header != 0 && (size < header || random.one_in(8))) {
    std::memset(data + std::min(size, header), 0, header - std::min(size, header));
    LLVMFuzzerMutate(data, header, header);
    return std::max(size, header);
  }
  std::optional<std::vector<Field>> model;
  if (!random.one_in(16)) model = read(data, size, header);
  if (!model) return header + LLVMFuzzerMutate(data + header, size - header, most - header);
  Changer changer(*model, random);
  for (std::int64_t changes = random.one_in(2) ? 1 : random.between(1, 5); changes > 0; --changes) changer.change();
  const std::size_t written = write(*model, data + header, most - header);
  return written == 0 ? size : header + written;
}

std::size_t cross_models(const std::uint8_t* first, std::size_t first_size, const std::uint8_t* second, std::size_t second_size,
                         std::uint8_t* to, std::size_t most, unsigned seed, std::size_t header) {
  Random random(seed);
  auto model = read(first, first_size, header);
  auto other = read(second, second_size, header);
  if (!model || !other || most < header) return 0;
  Changer changer(*model, random);
  for (std::int64_t fields = random.between(1, 4); fields > 0; --fields) changer.take_from(*other);
  std::memcpy(to, first, header);
  const std::size_t written = write(*model, to + header, most - header);
  return written == 0 ? 0 : header + written;
}

}  // namespace broadloom::fuzz

#endif
