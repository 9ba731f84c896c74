// Simplification of files: constants, growth, weights, requests, kept contents, and reports.
#include "support/simplified.h"

namespace broadloom::test::simplification_test {
namespace {

using enum AttributeType;

const Tensor six = floats({2, 3}, {1, -2, 3, 4, 5, 6});

// The number of floats in a large tensor, whose raw_data is left in the file.
constexpr std::int64_t many = 8192;
std::string raw_floats(float value, std::int64_t count = many) {
  const std::vector<float> list(static_cast<std::size_t>(count), value);
  return {reinterpret_cast<const char*>(list.data()), list.size() * sizeof(float)};
}
Proto large(float value, std::string_view name) { return raw_tensor(Dtype::float32, {many}, raw_floats(value), name); }
Proto external(std::string_view name, const List& dims, std::string_view location, Dtype dtype = Dtype::float32) {
  return tensor_header(dtype, dims, name).varint(14, 1).message(13, Proto().string(1, "location").string(2, location));
}

TEST(Simplification, RefusesTextsOfTheModelWithAnotherTypeThanTheSchemaHas) {
  const Graph graph = through({node("Relu", {"x"}, {"y"})});
  for (const std::uint32_t field : {2U, 3U, 4U, 6U}) {  // producer_name, producer_version, domain, doc_string
    const std::string file = model(graph) + Proto().varint(field, 1).bytes();
    EXPECT_TRUE(fails(try_simplify(file), Code::InvalidModel)) << field;
  }
  const std::string file = model(graph) + Proto().string(5, "one").bytes();  // model_version
  EXPECT_TRUE(fails(try_simplify(file), Code::InvalidModel, "has wire type 2, wanted 0"));
}

// ---- Constants ----

TEST(Constants, AreFolded) {
  const Graph graph = through({node("Add", {"k", "k"}, {"a"}), node("Mul", {"a", "k"}, {"b"}), node("Add", {"x", "b"}, {"y"})},
                              {float_tensor({3}, {1, 2, 3}, "k")});
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "y = Add(x, b)");
  EXPECT_EQ(elements<float>(constant_named(result, "b")), (std::vector<float>{2, 8, 18}));
  EXPECT_EQ(initializers_of(result.graph()), Names{"b"});
  EXPECT_EQ(result.count(PassKind::fold), 2);
  EXPECT_EQ(result.count(PassKind::unused), 1);
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", six}}));
}

TEST(Constants, OfNodesBecomeInitializers) {
  const Graph graph = through(
      {node("Constant", {}, {"k"}, {attribute("value_floats", FLOATS).fixed(7, 2.0F)}), node("Add", {"x", "k"}, {"y"})});
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "y = Add(x, k)");
  EXPECT_EQ(initializers_of(result.graph()), Names{"k"});
  EXPECT_EQ(result.count(PassKind::constant), 1);
}

TEST(Constants, IncludeShapesOfFixedSizes) {
  const Graph graph = through({node("Shape", {"x"}, {"s"}), node("ReduceProd", {"s"}, {"p"}, {int_of("keepdims", 1)}),
                               node("Reshape", {"x", "p"}, {"y"})});
  EXPECT_EQ(simplify(graph).count(PassKind::fold), 0) << "n is not known";
  Wish wish;
  wish.dims = {{"n", 2}};
  const Simplified result = simplify(graph, wish);
  EXPECT_EQ(listing(result), "y = Reshape(x, p)");
  EXPECT_EQ(elements<std::int64_t>(constant_named(result, "p")), List{6});
}

TEST(Constants, ThatCannotBeComputedKeepTheirFailingNode) {
  const Graph graph = through({node("Reshape", {"k", "to"}, {"a"}), node("Add", {"x", "a"}, {"y"})},
                              {float_tensor({3}, {1, 2, 3}, "k"), int64_tensor({1}, {2}, "to")});
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "a = Reshape(k, to); y = Add(x, a)");
}

TEST(QuantisedWeights, StayAsTheyAre) {
  const Graph graph = through({node("QuantizeLinear", {"w", "s", "z"}, {"q"}), node("DequantizeLinear", {"q", "s", "z"}, {"d"}),
                               node("Add", {"x", "d"}, {"y"})},
                              {float_tensor({3}, {1, 2, 3}, "w"), float_tensor({}, {0.5F}, "s"),
                               raw_tensor(Dtype::uint8, {}, std::string(1, '\7'), "z")});
  EXPECT_EQ(simplify(graph).graph().order.size(), 3U);
}

TEST(DeadNodes, AreRemovedWithTheirInitializers) {
  const Graph graph = through({node("Add", {"x", "k"}, {"a"}), node("Neg", {"a"}, {"b"}), node("Abs", {"x"}, {"y"})},
                              {float_tensor({3}, {1, 2, 3}, "k")});
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "y = Abs(x)");
  EXPECT_TRUE(initializers_of(result.graph()).empty());
  EXPECT_EQ(result.count(PassKind::dead), 2);
  EXPECT_EQ(result.count(PassKind::unused), 1);
}

TEST(AFile, ThatIsAlreadySimpleStaysTheSame) {
  const std::string file = model(through({node("Abs", {"x"}, {"y"})}));
  EXPECT_EQ(simplify(file).bytes, file);
}

// ---- Growth ----

