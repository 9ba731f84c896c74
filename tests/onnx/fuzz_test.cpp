// Files that were damaged at random: whatever they hold, loading and running them ends with values or with an error.
// The sanitizers make this the real check. BROADLOOM_SEED repeats a run, BROADLOOM_FUZZ_CASES sets its length.
#include <sys/resource.h>

#include <map>

#include "graph/infer.h"
#include "support/models.h"
#include "support/official.h"
#include "support/random.h"
#include "support/tensor_files.h"

namespace broadloom {
namespace {

using test::attribute;
using test::float_tensor;
using test::int64_tensor;
using test::int_of;
using test::node;
using test::Proto;
using test::Random;
using test::value_info;
using enum AttributeType;

int cases() {
  const char* given = std::getenv("BROADLOOM_FUZZ_CASES");
  return given != nullptr ? std::atoi(given) : 50000;
}

// A damaged sparse tensor may ask for gigabytes of zeros, which are slow to write. Under the sanitizers, which want the
// address space for themselves, the limit is an option of theirs.
class MemoryLimit {
 public:
  MemoryLimit() {
#if !defined(BROADLOOM_SANITIZE)
    getrlimit(RLIMIT_AS, &before_);
    rlimit limit = before_;
    limit.rlim_cur = 512U << 20U;
    setrlimit(RLIMIT_AS, &limit);
#endif
  }
  ~MemoryLimit() {
#if !defined(BROADLOOM_SANITIZE)
    setrlimit(RLIMIT_AS, &before_);
#endif
  }

