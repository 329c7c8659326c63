// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Files that are written whole or not at all.
//
//   OutputFiles files;
//   if (Status s = files.stage("out.npy", bytes); !s.ok()) return s;   // beside the target
//   return files.commit();                                             // takes its place
//
// A staged file lies in the target's folder under another name, with its data on the disk. What was
// there before stays until commit(), and for good if anything fails. Targets that are no regular
// files (terminals, pipes, /dev/null) are written by commit() directly.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vyre/ir/status.h"

namespace vyre::tools {

class OutputFiles {
 public:
  OutputFiles() = default;
  ~OutputFiles();
  OutputFiles(const OutputFiles&) = delete;
  OutputFiles& operator=(const OutputFiles&) = delete;

  // Errors name the path and what is wrong with it.
  Status stage(const std::string& path, std::string_view bytes);
  Status commit();

 private:
  struct Staged {
    std::string path;
    std::string temporary;  // empty for what is written directly
    std::string bytes;      // only for that
  };
  std::vector<Staged> staged_;
};

}  // namespace vyre::tools
