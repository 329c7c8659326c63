// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The floating-point mode of a thread that executes a program: vyre/ir/scalar/float_environment.h.
#pragma once

#include "vyre/ir/scalar/float_environment.h"

namespace vyre::interpreter {

using scalar::FloatEnvironment;

}  // namespace vyre::interpreter