 private:
  [[maybe_unused]] rlimit before_{};
};

// ---- What is damaged ----

constexpr const char* official_cases[] = {
    "node/test_constant", "node/test_constantofshape_float_ones", "node/test_expand_dim_changed",    "node/test_identity",
    "node/test_if",       "node/test_shape_start_1_end_2",        "simple/test_expand_shape_model1",
};

std::vector<std::string> official_models() {
  std::vector<std::string> files;
  for (const char* name : official_cases) {
    const std::string file = test::file_bytes(test::official_folder / name / "model.onnx");
    if (!file.empty()) files.push_back(file);
  }
  return files;
}

// One model with everything that the reader knows, and some small ones.
std::vector<std::string> synthetic_models() {
  const Proto sparse =
      Proto().message(1, float_tensor({2}, {5, 6}, "sparse")).message(2, int64_tensor({2, 2}, {0, 1, 1, 0})).varints(3, {2, 2});
  const test::Graph all{
      {node("Constant", {}, {"sizes"}, {attribute("value_ints", INTS).varints(8, {2, 1, 3})}, "first"),
       node("Constant", {}, {"text"}, {attribute("value_strings", STRINGS).string(9, "a").string(9, "\xE2\x82\xAC")}),
       node("Constant", {}, {"c"}, {attribute("sparse_value", SPARSE_TENSOR).message(22, sparse)}),
       node("Constant", {}, {"f"}, {test::tensor_of_attribute("value", test::raw_tensor(Dtype::int4, {3}, "\x21\x03"))}),
       node("Expand", {"x", "sizes"}, {"e"}, {int_of("__line", 3)}, "second"),
       node("Shape", {"e"}, {"s"}, {int_of("start", -2), int_of("end", 9)}, "third", "ai.onnx"),
       node("ConstantOfShape", {"s"}, {"z"}, {test::tensor_of_attribute("value", float_tensor({1}, {4}))}),
       node("Identity", {"text"}, {"t"}), node("Expand", {"sparse", "w"}, {"y"}), node("Identity", {"d"}, {"i"})},
      {value_info("x", Dtype::float32, {"N", 1, 3}), value_info("w", Dtype::int64, {1}), value_info("d", Dtype::uint2)},
      {value_info("z", Dtype::float32, {"A", 3}), value_info("t", Dtype::string), value_info("y", Dtype::undefined),
       value_info("i", Dtype::uint2), value_info("f", Dtype::int4), value_info("c", Dtype::float32)},
      {int64_tensor({1}, {1}, "w"), test::tensor_header(Dtype::string, {1}, "unused").string(6, "x")},
      {sparse},
      {value_info("e", Dtype::float32)}};
  const test::Graph shape{{node("Shape", {"x"}, {"y"})}, {value_info("x", Dtype::string)}, {value_info("y", Dtype::int64)}};
  return {test::model(all), test::model(shape, 1, 3), test::model(test::one_constant({int_of("value_int", 7)}), 12, 4)};
}

// A model that only Unsupported::allowed reads.
std::string strange_model() {
  const test::Graph strange{
      {node("Weave", {"x", "", "far"}, {"a", "", "s"}, {attribute("body", GRAPH).string(6, "")}, "w"),
       node("Shape", {"s"}, {"b"}, {}, "", "com.example"), node("Shape", {"a"}, {"sizes"}),
       node("ConstantOfShape", {"sizes"}, {"fill"}), node("Expand", {"fill", "to"}, {"y"}), node("Identity", {"b"}, {"i"})},
      {value_info("x", Dtype::float32, {2, "n", ""}), value_info("to", Dtype::int64, {1})},
      {value_info("y", Dtype::float32), value_info("i", Dtype::int64)},
      {test::tensor_header(Dtype::float16, {7}, "far").varint(14, 1).message(13, Proto().string(1, "location").string(2, "f"))},
      {},
      {value_info("a", Dtype::float16, {1, "m", ""}), Proto().string(1, "s").message(2, Proto().string(4, ""))}};
  return test::model(strange);
}

// Models with graphs in nodes, functions, sparse initializers, nodes out of order, and messages in parts. "cond", "m" and "x"
// are what all of them take.
std::vector<std::string> nested_models() {
  const auto any = [](std::string_view name) { return value_info(name, Dtype::undefined); };
  const std::vector<Proto> inputs{value_info("x", Dtype::float32, {2, "N"}), value_info("cond", Dtype::boolean, {1}),
                                  value_info("m", Dtype::int64, {1})};
  const Proto sparse =
      Proto().message(1, int64_tensor({2}, {2, 1}, "sparse")).message(2, int64_tensor({2}, {0, 1})).varints(3, {2});
  const test::Graph body{
      {node("Shape", {"state"}, {"s"}), node("ConstantOfShape", {"sparse"}, {"item"}), node("Identity", {"state"}, {"next"})},
      {value_info("i", Dtype::int64, {}), value_info("go", Dtype::boolean, {}), any("state")},
      {any("go"), any("next"), any("s"), any("i"), value_info("item", Dtype::float32, {2, 1}), any("s")}};
  const test::Graph then_branch{
      {node("Loop", {"m", "cond", "late"}, {"l", "n", "", "p"}, {test::graph_of("body", body)})}, {}, {any("l"), any("n")}};
  const test::Graph else_branch{
      {node("Constant", {}, {"c"}, {attribute("value_ints", INTS).varints(8, {4, 5})})}, {}, {any("x"), any("c")}};
  const test::Graph branches{
      {node("If", {"cond"}, {"y", "z"},
            {test::graph_of("then_branch", then_branch), test::graph_of("else_branch", else_branch)}, "if"),
       node("Identity", {"x"}, {"late"})},
      inputs,
      {any("y"), any("z")},
      {},
      {sparse}};

  const test::Graph step{{node("Shape", {"slice"}, {"s"}), node("Identity", {"slice"}, {"out"})},
                         {any("state"), any("slice")},
                         {any("slice"), value_info("out", Dtype::float32, {"K"}), any("s")}};
  const auto flags = [](std::string_view name, const test::List& values) { return attribute(name, INTS).varints(8, values); };
  const test::Graph scans{
      {node("Scan", {"x", "x"}, {"y", "z", "s"},
            {test::graph_of("body", step), int_of("num_scan_inputs", 1), flags("scan_input_axes", {-1}),
             flags("scan_input_directions", {1}), flags("scan_output_axes", {1, 0}), flags("scan_output_directions", {1, 1})})},
      inputs,
      {any("y"), any("z"), any("s")}};
  const test::Graph scan_8{{node("Expand", {"x", "to"}, {"b"}),
                            node("Scan", {"lengths", "b", "b"}, {"y", "z"},
                                 {test::graph_of("body", step), int_of("num_scan_inputs", 1), flags("directions", {1})})},
                           inputs,
                           {any("y"), any("z")},
                           {int64_tensor({3}, {2, 2, 1}, "to"), int64_tensor({2}, {1, 2}, "lengths")}};

  // F(a) = G(a) from `from`, G(a) = a shape in a branch, of the start that it gets or 0.
  const Proto start = attribute("start", INT).string(21, "from");
  const auto function = [](std::string_view name, const std::vector<Proto>& nodes, const std::vector<Proto>& defaults) {
    Proto result = Proto().string(1, name).string(4, "a").string(4, "c").string(5, "b").string(5, "a");
    for (const Proto& one : nodes) result.message(7, one);
    result.message(9, test::opset_import(25)).message(9, test::opset_import(1, "local")).string(10, "local");
    for (const Proto& one : defaults) result.message(11, one);
    return result;
  };
  const test::Graph shape_branch{{node("Shape", {"a"}, {"k"}, {start})}, {}, {any("k")}};
  const test::Graph calls{{node("F", {"x", "cond"}, {"y", "z"}, {int_of("from", 1)}, "call", "local"),
                           node("F", {"z", "cond"}, {"w"}, {}, "", "local")},
                          inputs,
                          {any("y"), any("z"), any("w")}};
  std::string with_functions =
      Proto().varint(1, 10).message(8, test::opset_import(25)).message(8, test::opset_import(1, "local")).bytes();
  with_functions +=
      Proto()
          .message(25,
                   function("F", {node("G", {"a", "c"}, {"b"}, {attribute("from", INT).string(21, "from")}, "", "local")}, {}))
          .bytes();
  with_functions +=
      Proto()
          .message(25,
                   function("G",
                            {node("If", {"c"}, {"b"},
                                  {test::graph_of("then_branch", shape_branch), test::graph_of("else_branch", shape_branch)})},
                            {int_of("from", 0)}))
          .bytes();
  with_functions += Proto().message(7, calls.proto()).bytes();

  // The graph, its types and a tensor in parts.
  const Proto typed = Proto()
                          .string(1, "x")
                          .message(2, Proto().message(1, Proto().varint(1, 1)))
                          .message(2, Proto()
                                          .message(1, Proto().message(2, Proto().message(1, Proto().varint(1, 2))))
                                          .message(1, Proto().message(2, Proto().message(1, Proto().string(2, "N")))));
  const Proto tensor_in_parts = attribute("value", TENSOR)
                                    .message(5, Proto().varints(1, {1}))
                                    .message(5, Proto().varint(2, 1).packed_fixed(4, std::vector<float>{7}));
  const std::string parts =
      Proto()
          .varint(1, 10)
          .message(7, Proto().message(1, node("Shape", {"x"}, {"s"})))
          .message(8, test::opset_import(25))
          .message(7, Proto().message(11, typed).message(1, node("ConstantOfShape", {"s"}, {"y"}, {tensor_in_parts})))
          .message(7, Proto().message(12, any("y")))
          .bytes();
  return {test::model(branches), test::model(scans), test::model(scan_8, 8), with_functions, parts};
}

std::vector<std::string> tensors() {
  std::vector<std::string> files{
      float_tensor({2, 1}, {1, 2}, "name").bytes(),
      int64_tensor({3}, {1, -1, 300}).bytes(),
      test::tensor_header(Dtype::string, {2}).string(6, "a").string(6, "\xE2\x82\xAC").bytes(),
      test::tensor_header(Dtype::int4, {5}).packed_varints(5, {0x21, 0x43, 0xF5}).bytes(),
      test::tensor_header(Dtype::complex128, {1}).packed_fixed(10, std::vector<double>{1, 2}).bytes(),
      test::tensor_header(Dtype::uint64, {2}).varints(11, {1, -1}).bytes(),
      test::raw_tensor(Dtype::boolean, {3}, std::string("\1\0\1", 3)).bytes(),
      test::tensor_header(Dtype::float16, {1}).varint(14, 1).message(13, Proto().string(1, "location").string(2, "f")).bytes()};
  for (const char* name : official_cases) {
    const auto folder = test::official_folder / name / "test_data_set_0";
    if (!std::filesystem::exists(folder)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(test::file_bytes(entry.path()));
  }
  return files;
}

// ---- How it is damaged ----

char random_byte(Random& random) {
  static constexpr unsigned char telling[] = {0x00, 0x01, 0x7F, 0x80, 0xFF, 0x08, 0x0A, 0x12};
  return static_cast<char>(random.one_in(2) ? telling[random.below(8)] : random.between(0, 255));
}

void damage(std::string& file, const std::string& other, Random& random) {
  if (file.empty()) return file.push_back(random_byte(random));
  const std::size_t at = random.below(file.size());
  switch (random.between(0, 8)) {
    case 0: file[at] = static_cast<char>(file[at] ^ (1 << random.between(0, 7))); break;
    case 1: file[at] = random_byte(random); break;
    case 2: file.resize(at); break;
    case 3: file.insert(at, 1, random_byte(random)); break;
    case 4: file.erase(at, random.below(8) + 1); break;
    // Lengths and small numbers are bytes below 128: a step up or down keeps the rest plausible.
    case 5: file[at] = static_cast<char>(file[at] + (random.one_in(2) ? 1 : -1)); break;
    // A number of ten bytes: huge lengths, sizes and negative numbers.
    case 6: file.replace(at, 1, std::string(9, random.one_in(2) ? '\xFF' : '\x80') + '\x01'); break;
    // A part of itself again, and a part of another file.
    case 7: file.insert(at, file.substr(random.below(file.size()), random.below(60))); break;
    default: file.replace(at, random.below(20), other.substr(random.below(other.size()), random.below(60)));
  }
}

std::string damaged(const std::vector<std::string>& files, Random& random) {
  std::string file = files[random.below(files.size())];
  const std::int64_t times = random.one_in(2) ? 1 : random.between(1, 6);
  for (std::int64_t i = 0; i < times; ++i) damage(file, files[random.below(files.size())], random);
  return file;
}

// ---- What must hold ----

template <class T>
void expect_proper_error(const Result<T>& result) {
  EXPECT_LE(static_cast<int>(result.error()->code), static_cast<int>(Code::OutOfMemory));
  EXPECT_FALSE(result.error()->message.view().empty());
}

// Reads every element of a tensor that is not too large, and all of its text.
void expect_whole(const Tensor& tensor) {
  ASSERT_TRUE(dtype_from_id(static_cast<int>(tensor.dtype)));
  ASSERT_GE(tensor.count(), 0);
  if (tensor.count() > 100000) return;
  const auto file = write_tensor_proto(tensor);
  ASSERT_TRUE(test::succeeds(file));
  const std::string_view bytes(reinterpret_cast<const char*>(file->data()), dense_size(*file));
  const auto again = test::read_tensor(bytes);
  ASSERT_TRUE(test::succeeds(again));
  EXPECT_EQ(test::list(again->dims()), test::list(tensor.dims()));
  if (tensor.dtype == Dtype::string) {
    EXPECT_EQ(test::string_elements(*again), test::string_elements(tensor));
  } else {
    EXPECT_EQ(test::bytes_of(*again), test::bytes_of(tensor));
  }
}

// Something for every input: ones where it may be a shape, zeros elsewhere; of the declared dims if they are small, else
// of dims that do not fit.
test::Feeds feeds_for(const Model& model, Random& random) {
  test::Feeds feeds;
  for (const GraphInput& input : model.graph->inputs) {
    if (input.initializer != nullptr && random.one_in(2)) continue;
    test::List dims;
    for (const Dimension& dim : input.info.dims) {
      if (dims.size() < 6) dims.push_back(dim.value >= 0 && dim.value < 5 ? dim.value : 1);
    }
    const Dtype dtype = input.info.dtype == Dtype::undefined ? Dtype::float32 : input.info.dtype;
    Tensor tensor = test::zeros(dtype, test::dims_of(dims));
    if (tensor.dtype == Dtype::boolean) std::fill_n(tensor.data(), tensor.count(), std::byte(random.between(0, 1)));
    if (tensor.dtype == Dtype::int64) std::fill_n(reinterpret_cast<std::int64_t*>(tensor.data()), tensor.count(), 1);
    feeds.emplace_back(input.info.name, std::move(tensor));
  }
  return feeds;
}

// Whatever a model holds, all that can be asked of its nodes has an answer.
void look_at(const Model& model) {
  Inference inference(model);
  if (!inference.run()) return;
  std::vector<std::string_view> names(model.symbols.size());
  for (const Value* one = model.symbols.last(); one != nullptr; one = one->next) names[one->number] = one->name;
  for (const Graph& graph : model.graphs()) {
    for (const Node& node : graph.nodes) {
      EXPECT_FALSE(node.op_type.empty());
      EXPECT_TRUE(node.op != nullptr || !node.error.empty());
      for (const Value* value : node.outputs) {
        if (value == nullptr || !inference[*value].is_ranked()) continue;
        for (const Size size : inference[*value].dims()) {
          EXPECT_TRUE(size >= 0 || !is_number(size));
          Text text;
          if (!is_number(size)) inference.expressions().append(text, size, names);
        }
      }
    }
  }
}

struct Tally {
  int loaded = 0;
  int ran = 0;
  std::map<Code, int> refused;
};

void load_and_run(const std::string& file, Random& random, Tally& tally) {
  // A copy of exactly this size, so that sanitizers see a read behind it.
  const std::vector<char> exact(file.begin(), file.end());
  const auto model = read_model({exact.data(), exact.size()}, {random.one_in(2) ? Unsupported::allowed : Unsupported::refused});
  if (model) look_at(**model);
  if (!model) {
    ++tally.refused[model.error()->code];
    return expect_proper_error(model);
  }
  ++tally.loaded;
  const auto outputs = test::run(**model, feeds_for(**model, random));
  if (!outputs) {
    ++tally.refused[outputs.error()->code];
    return expect_proper_error(outputs);
  }
  ++tally.ran;
  ASSERT_EQ(outputs->size(), (*model)->graph->outputs.size());
  for (const Tensor& output : *outputs) expect_whole(output);
}

// What some of the damaged files must still do.
enum class Wanted : std::uint8_t { run, load };

void fuzz_models(const std::vector<std::string>& files, Wanted wanted = Wanted::run) {
  const MemoryLimit limit;
  Random random;
  Tally tally;
  const std::size_t before = Storage::bytes_in_use();
  for (int i = 0; i < cases(); ++i) {
    const std::string file = damaged(files, random);
    load_and_run(file, random, tally);
    ASSERT_EQ(Storage::bytes_in_use(), before) << "case " << i << " leaks";
    ASSERT_FALSE(testing::Test::HasFailure()) << "case " << i << ": " << testing::PrintToString(file);
  }
  std::printf("%d loaded, %d ran; refused: %d invalid models\n", tally.loaded, tally.ran, tally.refused[Code::InvalidModel]);
  // Damage must reach all ends, or this test tests less than it seems to.
  EXPECT_GT(wanted == Wanted::run ? tally.ran : tally.loaded, cases() / 100);
  EXPECT_GT(tally.refused[Code::InvalidModel], cases() / 100);
}

TEST(DamagedModels, OfOnnxEndWithValuesOrWithAnError) {
  const auto files = official_models();
  if (files.empty()) GTEST_SKIP() << "libonnx-testdata is not installed";
  fuzz_models(files);
}

TEST(DamagedModels, WithEverythingThatIsReadEndWithValuesOrWithAnError) { fuzz_models(synthetic_models()); }

TEST(DamagedModels, WithGraphsAndFunctionsEndWithValuesOrWithAnError) { fuzz_models(nested_models()); }

TEST(DamagedModels, WithWhatCannotRunEndWithValuesOrWithAnError) { fuzz_models({strange_model()}, Wanted::load); }

TEST(DamagedTensors, EndWithATensorOrWithAnError) {
  const MemoryLimit limit;
  Random random;
  const auto files = tensors();
  const std::size_t before = Storage::bytes_in_use();
  int read = 0;
  for (int i = 0; i < cases(); ++i) {
    const std::string file = damaged(files, random);
    const std::vector<char> exact(file.begin(), file.end());
    if (const auto tensor = test::read_tensor({exact.data(), exact.size()})) {
      ++read;
      expect_whole(*tensor);
    } else {
      expect_proper_error(tensor);
    }
    ASSERT_EQ(Storage::bytes_in_use(), before) << "case " << i << " leaks";
    ASSERT_FALSE(HasFailure()) << "case " << i << ": " << testing::PrintToString(file);
  }
  EXPECT_GT(read, cases() / 100);
  EXPECT_LT(read, cases());
}

TEST(DamagedModels, RunBeforeTheyAreDamaged) {
  std::vector<std::string> files = synthetic_models();
  for (std::string& file : nested_models()) files.push_back(std::move(file));
  for (const std::string& file : files) {
    Random random;
    Tally tally;
    load_and_run(file, random, tally);
    EXPECT_EQ(tally.ran, 1) << Error()->message.view();
  }
}

TEST(DamagedModels, WithWhatCannotRunAreReadBeforeTheyAreDamaged) {
  const std::string file = strange_model();
  EXPECT_FALSE(read_model(file));
  const test::ModelPtr model = test::must(read_model(file, {Unsupported::allowed}));
  look_at(*model);
  EXPECT_TRUE(test::fails(test::run(*model), Code::UnknownOperator, "Weave"));
}

TEST(CutOffModels, AreRefusedAtEveryLength) {
  for (const std::string& file : synthetic_models()) {
    for (std::size_t size = 0; size < file.size(); ++size) {
      const std::vector<char> exact(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_TRUE(test::fails(read_model({exact.data(), exact.size()}), Code::InvalidModel)) << size;
    }
  }
}

}  // namespace
}  // namespace broadloom
