#include "tests/store/audited_world.hpp"

namespace parley::store {
namespace {

TEST(Audit, finds_values_that_no_record_mentions) {
  AuditedWorld world;
  world.write(3);
  AuditCheck with_values;
  with_values.with_values = true;
  EXPECT_EQ(world.verified(with_values).fault, "");
  world.tamper(3, {});  // the end is cut off; the third scenario remains
  EXPECT_EQ(world.verified().fault, "") << "the chain alone cannot tell";
  const AuditReport report = world.verified(with_values);
  EXPECT_EQ(report.fault_seq, 3);
  EXPECT_NE(report.fault.find("no record mentions what is stored in scenarios"), std::string::npos)
      << report.fault;
}

TEST(Audit, records_who_changed_which_value) {
  AuditedWorld world;
  Scenario made = world.scenario("before");
  ChangeSet creating = creation(made);
  creating.authors.push_back(world.author);
  world.must_commit(creating);
  Scenario after = created(made);
  after.name = "after";
  ChangeSet changing;
  changing.replace(created(made), after);
  world.must_commit(changing);
  Scenario last = after;
  last.stamp.revision = 2;
  ChangeSet erasing;
  erasing.erase(last);
  erasing.authors.push_back(world.author);
  world.must_commit(erasing);

  struct Line {
    std::vector<Id> by;
    std::string key;
    std::string before;
    std::string after;
  };
  std::vector<Line> lines;
  world.store.reset();
  const auto read = read_audit(world.options.directory, 1, [&](const AuditRecord& record) {
    ASSERT_EQ(record.sets.size(), 1U);
    ASSERT_EQ(record.sets[0].changes.size(), 1U);
    EXPECT_EQ(record.time, noon);
    const AuditChange& change = record.sets[0].changes[0];
    EXPECT_EQ(change.table, TableId::scenarios);
    Line& line = lines.emplace_back();
    for (const Author& author : record.sets[0].authors) {
      line.by.push_back(author.key);
      EXPECT_EQ(author.operation, "createScenario");
      EXPECT_EQ(author.address, world.author.address);
    }
    line.key = change.key;
    line.before = change.before;
    line.after = change.after;
  });
  ASSERT_TRUE(read.ok());
  const auto checked = verify_audit(world.options.directory, {.keys = audit_keys(world.secrets), .head = {}});
  ASSERT_TRUE(checked.ok());
  EXPECT_EQ(checked->fault, "");
  EXPECT_EQ(checked->records, 3U);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].by, std::vector<Id>{world.author.key});
  EXPECT_EQ(lines[1].by, std::vector<Id>{});
  EXPECT_EQ(lines[2].key, made.stamp.id.key());
  EXPECT_EQ(lines[0].before, "");
  EXPECT_EQ(lines[0].after.size(), digest_bytes);
  EXPECT_EQ(lines[1].before, lines[0].after);
  EXPECT_NE(lines[1].after, lines[0].after);
  EXPECT_EQ(lines[2].before, lines[1].after);
  EXPECT_EQ(lines[2].after, "");
}

TEST(Audit, a_batch_leaves_one_record_and_a_conflict_none_I68) {
  AuditedWorld world;
  const Scenario first = world.scenario("first");
  const std::vector<ChangeSet> batch{creation(first), creation(first), creation(world.scenario("second"))};
  EXPECT_EQ(commit_all(world, batch),
            (std::vector{Outcome::Kind::committed, Outcome::Kind::conflict, Outcome::Kind::committed}));
  const AuditReport report = world.verified();
  EXPECT_EQ(report.records, 1U);
  EXPECT_EQ(report.changes, 2U);
  ChangeSet passing;
  passing.remember("a key that is kept for a day", "{}");
  world.must_commit(passing);
  EXPECT_EQ(world.verified().records, 1U);
}

TEST(Audit, a_failed_commit_leaves_no_trace) {
  AuditedWorld world;
  world.write(1);
  world.store->committer().surround({{}, [] { return ENOSPC; }});
  EXPECT_EQ(world.commit(creation(world.scenario())).kind, Outcome::Kind::refused);
  world.store->committer().surround({});
  world.write(1);
  const AuditReport report = world.verified();
  EXPECT_EQ(report.fault, "");
  EXPECT_EQ(report.records, 2U);
}

