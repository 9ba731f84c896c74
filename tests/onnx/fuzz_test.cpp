// Randomly damaged files: loading and running them ends with values or with an error.
// The sanitizers check memory. BROADLOOM_SEED repeats a run, BROADLOOM_FUZZ_CASES sets its length.
#include <map>

#include "graph/shape_inference.h"
#include "support/damaged_files.h"
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
  for (const char* name : test::official_cases) {
    const auto folder = test::official_folder / name / "test_data_set_0";
    if (!std::filesystem::exists(folder)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(test::file_bytes(entry.path()));
  }
  return files;
}

// ---- Checks ----

template <class T>
void expect_proper_error(const Result<T>& result) {
  EXPECT_LE(static_cast<int>(result.error()->code), static_cast<int>(Code::LimitExceeded));
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

// A feed for every input: ones if it may be a shape, or else zeros; with the declared dims if they are small, or else
// with dims that do not fit.
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

// Reads all properties of a model's nodes.
void look_at(const Model& model) {
  ShapeInference inference(model);
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
          EXPECT_FALSE(size.is_negative());
          Text text;
          if (!size.is_number()) inference.expressions().append(text, size, names);
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
  // A copy of exactly this size, so that sanitizers detect a read past it.
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

// Whether some damaged files must still run, or only load.
enum class Wanted : std::uint8_t { run, load };

void fuzz_models(const std::vector<std::string>& files, Wanted wanted = Wanted::run) {
  const test::MemoryLimit limit;
  Random random;
  Tally tally;
  const std::size_t before = Storage::bytes_in_use();
  for (int i = 0; i < test::cases(); ++i) {
    const std::string file = test::damaged(files, random);
    load_and_run(file, random, tally);
    ASSERT_EQ(Storage::bytes_in_use(), before) << "case " << i << " leaks";
    ASSERT_FALSE(testing::Test::HasFailure()) << "case " << i << ": " << testing::PrintToString(file);
  }
  std::printf("%d loaded, %d ran; refused: %d invalid models\n", tally.loaded, tally.ran, tally.refused[Code::InvalidModel]);
  // The damages must lead to all outcomes, or the test checks less than it should.
  EXPECT_GT(wanted == Wanted::run ? tally.ran : tally.loaded, test::cases() / 100);
  EXPECT_GT(tally.refused[Code::InvalidModel], test::cases() / 100);
}

TEST(DamagedModels, OfOnnxEndWithValuesOrWithAnError) {
  const auto files = test::official_models();
  if (files.empty()) GTEST_SKIP() << "libonnx-testdata is not installed";
  fuzz_models(files);
}

TEST(DamagedModels, WithEverythingThatIsReadEndWithValuesOrWithAnError) { fuzz_models(test::synthetic_models()); }

TEST(DamagedModels, WithGraphsAndFunctionsEndWithValuesOrWithAnError) { fuzz_models(test::nested_models()); }

TEST(DamagedModels, WithUnsupportedPartsEndWithValuesOrWithAnError) { fuzz_models({test::strange_model()}, Wanted::load); }

TEST(DamagedTensors, EndWithATensorOrWithAnError) {
  const test::MemoryLimit limit;
  Random random;
  const auto files = tensors();
  const std::size_t before = Storage::bytes_in_use();
  int read = 0;
  for (int i = 0; i < test::cases(); ++i) {
    const std::string file = test::damaged(files, random);
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
  EXPECT_GT(read, test::cases() / 100);
  EXPECT_LT(read, test::cases());
}

TEST(DamagedModels, RunBeforeTheyAreDamaged) {
  std::vector<std::string> files = test::synthetic_models();
  for (std::string& file : test::nested_models()) files.push_back(std::move(file));
  for (const std::string& file : files) {
    Random random;
    Tally tally;
    load_and_run(file, random, tally);
    EXPECT_EQ(tally.ran, 1) << Error()->message.view();
  }
}

TEST(DamagedModels, WithUnsupportedPartsAreReadBeforeTheyAreDamaged) {
  const std::string file = test::strange_model();
  EXPECT_FALSE(read_model(file));
  const test::ModelPtr model = test::must(read_model(file, {Unsupported::allowed}));
  look_at(*model);
  EXPECT_TRUE(test::fails(test::run(*model), Code::UnknownOperator, "Weave"));
}

TEST(CutOffModels, AreRefusedAtEveryLength) {
  for (const std::string& file : test::synthetic_models()) {
    for (std::size_t size = 0; size < file.size(); ++size) {
      const std::vector<char> exact(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_TRUE(test::fails(read_model({exact.data(), exact.size()}), Code::InvalidModel)) << size;
    }
  }
}

}  // namespace
}  // namespace broadloom
