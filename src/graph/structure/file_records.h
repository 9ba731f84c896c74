// Facts of a model's file beyond the structure of its graphs. Parts refer to them by numbers, which their copies share;
// 0 means that the file has no such part.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/arena.h"

namespace broadloom {

struct ExternalData;

// An attribute of a node. In a function, ref_attr_name may refer to an attribute of the call; the message is then the call's.
struct WrittenAttribute {
  std::string_view name;
  std::string_view message;  // the AttributeProto
};

struct NodeRecord {
  std::string_view doc;                    // not checked to be UTF-8
  std::size_t bytes = 0;                   // of the NodeProto
  std::int64_t function = -1;              // the number of its function, if it is a call that was inlined
  bool is_kept_call = false;               // of a function of the model: it stays a call, and the function is written again
  const ExternalData* external = nullptr;  // of a Constant whose elements were left in the file
  // If the model will be written again:
  std::string_view message;
  std::span<WrittenAttribute> attributes;
  // Nodes with the same number have the same attributes, although the node's are incomplete. 0: these are complete.
  std::size_t same_attributes = 0;
  std::uint32_t value = 0;  // of a Constant: the record of its tensor
};

// A declared value, an initializer, a graph or an annotation of a model that will be written again.
struct FileRecord {
  std::string_view message;  // a part of the source, which must outlive it
  // For a declared value: whether the message has an element type, and whether the dims differ from the message's.
  bool has_dtype = false;
  bool is_changed = false;
};

struct FileRecords {
  Numbered<NodeRecord> nodes;
  Numbered<FileRecord> others;
};

}  // namespace broadloom