TEST(Growth, IsWithinAMebibyteByDefault) {
  const auto filled = [](std::int64_t count) {
    return simplify(through({node("ConstantOfShape", {"s"}, {"a"}), node("Add", {"x", "a"}, {"y"})},
                            {int64_tensor({1}, {count}, "s")}, value_info("x", Dtype::float32, {1})));
  };
  EXPECT_EQ(listing(filled(200000)), "y = Add(x, a)");
  const Simplified large = filled(300000);
  EXPECT_EQ(listing(large), "a = ConstantOfShape(s); y = Add(x, a)");
  EXPECT_EQ(large.work->progress().too_large, 1);
}

TEST(Growth, IsAtMostItsLimit) {
  const Graph graph =
      through({node("Expand", {"k", "s"}, {"a"}), node("Tile", {"k", "s"}, {"b"}), node("Add", {"a", "b"}, {"c"}),
               node("Add", {"x", "c"}, {"y"})},
              {float_tensor({1}, {1}, "k"), int64_tensor({1}, {100}, "s")}, value_info("x", Dtype::float32, {100}));
  const std::string file = model(graph);
  std::size_t least_that_fits = 0;
  for (std::size_t growth = 0; growth < 600; ++growth) {
    Wish wish;
    wish.growth = static_cast<double>(growth);
    const Simplified result = simplify(file, wish);
    ASSERT_LE(result.bytes.size(), file.size() + growth);
    if (result.graph().order.size() == 1 && least_that_fits == 0) least_that_fits = growth;
  }
  const std::size_t folded = simplify(file).bytes.size() - file.size();
  // The size of a new constant is estimated, with a small error.
  EXPECT_GE(least_that_fits, folded);
  EXPECT_LE(least_that_fits, folded + 100);
}

TEST(Growth, OfZeroAllowsFoldsThatShrinkTheFile) {
  const Graph graph = through({node("Slice", {"k", "zero", "one"}, {"a"}), node("Add", {"x", "a"}, {"y"})},
                              {raw_tensor(Dtype::float32, {64}, raw_floats(2, 64), "k"), int64_tensor({1}, {0}, "zero"),
                               int64_tensor({1}, {1}, "one")});
  Wish wish;
  wish.growth = 0;
  EXPECT_EQ(listing(simplify(graph, wish)), "y = Add(x, a)");
}

// ---- Weights ----

TEST(LargeInitializers, AreNeitherLoadedNorCopied) {
  const Graph graph = through({node("Identity", {"x"}, {"i"}), node("Add", {"i", "w"}, {"a"}), node("Add", {"a", "w"}, {"y"})},
                              {large(2, "w")}, value_info("x", Dtype::float32, {1}));
  const std::string file = model(graph);
  const Simplified result = simplify(file);
  EXPECT_EQ(listing(result), "a = Add(x, w); y = Add(a, w)");
  bool is_left = false;
  for (const Simplification::Piece& piece : result.work->pieces()) {
    is_left = is_left || (piece.bytes == nullptr && piece.length == many * 4 &&
                          file.substr(static_cast<std::size_t>(piece.origin), many * 4) == raw_floats(2));
  }
  EXPECT_TRUE(is_left);
  EXPECT_EQ(result.chunks, 0U);
}

// Just below protobuf's limit. The file is never complete in memory: a head, the weights, and a tail.
TEST(LargeInitializers, OfTwoGigabytesTakeNoMemory) {
  constexpr std::int64_t length = (std::int64_t{1} << 31) - 4096;
  const Proto weights = tensor_header(Dtype::uint8, {length}, "w").tag(9, 2).number(length);
  const std::string after =
      through({node("Identity", {"x"}, {"i"}), node("Opaque", {"i", "w"}, {"y"}, {}, "", "local")}).proto().bytes();
  // The graph's initializer ends with the weights, and the graph with the file.
  const std::string tensor = Proto().tag(5, 2).number(weights.bytes().size() + length).raw(weights.bytes()).bytes();
  const auto graph_bytes = static_cast<std::int64_t>(after.size() + tensor.size()) + length;
  const std::string head = Proto()
                               .varint(1, 10)
                               .message(8, opset_import(25))
                               .tag(7, 2)
                               .number(static_cast<std::uint64_t>(graph_bytes))
                               .raw(after)
                               .raw(tensor)
                               .bytes();
  const auto size = static_cast<std::int64_t>(head.size()) + length;
  Simplification work(static_cast<std::size_t>(size));
  for (Simplification::State state = must(work.next()); state != Simplification::State::done; state = must(work.next())) {
    ASSERT_EQ(state, Simplification::State::wants_part);
    const Simplification::Part part = work.part();
    ASSERT_LT(part.length, 20000);
    for (std::int64_t i = 0; i < part.length; ++i) {
      const std::int64_t at = part.offset + i;
      part.to[i] = at < static_cast<std::int64_t>(head.size()) ? std::byte(head[static_cast<std::size_t>(at)]) : std::byte{7};
    }
    ASSERT_LT(Storage::bytes_in_use(), std::size_t{1} << 20);
  }
  EXPECT_EQ(work.bytes_after(), size - static_cast<std::int64_t>(node("Identity", {"x"}, {"i"}).bytes().size()) - 2);
  EXPECT_EQ(work.pieces().size(), 3U) << "head, weights, tail";
}

