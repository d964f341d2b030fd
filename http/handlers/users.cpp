// Users (D20, D80). The only special rule: the last working admin key must remain.

#include "http/auth/last_admin.hpp"
#include "http/handlers/record_operations.hpp"

namespace parley::http {

template <>
struct Specials<User> : NoSpecials<User> {
  static void changed(const Context& context) { context.principals.forget_all(); }
  static void check(const User& user, const User* before, const Draft& draft, Findings& findings) {
    if (before == nullptr || before->stamp.id != draft.call.principal.user) return;
    if (user.is_disabled) findings.add("/isDisabled", "you cannot disable yourself; another admin can");
    if (user.is_archived) findings.add("/isArchived", "you cannot archive yourself; another admin can");
    if (user.role != before->role)
      findings.add("/role", "you cannot change your own role; another admin can");
  }
  /// Prevents two admins from removing each other concurrently.
  static Expected<Done> join(const User& user, const User* before, const store::Snapshot& snapshot, Time now,
                             store::ChangeSet& changes) {
    return before == nullptr ? Expected<Done>(Done{}) : keep_one_admin(*before, user, snapshot, now, changes);
  }
};

template struct RecordOperations<User>;

}  // namespace parley::http
