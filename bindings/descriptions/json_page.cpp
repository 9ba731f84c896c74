#include "descriptions/json_page.h"

#include "core/memory.h"

namespace broadloom {
namespace {

// The longest string of V8; other engines have longer ones. A character never has fewer bytes in UTF-8 than units in
// JavaScript.
constexpr std::uint64_t longest_text = (std::uint64_t{1} << 29) - 24;

}  // namespace

Status write_json(WriteJson* write, const void* what) {
  JsonWriter counter(nullptr);
  write(counter, what);
  const std::uint64_t size = counter.size();
  if (size > longest_text) return Failure(out_of_memory(size));
  BROADLOOM_CHECK(page().reserve(sizeof(double) + size));
  FrameWriter().number(static_cast<double>(size));
  JsonWriter writer(reinterpret_cast<char*>(page().data()) + sizeof(double));
  write(writer, what);
  return {};
}

}  // namespace broadloom