TEST(LargeInitializers, AreLoadedForFolds) {
  const Graph graph = through({node("Add", {"w", "w"}, {"a"}), node("Add", {"x", "a"}, {"y"})}, {large(2, "w")},
                              value_info("x", Dtype::float32, {1}));
  const std::string file = model(graph);
  const Simplified result = simplify(file);
  EXPECT_EQ(listing(result), "y = Add(x, a)");
  EXPECT_EQ(elements<float>(constant_named(result, "a")), std::vector<float>(many, 4));
  EXPECT_EQ(result.chunks, 1U) << "what is computed is handed over";
  EXPECT_LE(result.bytes.size(), file.size());
}

TEST(LargeInitializers, ThatAreChunksAreFoldedFurther) {
  // The second round needs the first one's chunk, because sizes are known only then.
  const Graph graph = through({node("Add", {"w", "w"}, {"a"}), node("Transpose", {"a"}, {"t"}), node("Shape", {"x"}, {"s"}),
                               node("Gather", {"s", "one"}, {"g"}, {int_of("axis", 0)}),
                               node("Slice", {"t", "zero", "g"}, {"l"}), node("Add", {"x", "l"}, {"y"})},
                              {large(2, "w"), int64_tensor({1}, {1}, "one"), int64_tensor({1}, {0}, "zero")});
  const std::string file = model(graph);
  const Simplified result = simplify(file);
  EXPECT_EQ(listing(result), "y = Add(x, l)");
  EXPECT_EQ(elements<float>(constant_named(result, "l")), (std::vector<float>{4, 4, 4}));
}

TEST(LargeInitializers, ThatAreNeededTogetherAreLoadedTogether) {
  // The result of the first round is handed over as a chunk. The second round needs it together with weights in the file.
  const Graph graph =
      through({node("Add", {"w", "w"}, {"d"}), node("Add", {"k", "d"}, {"f"}), node("Add", {"f", "u"}, {"e"}),
               node("Add", {"x", "e"}, {"y"})},
              {large(2, "w"), large(3, "u"), float_tensor({1}, {5}, "k")}, value_info("x", Dtype::float32, {1}));
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "y = Add(x, e)");
  EXPECT_EQ(elements<float>(constant_named(result, "e")), std::vector<float>(many, 12));
}

TEST(LargeInitializers, OfTheSamePartOfAFileAreMerged) {
  const Graph graph = through({node("Add", {"x", "v"}, {"a"}), node("Add", {"a", "w"}, {"y"})},
                              {external("v", {4}, "f"), external("w", {4}, "f")}, value_info("x", Dtype::float32, {4}));
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "a = Add(x, v); y = Add(a, v)");
}

TEST(ExternalData, IsKeptAsAReferenceIfItIsNotProvided) {
  const Graph graph = through({node("Add", {"w", "w"}, {"a"}), node("Identity", {"a"}, {"b"}), node("Add", {"x", "b"}, {"y"})},
                              {external("w", {4}, "weights.bin")}, value_info("x", Dtype::float32, {4}));
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "a = Add(w, w); y = Add(x, a)");
  EXPECT_NE(result.bytes.find("weights.bin"), std::string::npos);
  EXPECT_EQ(must(result.work->files()), std::vector<std::string_view>{"weights.bin"});
}

TEST(ExternalData, IsReadForFolds) {
  const Graph graph = through({node("Add", {"w", "w"}, {"a"}), node("Add", {"x", "a"}, {"b"}), node("Add", {"b", "v"}, {"y"})},
                              {external("w", {many}, "weights.bin"), external("v", {many}, "others.bin")},
                              value_info("x", Dtype::float32, {1}));
  Wish wish;
  wish.files = {{"weights.bin", raw_floats(3)}, {"others.bin", raw_floats(5)}};
  const Simplified result = simplify(graph, wish);
  EXPECT_EQ(listing(result), "b = Add(x, a); y = Add(b, v)");
  ASSERT_EQ(result.loaded.size(), 1U);
  EXPECT_EQ(result.loaded[0].first, "weights.bin");
  EXPECT_EQ(result.loaded[0].second, many * 4);
  EXPECT_EQ(elements<float>(constant_named(result, "a")), std::vector<float>(many, 6));
  EXPECT_EQ(must(result.work->files()), std::vector<std::string_view>{"others.bin"});
}

TEST(ExternalData, ThatIsSmallDeterminesShapes) {
  const Graph graph =
      through({node("Reshape", {"x", "to"}, {"r"}), node("Shape", {"r"}, {"s"}), node("Expand", {"r", "s"}, {"y"})},
              {external("to", {2}, "f", Dtype::int64)}, value_info("x", Dtype::float32, {6}));
  const std::int64_t target[] = {2, 3};
  Wish wish;
  wish.files = {{"f", std::string(reinterpret_cast<const char*>(target), sizeof target)}};
  EXPECT_EQ(listing(simplify(graph, wish)), "y = Reshape(x, to)");
}

TEST(ExternalData, ThatIsTooShortIsAnError) {
  const Graph graph = through({node("Add", {"w", "w"}, {"a"}), node("Add", {"x", "a"}, {"y"})}, {external("w", {4}, "f")},
                              value_info("x", Dtype::float32, {4}));
  Wish wish;
  wish.files = {{"f", std::string(15, 'x')}};
  EXPECT_TRUE(fails(try_simplify(model(graph), wish), Code::InvalidArgument));
}

