// Simplifies a model file, step by step. Its large raw_data, and what is in files beside it, stay where they are: what a
// computation needs of them is asked for, and what it makes is handed over.
#pragma once

#include <memory>
#include <vector>

#include "graph/reasons.h"
#include "graph/simplifier.h"
#include "onnx/model_reader.h"
#include "onnx/model_writer.h"
#include "onnx/split_file.h"

namespace broadloom {

// What is asked of Simplification, beside options of Simplifier. Lists and names lie in its arena.
struct SimplifyRequest {
  struct Shape {
    std::string_view input;
    std::span<Dimension> dims;  // neither number nor name: as it is declared
  };
  struct Value {
    std::string_view input;
    Tensor tensor;
  };
  std::vector<FixedSize> sizes;
  std::span<Shape> shapes;
  std::vector<Value> values;
  std::span<std::string_view> outputs;
  bool has_outputs = false;  // else all are kept
  double most_growth = 0;    // bytes
  bool writes_value_info = false;
  SimplifyOptions options;
};

// How many nodes of an operator there are, with those in graphs of nodes and in functions.
struct OperatorCount {
  std::string_view domain;
  std::string_view op_type;
  std::int64_t count = 0;
};

class Simplification {
 public:
  // Of a file of `size` bytes. The caller has asked for memory for what SplitFile says.
  explicit Simplification(std::size_t size);
  Simplification(const Simplification&) = delete;
  Simplification& operator=(const Simplification&) = delete;

  // Set before the first step; names of the request lie in the arena.
  Arena arena;
  SimplifyRequest request;

  enum class State : std::uint8_t {
    done,
    wants_part,   // copy part() of a file
    gives_chunk,  // keep chunk(): later parts without a location and with offset -1 - n are of chunk n
  };
  // Goes on until something is wanted. Fails where the file or the request is not as it should be.
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

  // The pieces of the result, one behind the other: of memory, of the model's own file, or of a chunk.
  struct Piece {
    const std::byte* bytes;  // nullptr: of the file or a chunk
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
  // The files beside the model that the result refers to, once for each initializer there.
  Result<std::vector<std::string_view>> files() const;

 private:
  Source source() const { return written_ ? written_->source() : file_.source(); }
  Status start();
  Status check_names();
  Status fix_shapes();
  Status apply(Model& model);
  Status round();
  Status want(const ExternalData& external, std::int64_t bytes);
  ReadOptions read_options(bool is_first);
  Status count_operators(const Model& model, std::vector<OperatorCount>& counts);

  SplitFile file_;
  std::unique_ptr<WrittenFile> written_;
  std::unique_ptr<Model> model_;  // of the last round
  std::int64_t current_bytes_ = 0;
  SimplifyProgress progress_;
  Reasons reasons_;
  std::vector<OperatorCount> before_;
  std::vector<OperatorCount> after_;
  std::vector<std::string_view> warnings_;
  std::vector<LoadedElements> loaded_;  // all that was ever asked for
  LoadedElements* wanted_ = nullptr;    // what is being copied
  std::size_t next_chunk_ = 0;          // of the holes of written_, the next that may have bytes of its own
  std::int64_t chunks_ = 0;
  int rounds_ = 0;
  int tries_ = 0;             // rounds that made the file too large
  std::int64_t reserve_ = 0;  // bytes that are left free for what these took
  bool is_full_ = false;      // nothing more is done
  bool keeps_calls_ = false;
  bool is_split_ = false;    // the structure is there
  bool is_waiting_ = false;  // for a part or chunk
  bool is_started_ = false;
  bool is_done_ = false;
};

}  // namespace broadloom
