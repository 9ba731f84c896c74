// Where the records of a model stood in its file, for a model that is written again.
#pragma once

#include <span>
#include <string_view>

namespace broadloom {

// An attribute as the file has it, under the name that its node gives it: in a function, it may be one of the call's.
struct WrittenAttribute {
  std::string_view name;
  std::string_view message;  // the AttributeProto
};

// Where a record stood: its message is a part of the source, which must outlive it. Copies of a record share it.
struct FileRecord {
  std::string_view message;
  std::span<WrittenAttribute> attributes;  // of a node
  // Of a declared value: whether the message has the element type, and whether the dims are not those of the message any more.
  bool has_dtype = false;
  bool is_changed = false;
};

}  // namespace broadloom