TEST(ExternalData, ThatIsNotWhatTheModelSaysIsAnError) {
  const auto fails_with = [](const Proto& weights, std::string_view why) {
    const Graph graph =
        through({node("Not", {"w"}, {"a"}), node("And", {"x", "a"}, {"y"})}, {weights}, value_info("x", Dtype::boolean, {2}));
    Wish wish;
    wish.files = {{"f", {1, 2, 0}}};
    return fails(try_simplify(model(graph), wish), Code::InvalidModel, why);
  };
  const Proto bools = external("w", {2}, "f", Dtype::boolean);
  EXPECT_TRUE(fails_with(bools, "external data of 'w': element 1 is 2, which bool cannot hold"));
  Proto longer = bools;
  longer.message(13, Proto().string(1, "length").string(2, "3"));
  EXPECT_TRUE(fails_with(longer, "external data of 'w' has length 3, but bool of dims [2] has 2 bytes"));
}

// ---- Requests ----

const Graph two_inputs{{node("Add", {"a", "b"}, {"c"}), node("Neg", {"c"}, {"y"}), node("Abs", {"a"}, {"z"})},
                       {value_info("a", Dtype::float32, {"n", "m", 3}), value_info("b", Dtype::float32, {"n", "", 3})},
                       {value_info("y", Dtype::float32, {"n", "m", 3}), value_info("z", Dtype::float32, {"n", "m", 3})}};

Names inputs_of(const Simplified& result) {
  Names list;
  for (const GraphInput& input : result.graph().inputs) list.push_back(declared(input.info));
  return list;
}
Names outputs_of(const Simplified& result) {
  Names list;
  for (const GraphOutput& output : result.graph().outputs) list.push_back(declared(output.info));
  return list;
}

TEST(Dims, AreFixedForEveryUseOfTheirName) {
  Wish wish;
  wish.dims = {{"n", 2}};
  const Simplified result = simplify(two_inputs, wish);
  EXPECT_EQ(inputs_of(result), (Names{"float32 [2, m, 3]", "float32 [2, ?, 3]"}));
  EXPECT_EQ(outputs_of(result), (Names{"float32 [2, m, 3]", "float32 [2, m, 3]"}));
}

TEST(Shapes, FixAndNameSizes) {
  Wish wish;
  wish.shapes = {{"a", {4, "", ""}}, {"b", {"", "rows", ""}}};
  EXPECT_EQ(inputs_of(simplify(two_inputs, wish)), (Names{"float32 [4, m, 3]", "float32 [n, rows, 3]"}));
  wish.trusts_names = true;
  EXPECT_EQ(inputs_of(simplify(two_inputs, wish)), (Names{"float32 [4, m, 3]", "float32 [4, rows, 3]"})) << "n is one size";
}

TEST(Shapes, MayBeSeveralNumbersForOneNameThatIsNotTrusted) {
  Wish wish;
  wish.shapes = {{"a", {1, "", ""}}, {"b", {4, "", ""}}};
  EXPECT_EQ(inputs_of(simplify(two_inputs, wish)), (Names{"float32 [1, m, 3]", "float32 [4, ?, 3]"}));
  wish.trusts_names = true;
  EXPECT_TRUE(fails(try_simplify(model(two_inputs), wish), Code::InvalidArgument,
                    "size 4 for axis 0 of input 'b': 'n' is 1 elsewhere"));
}

TEST(Shapes, GiveNamesThatAreOneSizeEach) {
  Graph graph = two_inputs;
  graph.inputs = {value_info("a", Dtype::float32, {4, "m", 3}), value_info("b", Dtype::float32, {"", "k", 3})};
  Wish wish;
  wish.shapes = {{"a", {"k", "", ""}}, {"b", {"k", "", ""}}};
  EXPECT_EQ(inputs_of(simplify(graph, wish)), (Names{"float32 [4, m, 3]", "float32 [4, k, 3]"})) << "the file's k is another";
  // The caller knows that x is square.
  const Graph square = through({node("Transpose", {"x"}, {"t"}), node("Shape", {"t"}, {"s"}),
                                node("Reshape", {"x", "s"}, {"r"}), node("Neg", {"r"}, {"y"})},
                               {}, value_info("x", Dtype::float32, {"n", "n"}));
  EXPECT_EQ(simplify(square).graph().order.size(), 4U);
  wish.shapes = {{"x", {"n", "n"}}};
  EXPECT_EQ(listing(simplify(square, wish)), "y = Neg(x)");
}

TEST(Shapes, ThatAreAskedForMayMakeTheFileLargerThanItsLimit) {
  const Graph graph = through({node("Identity", {"x"}, {"i"}), node("Abs", {"i"}, {"y"})}, {}, value_info("x", Dtype::float32));
  Wish wish;
  wish.growth = 0;
  wish.shapes = {{"x", {2, 3, 4, 5, 6, 7, 8, 9}}};
  const Simplified result = simplify(graph, wish);
  EXPECT_EQ(inputs_of(result), Names{"float32 [2, 3, 4, 5, 6, 7, 8, 9]"});
  EXPECT_EQ(listing(result), "y = Abs(x)");
}

TEST(Shapes, GiveARankToAnInputWithoutOne) {
  Wish wish;
  wish.shapes = {{"x", {1, "w"}}};
  const Simplified result = simplify(through({node("Neg", {"x"}, {"y"})}, {}, value_info("x", Dtype::float32)), wish);
  EXPECT_EQ(inputs_of(result), Names{"float32 [1, w]"});
  EXPECT_EQ(outputs_of(result), Names{"float32 [1, w]"});
}

