// Simplifies a model file. The file is read once, and the result is written once; between the two the model is simplified in
// memory, round by round. Large raw_data and data in files beside the model stay where they are: the caller is asked for the
// bytes that a computation needs, and gets the bytes that it makes.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "graph/feed_values.h"
#include "graph/reasons.h"
#include "graph/simplifier.h"
#include "onnx/model_reader.h"
#include "onnx/model_writer.h"
#include "onnx/split_file.h"

namespace broadloom {

// A number for a symbolic size.
struct FixedSize {
  std::string_view name;
  std::int64_t size = 0;
};

// The request to a Simplification, with the options of simplify(). Lists and names lie in the Simplification's arena.
struct SimplifyRequest {
  struct Shape {
    std::string_view input;
    std::span<Dimension> dims;  // a dim without number and name stays as declared
  };
  struct Value {
    std::string_view input;
    Tensor tensor;
    FeedForm form = FeedForm::tensor;  // anything else: a value that gets the declared type
  };
  std::vector<FixedSize> sizes;
  std::span<Shape> shapes;
  std::vector<Value> values;
  std::span<std::string_view> outputs;
  bool has_outputs = false;           // false: all outputs are kept
  std::optional<double> most_growth;  // bytes; without it, usual_growth
  bool writes_value_info = false;
  SimplifyOptions options;
};

// The bytes by which a file may grow if the request does not say: a part of the file, and room for the constants of a small
// one.
constexpr std::int64_t usual_growth(std::int64_t file_bytes) { return std::max(std::int64_t{1} << 16, file_bytes / 4); }

// The number of nodes of an operator, including those in subgraphs and in functions.
struct OperatorCount {
  std::string_view domain;
  std::string_view op_type;
  std::int64_t count = 0;
};

class Simplification {
 public:
  // `size` is the size of the file in bytes. The caller must have reserved memory for the SplitFile (split_file.h).
  explicit Simplification(std::size_t size);
  Simplification(const Simplification&) = delete;
  Simplification& operator=(const Simplification&) = delete;

  // Set before the first call of next(). Names in the request lie in the arena.
  Arena arena;
  SimplifyRequest request;

  // wants_part: the caller copies the bytes that part() names. gives_chunk: it keeps chunk(); a part or piece with offset -1 -
  // n lies in chunk n.
  using State = SimplifyState;
  // Continues until the caller must act. Fails if the file or the request is invalid.
  Result<State> next();

  struct Part {
    std::string_view location;  // "": the model's own file
    std::int64_t offset;
    std::int64_t length;
    std::byte* to;
  };
  Part part() const;
  std::span<std::byte> chunk() const;

  // ---- Once it is done ----

  // The pieces of the result in order. Each lies in memory, in the model's own file, or in a chunk.
  struct Piece {
    const std::byte* bytes;  // nullptr: in the file or in a chunk
    std::int64_t origin;     // an offset in the file, or -1 - n for chunk n
    std::int64_t length;
  };
  std::vector<Piece> pieces() const;
  std::int64_t bytes_before() const { return static_cast<std::int64_t>(file_.size()); }
  std::int64_t bytes_after() const { return current_bytes_; }
  const std::vector<OperatorCount>& operators_before() const { return before_; }
  const std::vector<OperatorCount>& operators_after() const { return after_; }
  const SimplifyProgress& progress() const { return progress_; }
  const Reasons& reasons() const { return reasons_; }
  const Model& model() const { return *model_; }
  const std::vector<std::string_view>& warnings() const { return warnings_; }
  // The locations of other files that the result refers to, once for each initializer in them.
  Result<std::vector<std::string_view>> files() const;

 private:
  // Elements that were left in a file or handed over as a chunk.
  struct Loaded {
    std::string_view location;  // of another file than the model's, or ""
    std::int64_t offset = 0;
    Tensor bytes;            // uint8; empty if they are not loaded
    int times = 0;           // how often they were requested
    bool is_wanted = false;  // the caller has not copied them yet
  };

  Result<State> go_on();
  Status read();
  Status start();
  // The key of a location and offset in places_. It is valid until the next call.
  std::string_view key_of(const ExternalData& external);
  Status start_again();
  Status infer();
  std::int64_t most_growth() const;
  Result<bool> fits();
  Status round();
  Status finish();
  void drop_functions();
  void list_chunks();
  Status keep_chunk();
  Status want(const ExternalData& external, std::int64_t bytes);
  Status give_loaded();
  Status want_small();
  // The functions in simplification_request.cpp.
  Status check_request();
  Status check_names();
  Status check_shapes();
  Status check_size(const ValueInfo& info, std::size_t axis, const Dimension& declared, std::int64_t size);
  Status check_given_name(const ValueInfo& info, std::size_t axis, std::string_view name, std::int64_t size);
  Status apply();
  void fix_sizes();
  Status set_shapes();
  Status set_values();
  void choose_outputs();
  Status find_needed_annotations();
  const FixedSize* find_size(std::string_view name) const;
  const FixedSize* find_given(std::string_view name) const;
  Status fix_size(std::string_view name, std::int64_t size);
  Status count_operators(const Model& model, std::vector<OperatorCount>& counts);

  SplitFile file_;
  std::unique_ptr<WrittenFile> written_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<ShapeInference> inference_;  // of the current model: what holds whatever the names of sizes are
  NameIndex sizes_;                            // names of request.sizes, by their numbers
  std::vector<FixedSize> given_sizes_;         // names in request.shapes that are numbers: for axes that are named so there
  NameIndex given_names_;                      // of given_sizes_, by their numbers
  std::int64_t current_bytes_ = 0;             // the size of the current model as a file
  SimplifyProgress progress_;
  Reasons reasons_;
  std::vector<OperatorCount> before_;
  std::vector<OperatorCount> after_;
  std::vector<std::string_view> warnings_;
  std::vector<Loaded> loaded_;  // all that was ever requested
  NameIndex places_;            // in loaded_, by key_of
  std::vector<char> key_;
  Loaded* wanted_ = nullptr;          // the caller is copying its bytes
  std::vector<Initializer*> chunks_;  // still to be handed over
  std::int64_t given_chunks_ = 0;
  std::int64_t calls_ = 0;  // inlined function calls
  int rounds_ = 0;
  int most_rounds_;
  int tries_ = 0;             // how often the model became too large
  std::int64_t reserve_ = 0;  // bytes of growth that are not used, after such tries
  bool keeps_calls_ = false;
  bool has_changed_ = false;  // the model differs from the file
  bool may_change_ = true;    // another round may find more
  bool is_split_ = false;     // the structure is complete
  bool is_waiting_ = false;   // the caller copies a part or keeps a chunk
  bool is_done_ = false;
};

}  // namespace broadloom
