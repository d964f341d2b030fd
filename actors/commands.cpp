#include "actors/commands.hpp"

namespace parley::actors {

std::vector<Id> affected_ids(const ResultReply& reply) {
  std::vector<Id> ids{reply.head.stamp.id};
  if (reply.turn && !reply.turn->ready) return {};
  if (reply.entry) ids.push_back(reply.entry->id);
  if (reply.turn && reply.turn->message_id) ids.push_back(*reply.turn->message_id);
  return ids;
}

std::vector<Id> affected_ids(const RunReply& reply) {
  return reply.result ? affected_ids(*reply.result) : std::vector<Id>{reply.run.stamp.id};
}

}  // namespace parley::actors
