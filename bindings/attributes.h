// Attributes as JavaScript gives them: numbers, bigints, strings, lists of them, tensors.
#pragma once

#include "frame.h"
#include "ops/call/operator.h"

namespace broadloom {

// Adds the frame's attributes, which the operator's version must admit. A JavaScript number is an INT or a FLOAT: the
// type that the version declares decides.
Status read_attributes(FrameReader& frame, const Selection& selection, Attributes& attributes);

}  // namespace broadloom
