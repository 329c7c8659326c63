# Installation: libraries, headers under include/vyre, tools, and the package that find_package reads.
include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY VYRE_LIBRARIES)
install(TARGETS ${libraries} EXPORT vyre-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT vyre-targets NAMESPACE vyre:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/vyre)
foreach(layer ir builders passes interpreter backends)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${layer} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/vyre
    FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
endforeach()

configure_package_config_file(cmake/vyre-config.cmake.in ${PROJECT_BINARY_DIR}/vyre-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/vyre)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/vyre-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/vyre-config.cmake ${PROJECT_BINARY_DIR}/vyre-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/vyre)
