// Simplifies a model file. The file is read once, and the result is written once; between the two the model is simplified in
// memory, round by round. Large raw_data, and what is in files beside the model, stay where they are: what a computation needs
// of them is asked for, and what it makes is handed over.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "graph/reasons.h"
#include "graph/simplifier.h"
#include "onnx/model_reader.h"
#include "onnx/model_writer.h"
#include "onnx/split_file.h"

namespace broadloom {

// A name of sizes that stands for a number.
struct FixedSize {
  std::string_view name;
  std::int64_t size = 0;
};

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
  // Elements that were left in a file, or handed over.
  struct Loaded {
    std::string_view location;  // of another file than the model's, or ""
    std::int64_t offset = 0;
    Tensor bytes;            // uint8; none, where they are not here now
    int times = 0;           // how often they were asked for
    bool is_wanted = false;  // they are still to be copied
  };

  Result<State> go_on();
  Status read();
  Status start();
  // The bytes of a location and an offset, until the next call.
  std::string_view key_of(const ExternalData& external);
  Status start_again();
  Status infer();
  Result<bool> fits();
  Status round();
  Status finish();
  void list_chunks();
  Status keep_chunk();
  Status want(const ExternalData& external, std::int64_t bytes);
  void give_loaded();
  Status want_small();
  // The request (simplification_request.cpp).
  Status check_request();
  Status check_names();
  Status check_shapes();
  Status check_size(const ValueInfo& info, std::size_t axis, const Dimension& declared, std::int64_t size);
  Status apply();
  void fix_sizes();
  Status set_shapes();
  Status set_values();
  void choose_outputs();
  const FixedSize* find_size(std::string_view name) const;
  Status fix_size(std::string_view name, std::int64_t size);
  Status count_operators(const Model& model, std::vector<OperatorCount>& counts);

  SplitFile file_;
  std::unique_ptr<WrittenFile> written_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<ShapeInference> inference_;  // of the model as it is
  NameIndex sizes_;                            // names of request.sizes, by their numbers
  std::int64_t current_bytes_ = 0;             // that the model would take as a file
  SimplifyProgress progress_;
  Reasons reasons_;
  std::vector<OperatorCount> before_;
  std::vector<OperatorCount> after_;
  std::vector<std::string_view> warnings_;
  std::vector<Loaded> loaded_;  // all that was ever asked for
  NameIndex places_;            // in loaded_, by key_of
  std::vector<char> key_;
  Loaded* wanted_ = nullptr;          // what is being copied
  std::vector<Initializer*> chunks_;  // that are to be handed over
  std::int64_t given_chunks_ = 0;
  std::int64_t calls_ = 0;  // that were inlined
  int rounds_ = 0;
  int most_rounds_;
  int tries_ = 0;             // how often the model became too large
  std::int64_t reserve_ = 0;  // bytes that are left free for what these took
  bool keeps_calls_ = false;
  bool has_changed_ = false;  // the model is not that of the file
  bool may_change_ = true;    // another round may find more
  bool is_split_ = false;     // the structure is there
  bool is_waiting_ = false;   // for a part or chunk
  bool is_done_ = false;
};

}  // namespace broadloom
