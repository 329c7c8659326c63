// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A program that holds every operation, every kind of statement, every type and every attribute
// there is, for tests of what reads and writes programs. It is no sensible program and does not
// resolve.
//
//   const Program p = test::every_construct();
#pragma once

#include <vector>

#include "vyre/ir/program.h"

namespace vyre::test {

Program every_construct();

// Its parts.
std::vector<Expr> every_expression();
std::vector<Node> every_statement();
std::vector<BufferDecl> every_declaration();
std::vector<DataType> every_type();

}  // namespace vyre::test
