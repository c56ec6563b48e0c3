#pragma once

namespace lamella::sweep_parts {

/// Puts a file on the disk: io::sync(). Tests put one that fails in its place.
extern bool (*sync_to_disk)(int file);

}  // namespace lamella::sweep_parts
