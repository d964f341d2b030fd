// Tags (D20): a smart tag must have a valid rule.

#include "http/handlers/record_operations.hpp"
#include "model/records/tag.hpp"
#include "scoring/support/tag_rule.hpp"

namespace parley::http {

template <>
struct Specials<Tag> : NoSpecials<Tag> {
  static void check(const Tag& tag, const Tag* before, const Draft& draft, Findings& findings) {
    if (tag.is_smart && !tag.rule) findings.add("/rule", "is required for a smart tag");
    if (!draft.is_checked && tag.rule && (before == nullptr || before->rule != tag.rule)) {
      scoring::check_tag_rule(*tag.rule, "/rule", findings);
    }
  }
};

template struct RecordOperations<Tag>;

}  // namespace parley::http
