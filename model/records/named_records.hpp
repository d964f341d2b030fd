#pragma once
/// The small named records around scenarios and runs: personalities, folders, tags, run groups (D20).

#include "model/description/record.hpp"
#include "model/limits.hpp"
#include "model/records/applied.hpp"

namespace parley {

struct Personality {
  Stamp stamp;
  std::string name;
  std::string description;
  std::string instruction;
  bool is_archived = false;
  Applied applied;

  static constexpr bool described = true;
  static constexpr RecordKind kind = RecordKind::personality;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.stamp(self.stamp);
    v.field("name", self.name, Rules{.chars_max = limits::name_chars_max},
            "The display name of the personality.");
    v.field("description", self.description, Rules{.bytes_max = limits::description_bytes_max},
            "What it is like.");
    v.field("instruction", self.instruction, Rules{.bytes_max = limits::instruction_bytes_max},
            "How the simulated user behaves; shapes a model tester, a script ignores it.");
    v.field("isArchived", self.is_archived, Rules{}, "Archived records are listed only on request.");
    describe_applied(self.applied, v);
  }
};

struct Folder {
  Stamp stamp;
  std::string name;
  std::optional<Ref<RecordKind::folder>> parent;
  bool is_archived = false;

  static constexpr bool described = true;
  static constexpr RecordKind kind = RecordKind::folder;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.stamp(self.stamp);
    v.field("name", self.name, Rules{.chars_max = limits::name_chars_max}, "The display name of the folder.");
    v.field("parent", self.parent, Rules{}, "The folder it lies in.");
    v.field("isArchived", self.is_archived, Rules{}, "Archived records are listed only on request.");
  }
};

struct RunGroup {
  Stamp stamp;
  std::string name;
  std::string description;
  bool is_archived = false;

  static constexpr bool described = true;
  static constexpr RecordKind kind = RecordKind::run_group;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.stamp(self.stamp);
    v.field("name", self.name, Rules{.chars_max = limits::name_chars_max}, "The display name of the group.");
    v.field("description", self.description, Rules{.bytes_max = limits::description_bytes_max},
            "What it is for.");
    v.field("isArchived", self.is_archived, Rules{}, "Archived records are listed only on request.");
  }
};

}  // namespace parley
