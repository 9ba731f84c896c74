// Simplifies a model file. The file is read once, and the result is written once; between the two the model is simplified in
// memory, round by round. Large raw_data and data in files beside the model stay where they are: the caller is asked for the
// bytes that a computation needs, and gets the bytes that it makes.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "graph/check/reasons.h"
#include "graph/rewrite/simplifier.h"
#include "onnx/model_reader.h"
#include "onnx/model_writer.h"
#include "onnx/simplify/element_store.h"
#include "onnx/simplify/request.h"
#include "onnx/split_file.h"

namespace broadloom {

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

  using State = SimplifyState;
  // Goes on until it asks for something (ElementStore::asks). Fails if the file or the request is invalid.
  Result<State> next();

  using Part = ElementStore::Part;
  Part part() const;
  std::span<std::byte> chunk() const { return store_.chunk(); }

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
  Status read();
  Status start();
  Status apply();
  Status start_again();
  Status infer();
  std::int64_t most_growth() const;
  Result<bool> fits();
  Status round();
  Status finish();
  void drop_functions();
  Status count_operators(const Model& model, std::vector<OperatorCount>& counts);

  ElementStore store_;
  RequestedModel requested_;
  SplitFile file_;
  std::unique_ptr<WrittenFile> written_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<ShapeInference> inference_;  // of the current model: what holds whatever the names of sizes are
  std::int64_t current_bytes_ = 0;             // the size of the current model as a file
  SimplifyProgress progress_;
  Reasons reasons_;
  std::vector<OperatorCount> before_;
  std::vector<OperatorCount> after_;
  std::vector<std::string_view> warnings_;
  std::int64_t calls_ = 0;  // inlined function calls
  int rounds_ = 0;
  int most_rounds_;
  int tries_ = 0;             // how often the model became too large
  std::int64_t reserve_ = 0;  // bytes of growth that are not used, after such tries
  bool keeps_calls_ = false;
  bool has_changed_ = false;  // the model differs from the file
  bool may_change_ = true;    // another round may find more
  bool is_split_ = false;     // the structure is complete
  bool is_done_ = false;
};

}  // namespace broadloom