TEST(Shapes, MayNameASizeThatDimsFix) {
  Wish wish;
  wish.shapes = {{"b", {"", "rows", ""}}};
  wish.dims = {{"rows", 5}};
  EXPECT_EQ(inputs_of(simplify(two_inputs, wish)), (Names{"float32 [n, m, 3]", "float32 [n, 5, 3]"}));
}

TEST(Values, BecomeConstants) {
  Wish wish;
  wish.values = {{"b", floats({1, 1, 3}, {1, 2, 3})}};
  const Simplified result = simplify(two_inputs, wish);
  EXPECT_EQ(inputs_of(result), Names{"float32 [n, m, 3]"});
  EXPECT_EQ(elements<float>(constant_named(result, "b")), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(listing(result), "c = Add(a, b); y = Neg(c); z = Abs(a)");
}

TEST(Values, OfAnInputThatIsAlsoAnOutputBecomeThatOutput) {
  Graph graph = two_inputs;
  graph.outputs.push_back(value_info("b", Dtype::float32));
  Wish wish;
  wish.values = {{"b", floats({1, 1, 3}, {1, 2, 3})}};
  const Simplified result = simplify(graph, wish);
  const Tensor a = floats({1, 2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(names_of(result.graph().outputs), (Names{"y", "z", "b"}));
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"a", a}, {"b", wish.values[0].second}}));
}

TEST(Outputs, ThatAreNotSelectedAreRemovedWithTheirNodes) {
  Wish wish;
  wish.outputs = {"z"};
  const Simplified result = simplify(two_inputs, wish);
  EXPECT_EQ(listing(result), "z = Abs(a)");
  EXPECT_EQ(names_of(result.graph().inputs), (Names{"a", "b"})) << "inputs stay, so that callers may go on";
}

TEST(Requests, ForUnknownNamesFailWithAListOfTheKnownOnes) {
  const std::string file = model(two_inputs);
  const auto ask = [&](const auto& set) {
    Wish wish;
    set(wish);
    return try_simplify(file, wish);
  };
  constexpr Code code = Code::InvalidArgument;
  EXPECT_TRUE(fails(ask([](Wish& wish) { wish.dims = {{"k", 1}}; }), code, "no size 'k'; the model has 'n', 'm'"));
  EXPECT_TRUE(fails(ask([](Wish& wish) { wish.shapes = {{"c", {1}}}; }), code, "no input 'c'; the model has 'a', 'b'"));
  EXPECT_TRUE(fails(ask([](Wish& wish) { wish.values = {{"c", floats({1}, {1})}}; }), code, "no input 'c'"));
  EXPECT_TRUE(fails(ask([](Wish& wish) { wish.outputs = {"c"}; }), code, "no output 'c'; the model has 'y', 'z'"));
  EXPECT_TRUE(fails(ask([](Wish& wish) { wish.outputs.emplace(); }), code,
                    "outputs is an empty list, wanted names of outputs; the model has 'y', 'z'"));
}

TEST(Requests, ThatContradictTheModelOrThemselvesAreErrors) {
  const std::string file = model(two_inputs);
  const auto ask = [&](const auto& set) {
    Wish wish;
    set(wish);
    return try_simplify(file, wish);
  };
  constexpr Code code = Code::InvalidArgument;
  EXPECT_TRUE(fails(ask([](Wish& wish) {
                      wish.shapes = {{"a", {1, 2, 4}}};
                    }),
                    code, "size 4 for axis 2 of input 'a', which is declared as 3"));
  EXPECT_TRUE(fails(ask([](Wish& wish) {
                      wish.shapes = {{"a", {1, 2}}};
                    }),
                    code, "2 sizes for input 'a', which is declared as [n, m, 3]"));
  EXPECT_TRUE(fails(ask([](Wish& wish) {
                      wish.dims = {{"n", 1}};
                      wish.shapes = {{"a", {2, "", ""}}};
                    }),
                    code, "size 2 for axis 0 of input 'a': 'n' is 1 elsewhere"));
  EXPECT_TRUE(fails(ask([](Wish& wish) { wish.values = {{"b", int64s({1, 1, 3}, {1, 2, 3})}}; }), code, "'b'"));
  EXPECT_TRUE(fails(ask([](Wish& wish) { wish.values = {{"b", floats({3}, {1, 2, 3})}}; }), code, "'b'"));
}

// ---- Kept contents ----

// A file with all kinds of contents that do not affect results.
std::string rich_file() {
  Proto graph =
      through({node("Identity", {"x"}, {"i"}), node("Abs", {"i"}, {"y"}, {}, "the last").string(6, "says much"),
               node("Weave", {"y"}, {"z"}, {int_of("knots", 3), attribute("odd", STRING).string(4, "yarn")}, "loom", "local")})
          .proto();
  graph.message(12, value_info("z", Dtype::float32)).string(10, "about the graph");
  graph.message(16, Proto().string(1, "graph key").string(2, "graph value"));
  return Proto()
      .varint(1, 9)
      .string(2, "a producer")
      .string(3, "its version")
      .string(4, "its domain")
      .varint(5, 77)
      .string(6, "about the model")
      .message(7, graph)
      .message(8, opset_import(17))
      .message(8, opset_import(3, "local"))
      .message(14, Proto().string(1, "a key").string(2, "a value"))
      .bytes();
}

