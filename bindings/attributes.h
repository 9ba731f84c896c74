// Attributes as JavaScript gives them: numbers, bigints, strings, lists of them, tensors.
#pragma once

#include "frame.h"
#include "ops/operator.h"

namespace broadloom {

// Reads the frame's attributes, which the operator's version must admit. A JavaScript number is an INT or a FLOAT: the
// type that the version declares decides.
Result<Attributes> read_attributes(FrameReader& frame, const Selection& selection);

}  // namespace broadloom
