// Reading a split file (src/onnx/split_file.h) gives the same model, tensor or error as reading the whole file. In these tests
// "large" means a few bytes. BROADLOOM_SEED repeats a run, BROADLOOM_FUZZ_CASES sets its length.
#include "support/cases.h"
#include "support/models.h"
#include "support/random.h"
#include "support/split_files.h"
#include "support/tensor_files.h"

namespace broadloom::split_file_test {
namespace {

using test::any;
using test::attribute;
using test::node;
using test::Proto;
using test::Random;
using test::value_info;
using enum AttributeType;

constexpr std::size_t min_span = 24;

std::string counted(std::size_t bytes, int from) {
  std::string text(bytes, '\0');
  for (std::size_t i = 0; i < bytes; ++i) text[i] = static_cast<char>(from + static_cast<int>(i));
  return text;
}

Proto large(Dtype dtype, const test::List& dims, std::size_t bytes, std::string_view name = "") {
  return test::raw_tensor(dtype, dims, counted(bytes, static_cast<int>(bytes)), name);
}

Proto indices(const test::List& values) {
  std::string bytes(values.size() * 8, '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return test::raw_tensor(Dtype::int64, {static_cast<std::int64_t>(values.size())}, bytes);
}

// A tensor in two parts, which protobuf merges. It has raw_data twice; the last one counts.
std::string tensor_in_parts(std::uint32_t field) {
  return Proto()
      .message(field, Proto().varints(1, {7}).string(9, counted(30, 0)))
      .message(field, Proto().varint(2, 1).string(9, counted(28, 5)))
      .bytes();
}

// Large raw_data in each place that the reader uses: dense and sparse initializers, attributes, subgraphs, functions and their
// defaults. It also has other large fields.
std::string everything() {
  const Proto sparse =
      Proto().message(1, large(Dtype::float64, {4}, 32, "sparse")).message(2, indices({1, 3, 4, 8})).varints(3, {9});
  const Proto sparse_value = Proto().message(2, indices({0, 1, 7})).message(1, large(Dtype::float64, {3}, 24)).varints(3, {8});
  const test::Graph then_branch{{node("Identity", {"inner"}, {"t"}), node("Identity", {"shared"}, {"u"})},
                                {},
                                {any("t"), any("u")},
                                {large(Dtype::uint8, {25}, 25, "inner")}};
  const test::Graph else_branch{
      {node("Constant", {}, {"t"}, {test::tensor_of_attribute("value", large(Dtype::uint8, {26}, 26))}),
       node("Constant", {}, {"u"}, {attribute("sparse_value", SPARSE_TENSOR).message(22, sparse_value)})},
      {},
      {any("t"), any("u")}};
  const test::Graph graph{
      {node("If", {"cond"}, {"a", "b"},
            {test::graph_of("then_branch", then_branch), test::graph_of("else_branch", else_branch)}, "if"),
       node("Constant", {}, {"c"}, {attribute("value", TENSOR).raw(tensor_in_parts(5))}, "constant"),
       node("F", {"small"}, {"f", "g"}, {}, "first call", "local"), node("F", {"small"}, {"h", "i"}, {}, "", "local"),
       node("Constant", {}, {"j"}, {attribute("value_string", STRING).string(4, counted(40, 48))}),
       node("Expand", {"flags", "sizes"}, {"k"}), node("Identity", {"sparse"}, {"l"}), node("Identity", {"nibbles"}, {"m"})},
      {value_info("cond", Dtype::boolean, {1})},
      {any("a"), any("b"), any("c"), any("f"), any("g"), any("h"), any("i"), any("j"), any("k"), any("l"), any("m")},
      {large(Dtype::float64, {4}, 32, "shared"), test::raw_tensor(Dtype::boolean, {30}, std::string(30, '\1'), "flags"),
       large(Dtype::int4, {59}, 30, "nibbles"), test::int64_tensor({2}, {2, 30}, "sizes"),
       test::float_tensor({20}, std::vector<float>(20, 3), "small")},
      {sparse}};
  const Proto function =
      Proto()
          .string(1, "F")
          .string(4, "x")
          .string(5, "y")
          .string(5, "z")
          .message(7, node("Constant", {}, {"y"}, {test::tensor_of_attribute("value", large(Dtype::uint16, {16}, 32))}))
          .message(7, node("Constant", {}, {"z"}, {attribute("value", TENSOR).string(21, "default")}))
          .message(9, test::opset_import(25))
          .string(10, "local")
          .message(11, test::tensor_of_attribute("default", large(Dtype::int8, {27}, 27)));
  const Proto with_function =
      Proto().varint(1, 10).message(8, test::opset_import(25)).message(8, test::opset_import(1, "local")).message(25, function);
  // The graph is in two parts.
  return with_function.bytes() + Proto().message(7, graph.proto()).message(7, Proto().string(2, counted(50, 65))).bytes();
}
constexpr std::size_t spans_of_everything = 13;

// More nested graphs than SplitFile searches and than the reader accepts.
std::string too_deep() {
  test::Graph graph{{}, {}, {}, {large(Dtype::uint8, {25}, 25, "w")}};
  const test::Graph none;
  for (int i = 0; i < 60; ++i) {
    test::Graph around;
    around.nodes = {node("If", {"cond"}, {}, {test::graph_of("then_branch", graph), test::graph_of("else_branch", none)})};
    graph = around;
  }
  graph.inputs = {value_info("cond", Dtype::boolean, {1})};
  return test::model(graph);
}

// ---- Results of reading ----

template <class T>
std::string error_of(const Result<T>& result) {
  const ErrorDetails& error = *result.error().operator->();
  std::string text = std::to_string(static_cast<int>(error.code)) + " " + std::to_string(error.opset);
  for (const Text* part : {&error.op, &error.node, &error.message}) text.append(" | ").append(part->view());
  return text;
}

std::string contents(const Tensor& tensor) {
  if (tensor.dtype == Dtype::undefined || !tensor.has_elements()) return "none";
  if (tensor.count() > 100000) return "large";
  const auto file = write_tensor_proto(tensor);
  return file ? std::string(reinterpret_cast<const char*>(file->data()), dense_size(*file)) : error_of(file);
}

// The model's warnings and initializers, and the outputs of a run.
std::string contents(const Model& model) {
  std::string text;
  for (const Warning& warning : model.warnings) text.append(warning.text).append("\n");
  for (const Graph& graph : model.graphs()) {
    for (const Initializer& one : graph.initializers) {
      text.append(one.value->name).append(" ").append(contents(one.tensor)).append("\n");
      if (one.sparse) text.append(contents(one.sparse->values)).append(contents(one.sparse->indices)).append("\n");
    }
  }
  test::Feeds feeds;
  if (model.graph->inputs.size() == 1) feeds.emplace_back("cond", test::tensor_of<std::uint8_t>(Dtype::boolean, {1}, {1}));
  const auto outputs = test::run(model, feeds);
  if (!outputs) return text + error_of(outputs);
  for (const Tensor& output : *outputs) text.append(contents(output)).append("\n");
  return text;
}

struct Outcome {
  bool is_read = false;
  std::string text;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

template <class T>
Outcome outcome_of(const Result<T>& result) {
  if (!result) return {false, error_of(result)};
  if constexpr (std::is_same_v<T, Tensor>) {
    return {true, contents(*result)};
  } else {
    return {true, contents(**result)};
  }
}

Outcome read(Source source, Message root, Unsupported unsupported) {
  if (root == Message::model) return outcome_of(read_model(source, {unsupported}));
  WireReader message(source, "");
  Tensor tensor = read_tensor_proto(message);
  return outcome_of(source.ok() ? Result<Tensor>(std::move(tensor)) : Failure(source.error()));
}

// ---- Tests ----

TEST(SplitFile, HasAnExternalSpanForEachLargeRawDataWhereverItIs) {
  const std::string bytes = everything();
  for (const std::size_t least : {std::size_t{20}, min_span}) {
    SplitFile file(Message::model, bytes.size(), least);
    test::give(file, bytes, bytes);
    EXPECT_EQ(file.span_count(), spans_of_everything);
    EXPECT_EQ(file.source().size(), bytes.size());
  }
  SplitFile whole(Message::model, bytes.size());
  test::give(whole, bytes, bytes);
  EXPECT_EQ(whole.span_count(), 0U);
}

TEST(SplitFile, IsReadAsTheWholeFile) {
  const std::size_t before = Storage::bytes_in_use();
  for (const std::string& bytes : {everything(), too_deep(), std::string()}) {
    const Outcome wanted = read(Source(bytes), Message::model, Unsupported::refused);
    EXPECT_EQ(wanted.is_read, bytes == everything()) << wanted.text;
    SplitFile file(Message::model, bytes.size(), min_span);
    test::give(file, bytes, bytes);
    EXPECT_EQ(read(file.source(), Message::model, Unsupported::refused), wanted);
  }
  EXPECT_EQ(Storage::bytes_in_use(), before);
}

TEST(SplitFile, GivesATensorTheStorageThatTheFileWasReadTo) {
  const std::string bytes = large(Dtype::float32, {8}, 32).bytes();
  const std::size_t before = Storage::bytes_in_use();
  SplitFile file(Message::tensor, bytes.size(), min_span);
  test::give(file, bytes, bytes);
  EXPECT_EQ(Storage::bytes_in_use(), before + 32);
  Source source = file.source();
  WireReader message(source, "");
  const Tensor tensor = read_tensor_proto(message);
  ASSERT_TRUE(source.ok());
  EXPECT_EQ(test::bytes_of(tensor).size(), 32U);
  EXPECT_EQ(test::bytes_of(tensor)[31], 63);
  EXPECT_EQ(Storage::bytes_in_use(), before + 32);
}

TEST(SplitFile, LeavesRawDataThatIsLongerThanItsMessageToTheReader) {
  // The length says 2^40 bytes; 30 follow.
  const Proto tensor = test::tensor_header(Dtype::uint8, {30}).tag(9, 2).number(std::uint64_t{1} << 40U).raw(counted(30, 0));
  const std::string& bytes = tensor.bytes();
  SplitFile file(Message::tensor, bytes.size(), min_span);
  test::give(file, bytes, bytes);
  EXPECT_EQ(file.span_count(), 0U);
  const Outcome outcome = read(file.source(), Message::tensor, Unsupported::refused);
  EXPECT_FALSE(outcome.is_read);
  EXPECT_NE(outcome.text.find("byte 4: field 9 has 1099511627776 bytes, but only 30 are left"), std::string::npos)
      << outcome.text;
}

TEST(SplitFile, FindsRawDataBehindNumbersOfFixedWidth) {
  const Proto tensor = test::tensor_header(Dtype::uint8, {30})
                           .fixed<std::uint64_t>(30, 0x4a4a'4a4a'4a4a'4a4aU)
                           .fixed<std::uint32_t>(31, 0x4a4a'4a4aU)
                           .string(9, counted(30, 0));
  const std::string& bytes = tensor.bytes();
  SplitFile file(Message::tensor, bytes.size(), min_span);
  test::give(file, bytes, bytes);
  EXPECT_EQ(file.span_count(), 1U);
  const Outcome outcome = read(file.source(), Message::tensor, Unsupported::refused);
  EXPECT_TRUE(outcome.is_read) << outcome.text;
}

TEST(SplitFile, CountsOffsetsAsInTheWholeFile) {
  const std::string bytes = Proto(large(Dtype::uint8, {1000}, 1000)).varint(14, 0).tag(3, 5).bytes();
  const Outcome wanted = read(Source(bytes), Message::tensor, Unsupported::refused);
  SplitFile file(Message::tensor, bytes.size(), min_span);
  test::give(file, bytes, bytes);
  EXPECT_EQ(file.span_count(), 1U);
  EXPECT_EQ(read(file.source(), Message::tensor, Unsupported::refused), wanted);
  EXPECT_NE(wanted.text.find("byte 10"), std::string::npos) << wanted.text;
}

// Changes, inserts or removes bytes at one to four places, or cuts off the end.
std::string damaged(std::string file, Random& random) {
  for (std::int64_t times = random.between(1, 4); times-- > 0 && !file.empty();) {
    const std::size_t at = random.below(file.size());
    switch (random.between(0, 9)) {
      case 0: file.resize(at); break;
      case 1: file.insert(at, 1, static_cast<char>(random.between(0, 255))); break;
      case 2: file.erase(at, random.below(30) + 1); break;
      case 3: file.insert(at, file.substr(random.below(file.size()), random.below(80))); break;
      case 4: file.replace(at, 1, std::string(9, random.one_in(2) ? '\xFF' : '\x80') + '\x01'); break;
      case 5: file[at] = static_cast<char>(random.between(0, 255)); break;
      default: file[at] = static_cast<char>(file[at] + random.between(-3, 3));
    }
  }
  return file;
}

TEST(DamagedSplitFiles, AreReadAsTheWholeFiles) {
  const std::vector<std::pair<Message, std::string>> files{
      {Message::model, everything()},
      {Message::tensor, Proto(large(Dtype::float32, {10}, 40)).message(13, Proto().string(1, "k").string(2, "v")).bytes()}};
  Random random;
  const std::size_t before = Storage::bytes_in_use();
  int read_with_spans = 0;
  int refused_with_spans = 0;
  for (int i = 0; i < test::cases(); ++i) {
    const auto& [root, whole] = files[random.one_in(10) ? 1 : 0];
    const std::string bytes = damaged(whole, random);
    const Unsupported unsupported = random.one_in(2) ? Unsupported::allowed : Unsupported::refused;
    SplitFile file(root, bytes.size(), random.one_in(2) ? min_span : 20 + random.below(40));
    test::give(file, bytes, bytes);
    const Outcome outcome = read(file.source(), root, unsupported);
    ASSERT_EQ(outcome, read(Source(bytes), root, unsupported)) << "case " << i << ": " << testing::PrintToString(bytes);
    if (file.span_count() != 0) ++(outcome.is_read ? read_with_spans : refused_with_spans);
  }
  EXPECT_EQ(Storage::bytes_in_use(), before);
  std::printf("with external spans: %d read, %d refused\n", read_with_spans, refused_with_spans);
  EXPECT_GT(read_with_spans, test::cases() / 40);
  EXPECT_GT(refused_with_spans, test::cases() / 20);
}

// Another thread may write to shared memory, and a file may be replaced while it is read. The result is unspecified then, but
// reading stays within bounds. The sanitizers check that.
TEST(DamagedSplitFiles, ThatChangeAfterTheyWereLookedAtEndWithAModelOrWithAnError) {
  Random random;
  const std::size_t before = Storage::bytes_in_use();
  for (int i = 0; i < test::cases() / 2; ++i) {
    const std::string looked_at = random.one_in(2) ? everything() : damaged(everything(), random);
    std::string changed = damaged(looked_at, random);
    changed.resize(looked_at.size(), '\x01');
    SplitFile file(Message::model, looked_at.size(), min_span);
    test::give(file, looked_at, changed);
    const Outcome outcome = read(file.source(), Message::model, Unsupported::allowed);
    ASSERT_FALSE(outcome.text.empty());
  }
  EXPECT_EQ(Storage::bytes_in_use(), before);
}

}  // namespace
}  // namespace broadloom::split_file_test