TEST(TextsOfTheFile, AreKept) {
  const std::string file = rich_file();
  const Simplified result = simplify(file);
  EXPECT_EQ(listing(result), "y = Abs(x); z = Weave(y)");
  for (const char* text : {"a producer", "its version", "its domain", "about the model", "about the graph", "graph key",
                           "graph value", "a key", "a value", "the last", "says much", "Weave", "knots", "yarn", "loom"}) {
    EXPECT_NE(result.bytes.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(result.model->opset, 17);
  EXPECT_EQ(result.model->ir_version, 9);
  for (const Proto& field : {Proto().varint(5, 77), Proto().message(8, opset_import(3, "local"))}) {
    EXPECT_NE(result.bytes.find(field.bytes()), std::string::npos);
  }
}

TEST(Inputs, WithoutReadersStay) {
  Graph graph = through({node("Abs", {"x"}, {"y"})});
  graph.inputs.push_back(value_info("unread", Dtype::int64, {1}));
  graph.nodes.push_back(node("Neg", {"unread"}, {"n"}));
  EXPECT_EQ(names_of(simplify(graph).graph().inputs), (Names{"x", "unread"}));
}

TEST(Inputs, WithADefaultAreNotConstants) {
  Graph graph = through({node("Add", {"k", "k"}, {"d"}), node("Add", {"x", "d"}, {"y"})}, {float_tensor({3}, {1, 2, 3}, "k")});
  graph.inputs.push_back(value_info("k", Dtype::float32, {3}));
  EXPECT_EQ(listing(simplify(graph)), "d = Add(k, k); y = Add(x, d)");
  // Before IR version 4, each initializer is an input.
  const Simplified old = simplify(model(graph, 9, 3));
  EXPECT_EQ(listing(old), "y = Add(x, d)");
  EXPECT_EQ(names_of(old.graph().inputs), Names{"x"});
  EXPECT_EQ(old.model->ir_version, 4);
}

TEST(Inputs, WithADefaultBecomeTheGivenValue) {
  Graph graph = through({node("Add", {"x", "k"}, {"y"})}, {float_tensor({3}, {1, 2, 3}, "k")});
  graph.inputs.push_back(value_info("k", Dtype::float32, {3}));
  Wish wish;
  wish.values = {{"k", floats({3}, {4, 5, 6})}};
  const Simplified result = simplify(graph, wish);
  EXPECT_EQ(names_of(result.graph().inputs), Names{"x"});
  EXPECT_EQ(elements<float>(constant_named(result, "k")), (std::vector<float>{4, 5, 6}));
}

TEST(SparseInitializers, StaySparse) {
  const Proto sparse = Proto().message(1, float_tensor({1}, {5}, "w")).message(2, int64_tensor({1}, {1})).varints(3, {3});
  Graph graph = through({node("Identity", {"w"}, {"i"}), node("Add", {"x", "i"}, {"y"})});
  graph.sparse_initializers = {sparse};
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "y = Add(x, w)");
  ASSERT_EQ(result.graph().initializers.size(), 1U);
  EXPECT_NE(records(result.graph().initializers)[0]->sparse, nullptr);
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", six}}));
}

TEST(SparseInitializers, StandBehindConstantsThatWereComputed) {
  const Proto sparse = Proto().message(1, float_tensor({1}, {5}, "w")).message(2, int64_tensor({1}, {1})).varints(3, {3});
  Graph graph = through({node("Add", {"k", "k"}, {"d"}), node("Add", {"x", "w"}, {"i"}), node("Add", {"i", "d"}, {"y"})},
                        {float_tensor({3}, {1, 2, 3}, "k")});
  graph.sparse_initializers = {sparse};
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "i = Add(x, w); y = Add(i, d)");
  EXPECT_EQ(simplify(result.bytes).bytes, result.bytes) << "a second time changes nothing";
}

TEST(ComputedNodes, OfOtherDomainsAreConstantsOfOnnx) {
  const Graph graph{{node("Relu", {"x"}, {"y"}), node("Gelu", {"k"}, {"z"}).string(7, "com.microsoft")},
                    {value_info("x", Dtype::float32, {2, 3})},
                    {any("y"), any("z")},
                    {float_tensor({3}, {1, 2, 3}, "k")}};
  const Proto imports = Proto().varint(1, 8).message(8, opset_import(13)).message(8, opset_import(1, "com.microsoft"));
  const std::string file = Proto(imports).message(7, graph.proto()).bytes();
  const Simplified result = simplify(file);
  EXPECT_EQ(listing(result), "y = Relu(x); z = Constant()");
  EXPECT_TRUE(gives_the_same(file, result, {{"x", six}}));
}

