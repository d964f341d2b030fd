# Installation paths and the Debian package. Before it runs CPack, scripts/package generates man pages, completions and the schema
# in PARLEY_GENERATED.

set(PARLEY_GENERATED ${CMAKE_BINARY_DIR}/package CACHE PATH "Man pages, completions and the schema, made by the program")

# The path of the libraries relative to the program: in the tarball those next to it, for /usr/bin those of the machine. RPATH is
# used instead of RUNPATH because it also applies to the dependencies of libraries.
set_target_properties(parley PROPERTIES INSTALL_RPATH "$ORIGIN/../lib" BUILD_WITH_INSTALL_RPATH ON)
target_link_options(parley PRIVATE -Wl,--disable-new-dtags)
install(TARGETS parley RUNTIME DESTINATION bin)
install(DIRECTORY ${PARLEY_GENERATED}/share/ DESTINATION share OPTIONAL)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION share/doc/parley RENAME copyright)
install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/CHANGELOG.md DESTINATION share/doc/parley)
file(READ ${CMAKE_SOURCE_DIR}/contrib/parley.service parley_unit)
string(REPLACE "/usr/local/bin/parley serve --data /var/lib/parley --listen 127.0.0.1:7410 --audit on"
  "/usr/bin/parley serve --config /etc/parley/parley.yaml" parley_unit "${parley_unit}")
string(REPLACE "DynamicUser=yes" "User=parley\nGroup=parley" parley_unit "${parley_unit}")
string(REGEX REPLACE "# systemd unit for parley:[^\n]*\n" "# systemd unit of the package: `systemctl enable --now parley`.\n"
  parley_unit "${parley_unit}")
file(WRITE ${CMAKE_BINARY_DIR}/package/parley.service "${parley_unit}")
install(FILES ${CMAKE_BINARY_DIR}/package/parley.service DESTINATION lib/systemd/system)
install(FILES ${CMAKE_SOURCE_DIR}/packaging/parley.yaml DESTINATION /etc/parley)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME parley)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "conversation testing for chatbots and AI agents")
set(CPACK_PACKAGE_DESCRIPTION
  "parley talks to a chatbot as a simulated user, records every message and tool call, and decides what must hold.
 It is a command line for tests in a repository, and a server with a page and an HTTP interface.")
set(CPACK_PACKAGE_CONTACT "The parley maintainers <parley@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "passwd, ca-certificates, tzdata")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  ${CMAKE_SOURCE_DIR}/packaging/postinst ${CMAKE_SOURCE_DIR}/packaging/prerm ${CMAKE_SOURCE_DIR}/packaging/postrm
  ${CMAKE_SOURCE_DIR}/packaging/conffiles)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