TEST(Audit, continues_where_the_last_process_ended) {
  AuditedWorld world;
  world.write(3);
  world.reopen();
  world.audit(0);
  world.write(2);
  const AuditReport report = world.verified();
  EXPECT_EQ(report.fault, "");
  EXPECT_EQ(report.records, 5U);
  EXPECT_EQ(to_text(report.head), to_text(audit_head(world.store->snapshot())));
}

TEST(Audit, verify_finds_each_way_to_change_the_past) {
  struct Row {
    const char* what;
    std::function<void(AuditedWorld&, const std::vector<std::string>&)> tamper;
    std::uint64_t first_fault;
  };
  const std::vector<Row> rows{
      {"a flipped bit",
       [](AuditedWorld& world, const std::vector<std::string>& old) {
         std::string value = old[2];
         value.back() = static_cast<char>(value.back() ^ 1);
         world.tamper(3, value);
       },
       3},
      {"a flipped bit under a sum made right again",
       [](AuditedWorld& world, const std::vector<std::string>& old) {
         std::string value = old[2];
         value.back() = static_cast<char>(value.back() ^ 1);
         world.tamper(3, moved(value, 3));
       },
       3},
      {"a deleted record", [](AuditedWorld& world, const auto&) { world.tamper(3, ""); }, 3},
      {"the first one deleted", [](AuditedWorld& world, const auto&) { world.tamper(1, ""); }, 1},
      {"a deleted record, the others moved up",
       [](AuditedWorld& world, const std::vector<std::string>& old) {
         world.tamper(3, moved(old[3], 3));
         world.tamper(4, moved(old[4], 4));
         world.tamper(5, "");
       },
       3},
      {"an inserted copy",
       [](AuditedWorld& world, const std::vector<std::string>& old) {
         world.tamper(3, moved(old[1], 3));
         world.tamper(4, moved(old[2], 4));
         world.tamper(5, moved(old[3], 5));
         world.tamper(6, moved(old[4], 6));
       },
       3},
      {"a record after the end",
       [](AuditedWorld& world, const std::vector<std::string>& old) { world.tamper(6, moved(old[4], 6)); },
       6},
      {"two records swapped",
       [](AuditedWorld& world, const std::vector<std::string>& old) {
         world.tamper(2, moved(old[3], 2));
         world.tamper(4, moved(old[1], 4));
       },
       2},
      {"a record that another key sealed",
       [](AuditedWorld& world, const std::vector<std::string>& old) {
         const std::string payload = old[4].substr(frame_bytes);
         const std::string forged =
             audit_payload(audit_keys(Secrets(Key256{8})), 5, payload.substr(mac_bytes, mac_bytes),
                           payload.substr(2 * mac_bytes));
         world.tamper(5, frame(audit_key(5), 0, forged));
       },
       5},
      {"a forged anchor in place of the first records",
       [](AuditedWorld& world, const std::vector<std::string>& old) {
         world.tamper(1, "");
         world.tamper(2, "");
         const AuditHead second{2, old[1].substr(frame_bytes, mac_bytes)};
         world.tamper(TableId::meta, anchor_key,
                      frame(anchor_key, 0, anchor_payload(audit_keys(Secrets(Key256{8})), second)));
       },
       0},
  };
  for (const Row& row : rows) {
    AuditedWorld world;
    world.write(5);
    ASSERT_EQ(world.verified().fault, "");
    row.tamper(world, world.stored_records());
    const AuditReport report = world.verified();
    EXPECT_NE(report.fault, "") << row.what;
    EXPECT_EQ(report.fault_seq, row.first_fault) << row.what << ": " << report.fault;
  }
}