TEST(ValueInfos, AreKeptCorrectedAndWrittenOnRequest) {
  Graph graph = through(
      {node("Abs", {"x"}, {"a"}), node("Neg", {"a"}, {"b"}), node("Identity", {"b"}, {"c"}), node("Exp", {"c"}, {"y"})});
  graph.value_infos = {value_info("a", Dtype::float32, {"n", 7}).string(3, "about a"),
                       value_info("c", Dtype::float32, {"n", 3})};
  const auto declared = [](const Simplified& result, std::string_view name) -> std::string {
    const Value* value = result.model->find(name);
    return value == nullptr ? "gone" : value->declared == nullptr ? "none" : test::declared(*value->declared);
  };
  const Simplified result = simplify(graph);
  EXPECT_EQ(declared(result, "a"), "float32 [n, 3]") << "it was wrong";
  EXPECT_NE(result.bytes.find("about a"), std::string::npos);
  EXPECT_EQ(declared(result, "b"), "none");
  EXPECT_EQ(declared(result, "c"), "gone");
  Wish wish;
  wish.value_info = true;
  EXPECT_EQ(declared(simplify(graph, wish), "b"), "float32 [n, 3]");
}

TEST(ValueInfos, KeepNumbersOfWhichInferenceKnowsNothing) {
  Graph graph = through({node("Reshape", {"x", "s"}, {"r"}), node("Identity", {"r"}, {"i"}), node("Neg", {"i"}, {"y"})});
  graph.inputs.push_back(value_info("s", Dtype::int64, {2}));
  graph.value_infos = {value_info("r", Dtype::float32, {6, 3})};
  const auto declared = [](const Simplified& result) { return test::declared(*result.model->find("r")->declared); };
  EXPECT_EQ(declared(simplify(graph)), "float32 [6, 3]");
  Wish wish;
  wish.dims = {{"n", 4}};
  EXPECT_EQ(declared(simplify(graph, wish)), "float32 [6, 3]");
}

TEST(ValueInfos, LoseNumbersThatDependOnNamedSizes) {
  Graph graph = through(
      {node("Concat", {"x", "x"}, {"c"}, {int_of("axis", 0)}), node("Identity", {"c"}, {"i"}), node("Neg", {"i"}, {"y"})});
  graph.value_infos = {value_info("c", Dtype::float32, {6, 3})};
  EXPECT_EQ(test::declared(*simplify(graph).model->find("c")->declared), "float32 [?, 3]");
}

TEST(ValueInfos, GetTheTypeThatTheyLackButOutputsStayWithoutOne) {
  Graph graph = through({node("Abs", {"x"}, {"a"}), node("Identity", {"a"}, {"b"}), node("Neg", {"b"}, {"y"})});
  graph.value_infos = {value_info("a", Dtype::undefined, {"n", 3})};
  graph.outputs = {value_info("y", Dtype::undefined, {"n", 3})};
  const std::string bytes = simplify(graph).bytes;
  const auto has = [&](const Proto& info) { return bytes.find(info.bytes()) != std::string::npos; };
  EXPECT_TRUE(has(value_info("a", Dtype::float32, {"n", 3})));
  EXPECT_TRUE(has(graph.outputs[0]));
}

TEST(AFile, OlderThanOpsetImportsGetsOne) {
  const Graph graph = through({node("Identity", {"x"}, {"i"}), node("Abs", {"i"}, {"y"}, {ints_of("consumed_inputs", {0})})});
  const std::string file = Proto().varint(1, 2).message(7, graph.proto()).bytes();
  const Simplified result = simplify(file);
  EXPECT_EQ(result.model->opset, 1);
  EXPECT_EQ(result.graph().order.size(), 1U) << listing(result);
}

TEST(ADamagedFile, IsAnInvalidModel) {
  const std::string file = rich_file();
  EXPECT_TRUE(fails(try_simplify(file.substr(0, file.size() / 2)), Code::InvalidModel));
  EXPECT_TRUE(fails(try_simplify(""), Code::InvalidModel));
}

// ---- Reports ----

TEST(Counts, AreThoseOfNodesBeforeAndAfter) {
  const Simplified result = simplify(rich_file());
  const auto text = [](const std::vector<OperatorCount>& counts) {
    std::string list;
    for (const OperatorCount& one : counts)
      list += std::string(one.domain) + ":" + std::string(one.op_type) + " " + std::to_string(one.count) + ";";
    return list;
  };
  EXPECT_EQ(text(result.work->operators_before()), ":Identity 1;:Abs 1;local:Weave 1;");
  EXPECT_EQ(text(result.work->operators_after()), ":Abs 1;local:Weave 1;");
  EXPECT_EQ(result.work->bytes_before(), static_cast<std::int64_t>(rich_file().size()));
}

TEST(Reasons, AreTheSizesOfInputs) {
  const Graph graph =
      through({node("Abs", {"x"}, {"a"}), node("Shape", {"a"}, {"s"}), node("Opaque", {"s"}, {"y"}, {}, "", "local")});
  const Simplified result = simplify(graph);
  const std::vector<DynamicSize>& sizes = result.work->reasons().sizes;
  ASSERT_GE(sizes.size(), 1U);
  EXPECT_EQ(sizes[0].cause.kind, Cause::Kind::size);
  EXPECT_EQ(sizes[0].cause.value->name, "x");
  EXPECT_EQ(sizes[0].cause.axis, 0);
  EXPECT_EQ(sizes[0].cause.name, "n");
  EXPECT_EQ(sizes[0].nodes, 2);
  EXPECT_EQ(sizes[0].shape_nodes, 1);
}

TEST(Reasons, AreRanksThatInputsDoNotDeclare) {
  const Simplified result = simplify(through({node("Abs", {"x"}, {"y"})}, {}, value_info("x", Dtype::float32)));
  const std::vector<DynamicSize>& sizes = result.work->reasons().sizes;
  ASSERT_EQ(sizes.size(), 1U);
  EXPECT_EQ(sizes[0].cause.kind, Cause::Kind::rank);
  EXPECT_EQ(sizes[0].cause.value->name, "x");
}

