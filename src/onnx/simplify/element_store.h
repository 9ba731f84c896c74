// Elements of a model that is simplified which are not in its records: those that were left in files, and those that the caller
// keeps.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "graph/structure/model.h"
#include "graph/structure/name_index.h"

namespace broadloom {

// Asks the caller for the bytes that computations need, and gives it the bytes that they make. It does neither itself: the
// caller looks at `asks`, acts, and calls `answered`.
class ElementStore {
 public:
  explicit ElementStore(Arena& arena) : arena_(arena) {}

  // done: nothing. wants_part: the caller copies the bytes that part() names. gives_chunk: it keeps chunk(); a part or piece
  // with offset -1 - n lies in chunk n. Chunks come first: handing them over frees memory.
  SimplifyState asks();
  // The caller did what was asked.
  Status answered(Model& model);

  struct Part {
    std::string_view location;  // "": the model's own file
    std::int64_t offset;
    std::int64_t length;
    std::byte* to;
  };
  Part part() const { return {asked_->location, asked_->offset, asked_->bytes.count(), asked_->bytes.data()}; }
  std::span<std::byte> chunk() const;

  // Asks for elements that were left in a file: a few times at most, and for so many of them.
  Status want(const ExternalData& external, std::int64_t bytes);
  // Asks for small elements in other files, because shapes may depend on them.
  Status want_small(const Model& model);
  bool is_wanting() const;
  // Gives initializers the elements that are loaded, if they are what the model says, and removes those that were unloaded.
  Status give_loaded(const Model& model);
  // Forgets large elements after a round. Shape inference needs the small ones in each.
  void unload();
  // Lists the initializers with large new elements, which become chunks. False if there is none.
  bool list_chunks(const Model& model);
  // Forgets all but the chunks that the caller has.
  void clear();

 private:
  struct Loaded {
    std::string_view location;  // of another file than the model's, or ""
    std::int64_t offset = 0;
    Tensor bytes;            // uint8; empty if they are not loaded
    int times = 0;           // how often they were requested
    bool is_wanted = false;  // the caller has not copied them yet
  };

  // The key of a location and offset in places_. It is valid until the next call.
  std::string_view key_of(const ExternalData& external);

  Arena& arena_;
  std::vector<Loaded> loaded_;  // all that was ever requested
  NameIndex places_;            // in loaded_, by key_of
  std::vector<char> key_;
  SimplifyState asks_ = SimplifyState::done;
  Loaded* asked_ = nullptr;           // the caller is copying its bytes
  std::vector<Initializer*> chunks_;  // still to be handed over
  std::int64_t given_chunks_ = 0;
};

}  // namespace broadloom
