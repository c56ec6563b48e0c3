#pragma once

#include <string>
#include <string_view>

namespace lamella::cli {

/// A UUID of version 5 (RFC 9562) in lower case, which follows from a name: the same name always has the same one. The
/// name space is Lamella's own.
[[nodiscard]] std::string guid_of(std::string_view name);

/// The same in a name space of the caller's: 16 bytes.
[[nodiscard]] std::string guid_of(std::string_view name, std::string_view name_space);

/// Whether a name can be the GUID of an element of an IFC file, in its form of 22 characters. Converters from IFC name
/// parts so.
[[nodiscard]] bool is_ifc_guid(std::string_view name);

}  // namespace lamella::cli
