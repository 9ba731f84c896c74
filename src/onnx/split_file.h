// A file whose large raw_data does not stand among its other bytes: each is read from the file to the storage that a tensor
// then has, so that the heap never holds weights twice. The rest, the file's structure, is what a Source is made of.
//
// Whoever has the file gives what is wanted, part by part, from wherever the bytes are:
//
//   while (file.next() && file.wanted().length != 0) copy `length` bytes of the file from `offset` on to `to`
//
// First come short windows at ever later offsets, in which the large raw_data is looked for by the lengths of messages alone;
// then, each once, the parts of the structure and the raw_data. What is malformed has no holes and stays in the structure, for
// the reader to say so.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "onnx/wire.h"

namespace broadloom {

// The messages of onnx.proto that lead to raw_data.
enum class Message : std::uint8_t { other, model, graph, function, node, attribute, sparse_tensor, tensor, raw_data };

class SplitFile {
 public:
  // Smaller raw_data stays in the structure, and smaller files are not looked through.
  static constexpr std::size_t usual_hole = std::size_t{16} * 1024;

  // A file of `size` bytes that holds a `root`. Windows have `least_hole` bytes, which are 20 or more.
  // They have at most `usual_hole`. The caller has asked for memory for size / least_hole Holes.
  SplitFile(Message root, std::size_t size, std::size_t least_hole = usual_hole);
  // Leaves what lies in holes where it is: they get an origin, and no bytes. Before the first next().
  void leave_holes() { leaves_holes_ = true; }
  SplitFile(const SplitFile&) = delete;
  SplitFile& operator=(const SplitFile&) = delete;
  ~SplitFile();

  struct Part {
    std::byte* to;
    std::size_t offset;
    std::size_t length;
  };
  // Goes on to the next part, after the one before was copied. Fails when memory runs out.
  Status next();
  const Part& wanted() const { return wanted_; }
  // Whether that is a window.
  bool is_looking() const { return depth_ != 0; }
  // How many large raw_data were found so far.
  std::size_t holes() const { return count_; }

  // What is no hole.
  std::size_t structure_bytes() const { return size_ - outside_; }
  std::size_t size() const { return size_; }
  // All that the file has, once nothing is wanted any more. It must not outlive this object.
  Source source() const { return Source({reinterpret_cast<const char*>(bytes_), structure_bytes()}, {holes_.get(), count_}); }

 private:
  // A message that is being looked through.
  struct Open {
    Message message;
    std::size_t end;
  };

  bool look();
  void enter(Message message, std::size_t begin);
  Status fill();

  std::size_t size_;
  std::size_t least_hole_;
  bool leaves_holes_ = false;
  Part wanted_{};
  std::size_t at_ = 0;             // offset in the file: of the next field, later of the next part
  std::unique_ptr<Hole[]> holes_;  // room for as many as the file can have
  std::size_t count_ = 0;          // of holes
  std::size_t outside_ = 0;        // bytes that the structure lacks
  std::byte* bytes_ = nullptr;     // the structure
  std::size_t inside_ = 0;         // bytes that it was given
  std::size_t filled_ = 0;         // holes that were given theirs
  // Messages in one another, of which deeper ones are not looked into: the reader allows fewer.
  std::size_t depth_ = 0;
  std::array<Open, 128> open_;
  std::byte window_[usual_hole];
};

}  // namespace broadloom
