#include "store/tables.hpp"

namespace parley::store {

TableId table_of(RecordKind kind) {
  switch (kind) {
    case RecordKind::scenario: return TableId::scenarios;
    case RecordKind::test: return TableId::tests;
    case RecordKind::agent: return TableId::agents;
    case RecordKind::personality: return TableId::personalities;
    case RecordKind::folder: return TableId::folders;
    case RecordKind::tag: return TableId::tags;
    case RecordKind::run_group: return TableId::run_groups;
    case RecordKind::scheduled_run: return TableId::scheduled_runs;
    case RecordKind::scenario_configuration: return TableId::scenario_configurations;
    case RecordKind::user: return TableId::users;
    case RecordKind::api_key: return TableId::api_keys;
    case RecordKind::external_log: return TableId::external_logs;
    case RecordKind::run: return TableId::runs;
    case RecordKind::test_result: return TableId::result_heads;
    case RecordKind::webhook: return TableId::webhooks;
  }
  return TableId::meta;
}

}  // namespace parley::store
