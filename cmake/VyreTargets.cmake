# What every vyre target shares: language level, warnings, and the flags that keep bits the same.

# Makes "vyre/ir/expr.h" name the same file in the source tree and in an installation.
set(VYRE_INCLUDE_DIR ${PROJECT_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${VYRE_INCLUDE_DIR})
file(CREATE_LINK ${PROJECT_SOURCE_DIR} ${VYRE_INCLUDE_DIR}/vyre SYMBOLIC)

add_library(vyre_flags INTERFACE)
target_compile_features(vyre_flags INTERFACE cxx_std_20)
target_compile_options(vyre_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Werror=switch
  # Both compilers contract a*b+c to an fma by default, which changes bits.
  -ffp-contract=off
  # sqrt becomes the (correctly rounded) instruction instead of a libm call that sets errno.
  -fno-math-errno
  # Source places in diagnostics are relative to the source root and the same in every build.
  -ffile-prefix-map=${VYRE_INCLUDE_DIR}/vyre/=
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=
  $<$<BOOL:${VYRE_WERROR}>:-Werror>)
if(VYRE_SANITIZE)
  target_compile_options(vyre_flags INTERFACE
    -fsanitize=${VYRE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(vyre_flags INTERFACE -fsanitize=${VYRE_SANITIZE})
  # The checks that the sanitizers insert make g++ report members of the standard library's own
  # types as uninitialized, and keep clang from vectorising; the other builds keep the warnings.
  target_compile_options(vyre_flags INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
    $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>)
endif()

# vyre_library(<name> SOURCES ... DEPENDS ...): target vyre_<name>, alias and export name vyre::<name>.
function(vyre_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(vyre_${name} STATIC ${ARG_SOURCES})
  add_library(vyre::${name} ALIAS vyre_${name})
  set_target_properties(vyre_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_compile_features(vyre_${name} PUBLIC cxx_std_20)
  target_include_directories(vyre_${name} PUBLIC
    $<BUILD_INTERFACE:${VYRE_INCLUDE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(vyre_${name} PUBLIC ${ARG_DEPENDS} PRIVATE $<BUILD_INTERFACE:vyre_flags>)
  # A program's bits must not depend on who compiles the headers' inline kernels.
  target_compile_options(vyre_${name} PUBLIC -ffp-contract=off)
  vyre_precompile(vyre_${name})
  set_property(GLOBAL APPEND PROPERTY VYRE_LIBRARIES vyre_${name})
endfunction()

# The headers that most sources include and that take seconds to parse, once for all libraries.
# Only a help for the build: each source still includes what it uses.
function(vyre_precompile target)
  if(target STREQUAL vyre_ir)
    target_precompile_headers(vyre_ir PRIVATE
      <absl/status/statusor.h> <algorithm> <fmt/format.h> <functional> <optional> <span> <string>
      <string_view> <unordered_map> <vector>)
  else()
    target_precompile_headers(${target} REUSE_FROM vyre_ir)
  endif()
endfunction()

# vyre_executable(<target> SOURCES ... DEPENDS ...)
function(vyre_executable target)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${target} ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE ${ARG_DEPENDS} vyre_flags)
endfunction()
