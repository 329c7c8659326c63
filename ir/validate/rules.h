// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The rule families of the validator, one function and file each. All of them are linear in the
// tables, and none needs a program without errors.
#pragma once

#include "vyre/ir/validate/reporter.h"
#include "vyre/ir/validate/validate.h"

namespace vyre::internal {

// Declarations: V083, V110, V130, V136, V141, V142.
void check_buffers(const ValidateOptions& options, Reporter& reporter);
// The shape of the statements: V018, V105, V112, V115, V126, V127.
void check_statements(const ValidateOptions& options, Reporter& reporter);
// Where invocations may part: V010, V131.
void check_uniformity(Reporter& reporter);
// Expressions by themselves: V033, V035, V036, V041, V044.
void check_expressions(const ValidateOptions& options, Reporter& reporter);
// Asynchronous copies: V117, V128, V138, V139, V140.
void check_async(const ValidateOptions& options, Reporter& reporter);
// How often and in which ways a buffer is used: V070, V116.
void check_linear_types(Reporter& reporter);
void check_atomic_mixing(Reporter& reporter);

}  // namespace vyre::internal