TEST(Reasons, AreOperatorsWhoseSizesOnlyARunDetermines) {
  const Simplified result =
      simplify(through({node("NonZero", {"x"}, {"a"}, {}, "find"), node("Cast", {"a"}, {"y"}, {int_of("to", 1)})}, {},
                       value_info("x", Dtype::float32, {2, 3})));
  const std::vector<DynamicSize>& sizes = result.work->reasons().sizes;
  ASSERT_EQ(sizes.size(), 1U);
  EXPECT_EQ(sizes[0].cause.kind, Cause::Kind::made);
  EXPECT_EQ(sizes[0].cause.value->name, "a");
  EXPECT_EQ(sizes[0].cause.value->producer->op_type, "NonZero");
  EXPECT_EQ(sizes[0].nodes, 2);
}

TEST(Reasons, OfAnIfAreTheSourcesOfItsCondition) {
  const Graph one{{node("Neg", {"x"}, {"a"})}, {}, {value_info("a", Dtype::undefined)}};
  const Graph other{{node("Abs", {"x"}, {"a"})}, {}, {value_info("a", Dtype::undefined)}};
  Graph graph = through({node("Equal", {"sr", "rate"}, {"c"}),
                         node("If", {"c"}, {"y"}, {graph_of("then_branch", one), graph_of("else_branch", other)}, "choice")},
                        {int64_tensor({}, {16000}, "rate")});
  graph.inputs.push_back(value_info("sr", Dtype::int64, {}));
  const Simplified result = simplify(graph);
  const std::vector<KeptGraph>& graphs = result.work->reasons().graphs;
  ASSERT_EQ(graphs.size(), 1U);
  EXPECT_EQ(graphs[0].node->name, "choice");
  ASSERT_TRUE(graphs[0].has_cause);
  EXPECT_EQ(graphs[0].cause.kind, Cause::Kind::value);
  EXPECT_EQ(graphs[0].cause.value->name, "sr");
}

TEST(Reasons, OfAnIfAreTheSizesThatItsConditionIsMadeOf) {
  const Graph one{{node("Neg", {"x"}, {"a"})}, {}, {value_info("a", Dtype::undefined)}};
  const Graph other{{node("Abs", {"x"}, {"a"})}, {}, {value_info("a", Dtype::undefined)}};
  const Graph graph = through({node("Size", {"x"}, {"s"}), node("Greater", {"s", "limit"}, {"c"}),
                               node("If", {"c"}, {"y"}, {graph_of("then_branch", one), graph_of("else_branch", other)})},
                              {int64_tensor({}, {12}, "limit")});
  const Simplified result = simplify(graph);
  const std::vector<KeptGraph>& graphs = result.work->reasons().graphs;
  ASSERT_EQ(graphs.size(), 1U);
  ASSERT_TRUE(graphs[0].has_cause);
  EXPECT_EQ(graphs[0].cause.kind, Cause::Kind::size);
  EXPECT_EQ(graphs[0].cause.value->name, "x");
  EXPECT_EQ(graphs[0].cause.axis, 0);
}

TEST(Reasons, OfALoopSayThatItsCountIsKnown) {
  const Graph body{{node("Neg", {"v"}, {"w"})},
                   {value_info("i", Dtype::int64, {}), value_info("go", Dtype::boolean, {}), value_info("v", Dtype::undefined)},
                   {value_info("go", Dtype::undefined), value_info("w", Dtype::undefined)}};
  const Graph graph =
      through({node("Loop", {"trips", "", "x"}, {"y"}, {graph_of("body", body)}, "again")}, {int64_tensor({}, {5}, "trips")});
  const Simplified result = simplify(graph);
  ASSERT_EQ(result.work->reasons().graphs.size(), 1U);
  EXPECT_TRUE(result.work->reasons().graphs[0].is_known);
}

TEST(Reasons, AreEmptyIfAllSizesAreFixed) {
  Wish wish;
  wish.dims = {{"n", 2}};
  const Simplified result = simplify(through({node("Abs", {"x"}, {"a"}), node("Neg", {"a"}, {"y"})}), wish);
  EXPECT_TRUE(result.work->reasons().sizes.empty());
  EXPECT_TRUE(result.work->reasons().graphs.empty());
}

TEST(Memory, IsFreedAfterSuccessAndAfterErrors) {
  const std::size_t before = Storage::bytes_in_use();
  const Graph graph = through({node("Add", {"w", "w"}, {"a"}), node("Add", {"x", "a"}, {"y"})}, {large(2, "w")},
                              value_info("x", Dtype::float32, {1}));
  { const Simplified result = simplify(graph); }
  EXPECT_EQ(Storage::bytes_in_use(), before);
  Wish wish;
  wish.files.emplace();
  const Graph missing = through({node("Add", {"w", "w"}, {"a"}), node("Add", {"x", "a"}, {"y"})}, {external("w", {4}, "f")},
                                value_info("x", Dtype::float32, {4}));
  EXPECT_TRUE(fails(try_simplify(model(missing), wish), Code::InvalidArgument));
  EXPECT_EQ(Storage::bytes_in_use(), before);
}

}  // namespace
}  // namespace broadloom::test::simplification_test
