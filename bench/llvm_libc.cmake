# The correctly rounded float functions of LLVM's libc, Debian's libllvmlibc-19-dev, as a judge.
find_library(VYRE_LLVM_LIBC_ARCHIVE NAMES libllvmlibc.a PATH_SUFFIXES llvm-19/lib)

# Links them as vyre_llvm_expf and so on: under their own names they would replace the C library's.
function(vyre_link_llvm_libc target)
  if(NOT VYRE_LLVM_LIBC_ARCHIVE OR NOT CMAKE_OBJCOPY)
    message(STATUS "${target} has no second judge for most functions: it needs libllvmlibc-19-dev and objcopy")
    return()
  endif()
  set(renames)
  foreach(function exp log sin cos tanh exp2 log2 tan sinh cosh asin acos atan)
    list(APPEND renames --redefine-sym ${function}f=vyre_llvm_${function}f)
  endforeach()
  set(renamed ${CMAKE_CURRENT_BINARY_DIR}/llvm_libc_renamed.a)
  add_custom_command(
    OUTPUT ${renamed}
    COMMAND ${CMAKE_OBJCOPY} ${renames} ${VYRE_LLVM_LIBC_ARCHIVE} ${renamed}
    DEPENDS ${VYRE_LLVM_LIBC_ARCHIVE}
    COMMENT "Renaming the functions of LLVM's libc")
  add_custom_target(${target}-llvm-libc DEPENDS ${renamed})
  add_dependencies(${target} ${target}-llvm-libc)
  target_link_libraries(${target} PRIVATE ${renamed})
  target_compile_definitions(${target} PRIVATE VYRE_HAVE_LLVM_LIBC)
endfunction()
