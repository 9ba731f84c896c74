// Where each record of a model stands in its file. Writing the model again needs this.
#pragma once

#include <span>
#include <string_view>

namespace broadloom {

// An attribute of a node. In a function, ref_attr_name may refer to an attribute of the call; the message is then the call's.
struct WrittenAttribute {
  std::string_view name;
  std::string_view message;  // the AttributeProto
};

// The message of a record: a part of the source, which must outlive it. Copies of a record share it.
struct FileRecord {
  std::string_view message;
  std::span<WrittenAttribute> attributes;  // of a node
  // For a declared value: whether the message has an element type, and whether the dims differ from the message's.
  bool has_dtype = false;
  bool is_changed = false;
};

}  // namespace broadloom
