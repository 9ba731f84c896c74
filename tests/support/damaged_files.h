// Models with all that is read, and random damages of files. They are seeds of the fuzzers, too (tests/fuzz/seeds.cpp).
#pragma once

#include "support/cases.h"
#include "support/memory_limit.h"
#include "support/models.h"
#include "support/official.h"
#include "support/random.h"

namespace broadloom::test {

// ---- Files ----

// One model with every feature of the reader, and some small ones.
inline std::vector<std::string> synthetic_models() {
  const Proto sparse =
      Proto().message(1, float_tensor({2}, {5, 6}, "sparse")).message(2, int64_tensor({2, 2}, {0, 1, 1, 0})).varints(3, {2, 2});
  const Graph all{
      {node("Constant", {}, {"sizes"}, {attribute("value_ints", AttributeType::INTS).varints(8, {2, 1, 3})}, "first"),
       node("Constant", {}, {"text"},
            {attribute("value_strings", AttributeType::STRINGS).string(9, "a").string(9, "\xE2\x82\xAC")}),
       node("Constant", {}, {"c"}, {attribute("sparse_value", AttributeType::SPARSE_TENSOR).message(22, sparse)}),
       node("Constant", {}, {"f"}, {tensor_of_attribute("value", raw_tensor(Dtype::int4, {3}, "\x21\x03"))}),
       node("Expand", {"x", "sizes"}, {"e"}, {int_of("__line", 3)}, "second"),
       node("Shape", {"e"}, {"s"}, {int_of("start", -2), int_of("end", 9)}, "third", "ai.onnx"),
       node("ConstantOfShape", {"s"}, {"z"}, {tensor_of_attribute("value", float_tensor({1}, {4}))}),
       node("Identity", {"text"}, {"t"}), node("Expand", {"sparse", "w"}, {"y"}), node("Identity", {"d"}, {"i"})},
      {value_info("x", Dtype::float32, {"N", 1, 3}), value_info("w", Dtype::int64, {1}), value_info("d", Dtype::uint2)},
      {value_info("z", Dtype::float32, {"A", 3}), value_info("t", Dtype::string), value_info("y", Dtype::undefined),
       value_info("i", Dtype::uint2), value_info("f", Dtype::int4), value_info("c", Dtype::float32)},
      {int64_tensor({1}, {1}, "w"), tensor_header(Dtype::string, {1}, "unused").string(6, "x")},
      {sparse},
      {value_info("e", Dtype::float32)}};
  const Graph shape{{node("Shape", {"x"}, {"y"})}, {value_info("x", Dtype::string)}, {value_info("y", Dtype::int64)}};
  return {model(all), model(shape, 1, 3), model(one_constant({int_of("value_int", 7)}), 12, 4)};
}

// A model that only Unsupported::allowed accepts.
inline std::string strange_model() {
  const Graph strange{
      {node("Weave", {"x", "", "far"}, {"a", "", "s"}, {attribute("body", AttributeType::GRAPH).string(6, "")}, "w"),
       node("Shape", {"s"}, {"b"}, {}, "", "com.example"), node("Shape", {"a"}, {"sizes"}),
       node("ConstantOfShape", {"sizes"}, {"fill"}), node("Expand", {"fill", "to"}, {"y"}), node("Identity", {"b"}, {"i"})},
      {value_info("x", Dtype::float32, {2, "n", ""}), value_info("to", Dtype::int64, {1})},
      {value_info("y", Dtype::float32), value_info("i", Dtype::int64)},
      {tensor_header(Dtype::float16, {7}, "far").varint(14, 1).message(13, Proto().string(1, "location").string(2, "f"))},
      {},
      {value_info("a", Dtype::float16, {1, "m", ""}), Proto().string(1, "s").message(2, Proto().string(4, ""))}};
  return model(strange);
}

// Models with subgraphs, functions, sparse initializers, nodes out of order, and messages in parts. All of them have the inputs
// "cond", "m" and "x".
inline std::vector<std::string> nested_models() {
  const std::vector<Proto> inputs{value_info("x", Dtype::float32, {2, "N"}), value_info("cond", Dtype::boolean, {1}),
                                  value_info("m", Dtype::int64, {1})};
  const Proto sparse =
      Proto().message(1, int64_tensor({2}, {2, 1}, "sparse")).message(2, int64_tensor({2}, {0, 1})).varints(3, {2});
  const Graph body{
      {node("Shape", {"state"}, {"s"}), node("ConstantOfShape", {"sparse"}, {"item"}), node("Identity", {"state"}, {"next"})},
      {value_info("i", Dtype::int64, {}), value_info("go", Dtype::boolean, {}), any("state")},
      {any("go"), any("next"), any("s"), any("i"), value_info("item", Dtype::float32, {2, 1}), any("s")}};
  const Graph then_branch{
      {node("Loop", {"m", "cond", "late"}, {"l", "n", "", "p"}, {graph_of("body", body)})}, {}, {any("l"), any("n")}};
  const Graph else_branch{{node("Constant", {}, {"c"}, {attribute("value_ints", AttributeType::INTS).varints(8, {4, 5})})},
                          {},
                          {any("x"), any("c")}};
  const Graph branches{
      {node("If", {"cond"}, {"y", "z"}, {graph_of("then_branch", then_branch), graph_of("else_branch", else_branch)}, "if"),
       node("Identity", {"x"}, {"late"})},
      inputs,
      {any("y"), any("z")},
      {},
      {sparse}};

  const Graph step{{node("Shape", {"slice"}, {"s"}), node("Identity", {"slice"}, {"out"})},
                   {any("state"), any("slice")},
                   {any("slice"), value_info("out", Dtype::float32, {"K"}), any("s")}};
  const auto flags = [](std::string_view name, const List& values) {
    return attribute(name, AttributeType::INTS).varints(8, values);
  };
  const Graph scans{
      {node("Scan", {"x", "x"}, {"y", "z", "s"},
            {graph_of("body", step), int_of("num_scan_inputs", 1), flags("scan_input_axes", {-1}),
             flags("scan_input_directions", {1}), flags("scan_output_axes", {1, 0}), flags("scan_output_directions", {1, 1})})},
      inputs,
      {any("y"), any("z"), any("s")}};
  const Graph scan_8{{node("Expand", {"x", "to"}, {"b"}),
                      node("Scan", {"lengths", "b", "b"}, {"y", "z"},
                           {graph_of("body", step), int_of("num_scan_inputs", 1), flags("directions", {1})})},
                     inputs,
                     {any("y"), any("z")},
                     {int64_tensor({3}, {2, 2, 1}, "to"), int64_tensor({2}, {1, 2}, "lengths")}};

  // F(a) = G(a) with the start `from`; G(a) is a Shape in a branch, with its start or 0.
  const Proto start = attribute("start", AttributeType::INT).string(21, "from");
  const auto function = [](std::string_view name, const std::vector<Proto>& nodes, const std::vector<Proto>& defaults) {
    Proto result = Proto().string(1, name).string(4, "a").string(4, "c").string(5, "b").string(5, "a");
    for (const Proto& one : nodes) result.message(7, one);
    result.message(9, opset_import(25)).message(9, opset_import(1, "local")).string(10, "local");
    for (const Proto& one : defaults) result.message(11, one);
    return result;
  };
  const Graph shape_branch{{node("Shape", {"a"}, {"k"}, {start})}, {}, {any("k")}};
  const Graph calls{{node("F", {"x", "cond"}, {"y", "z"}, {int_of("from", 1)}, "call", "local"),
                     node("F", {"z", "cond"}, {"w"}, {}, "", "local")},
                    inputs,
                    {any("y"), any("z"), any("w")}};
  std::string with_functions = Proto().varint(1, 10).message(8, opset_import(25)).message(8, opset_import(1, "local")).bytes();
  with_functions += Proto()
                        .message(25, function("F",
                                              {node("G", {"a", "c"}, {"b"},
                                                    {attribute("from", AttributeType::INT).string(21, "from")}, "", "local")},
                                              {}))
                        .bytes();
  with_functions +=
      Proto()
          .message(25, function("G",
                                {node("If", {"c"}, {"b"},
                                      {graph_of("then_branch", shape_branch), graph_of("else_branch", shape_branch)})},
                                {int_of("from", 0)}))
          .bytes();
  with_functions += Proto().message(7, calls.proto()).bytes();

  // The graph, its types and a tensor are in parts.
  const Proto typed = Proto()
                          .string(1, "x")
                          .message(2, Proto().message(1, Proto().varint(1, 1)))
                          .message(2, Proto()
                                          .message(1, Proto().message(2, Proto().message(1, Proto().varint(1, 2))))
                                          .message(1, Proto().message(2, Proto().message(1, Proto().string(2, "N")))));
  const Proto tensor_in_parts = attribute("value", AttributeType::TENSOR)
                                    .message(5, Proto().varints(1, {1}))
                                    .message(5, Proto().varint(2, 1).packed_fixed(4, std::vector<float>{7}));
  const std::string parts =
      Proto()
          .varint(1, 10)
          .message(7, Proto().message(1, node("Shape", {"x"}, {"s"})))
          .message(8, opset_import(25))
          .message(7, Proto().message(11, typed).message(1, node("ConstantOfShape", {"s"}, {"y"}, {tensor_in_parts})))
          .message(7, Proto().message(12, any("y")))
          .bytes();
  return {model(branches), model(scans), model(scan_8, 8), with_functions, parts};
}

// ---- Damages ----

inline char random_byte(Random& random) {
  static constexpr unsigned char telling[] = {0x00, 0x01, 0x7F, 0x80, 0xFF, 0x08, 0x0A, 0x12};
  return static_cast<char>(random.one_in(2) ? telling[random.below(8)] : random.between(0, 255));
}

inline void damage(std::string& file, const std::string& other, Random& random) {
  if (file.empty()) return file.push_back(random_byte(random));
  const std::size_t at = random.below(file.size());
  switch (random.between(0, 8)) {
    case 0: file[at] = static_cast<char>(file[at] ^ (1 << random.between(0, 7))); break;
    case 1: file[at] = random_byte(random); break;
    case 2: file.resize(at); break;
    case 3: file.insert(at, 1, random_byte(random)); break;
    case 4: file.erase(at, random.below(8) + 1); break;
    // Lengths and small numbers are bytes below 128: a step up or down keeps the rest valid.
    case 5: file[at] = static_cast<char>(file[at] + (random.one_in(2) ? 1 : -1)); break;
    // A varint of ten bytes: huge lengths, sizes and negative numbers.
    case 6: file.replace(at, 1, std::string(9, random.one_in(2) ? '\xFF' : '\x80') + '\x01'); break;
    // A copy of a part of this file, or of another one.
    case 7: file.insert(at, file.substr(random.below(file.size()), random.below(60))); break;
    default: file.replace(at, random.below(20), other.substr(random.below(other.size()), random.below(60)));
  }
}

}  // namespace broadloom::test