TEST(Audit, an_end_that_was_cut_off_is_found_against_a_printed_head) {
  AuditedWorld world;
  world.write(5);
  const AuditHead printed = audit_head(world.store->snapshot());
  EXPECT_EQ(world.verified({.keys = {}, .head = printed}).fault, "");
  world.tamper(5, "");
  EXPECT_EQ(world.verified().fault, "");
  const AuditReport cut = world.verified({.keys = {}, .head = printed});
  EXPECT_NE(cut.fault, "");
  EXPECT_EQ(cut.fault_seq, 5U);
  world.write(1);  // a different fifth record
  const AuditReport grown = world.verified({.keys = {}, .head = printed});
  EXPECT_NE(grown.fault, "");
  EXPECT_EQ(grown.fault_seq, 5U);
}

TEST(Audit, a_value_changed_without_the_log_is_found) {
  AuditedWorld world;
  const Scenario made = world.scenario("as it was");
  world.create(made);
  world.write(2);
  EXPECT_EQ(world.verified({.keys = {}, .head = {}, .with_values = true}).fault, "");
  const std::string key(made.stamp.id.key());
  world.tamper(TableId::scenarios, key,
               frame(key, 1, write_stored(world.scenario("as an attacker wants it"))));
  EXPECT_EQ(world.verified().fault, "");
  const AuditReport report = world.verified({.keys = {}, .head = {}, .with_values = true});
  EXPECT_NE(report.fault, "");
  EXPECT_EQ(report.fault_seq, 1U);
}

TEST(Audit, verifies_after_old_records_were_removed) {
  AuditedWorld world(10 * day_ms);
  world.write(4);
  const AuditHead printed = audit_head(world.store->snapshot());
  world.clock.advance(6 * day_ms);
  world.write(3);
  world.clock.advance(5 * day_ms);
  world.write(1);
  const AuditReport report = world.verified();
  EXPECT_EQ(report.fault, "");
  EXPECT_EQ(report.first, 5U);
  EXPECT_EQ(report.head.seq, 8U);
  EXPECT_EQ(world.verified({.keys = {}, .head = printed}).fault, "");  // the anchor itself matches
  world.tamper(5, "");
  EXPECT_EQ(world.verified().fault_seq, 5U);
}

TEST(Audit, the_chain_begins_at_the_anchor_when_all_other_records_are_removed) {
  AuditedWorld world(day_ms);
  world.write(3);
  world.clock.advance(2 * day_ms);
  world.write(1);
  EXPECT_EQ(world.verified().first, 4U);
  world.reopen();
  world.audit(day_ms);
  world.write(1);
  EXPECT_EQ(world.verified().fault, "");
  EXPECT_EQ(world.verified().head.seq, 5U);
}

TEST(Audit, a_record_that_was_tampered_with_is_not_removed) {
  AuditedWorld world(day_ms);
  world.write(3);
  std::string value = world.stored_records()[1];
  value.back() = static_cast<char>(value.back() ^ 1);
  world.tamper(2, moved(value, 2));
  world.clock.advance(2 * day_ms);
  world.write(1);
  const AuditReport report = world.verified();
  EXPECT_NE(report.fault, "");
  EXPECT_EQ(report.fault_seq, 2U);
}

TEST(Audit, reads_a_head_only_in_the_form_that_it_writes) {
  const AuditHead head{42, std::string(mac_bytes, '\x5a')};
  const auto read = audit_head_from_text(to_text(head));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->seq, head.seq);
  EXPECT_EQ(read->mac, head.mac);
  const std::string good = to_text(head);
  for (const std::string& bad :
       {std::string(), std::string("42"), std::string("42:"), std::string(":") + good, good + "0",
        good.substr(0, good.size() - 1), "x" + good, "42:" + std::string(64, 'g')}) {
    EXPECT_FALSE(audit_head_from_text(bad).has_value()) << bad;
  }
}

TEST(Audit, accepts_only_well_formed_records) {
  AuditedWorld world;
  world.write(1);
  const std::string payload = world.stored_records()[0].substr(frame_bytes);
  ASSERT_TRUE(decode_audit(1, payload).has_value());
  for (std::size_t size = 0; size < payload.size(); ++size) {
    const bool is_empty_record = size == 2 * mac_bytes + 8;  // a record without changes is well-formed
    EXPECT_EQ(decode_audit(1, std::string_view(payload).substr(0, size)).has_value(), is_empty_record)
        << size;
  }
}

}  // namespace
}  // namespace parley::store
