#include "store/postgres/pg_base.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <fstream>

#include "store/changelog/compression.hpp"
#include "store/engine/value.hpp"

namespace parley::store {
namespace {

constexpr std::size_t part_bytes = std::size_t{1} << 20;
constexpr std::uint64_t partitions_wanted = 8;  ///< the log grows by one partition between two trims
constexpr std::uint64_t partition_bytes_min = std::uint64_t{96} << 10;  ///< an empty one has about 32 KiB
constexpr std::size_t last_part_bytes = 32 + 32 + 4 + 4;

/// SHA-256 of the added data.
class Sum {
 public:
  Sum() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    CHECK(context_ != nullptr && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
  }
  void add(std::string_view bytes) {
    CHECK(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
  }
  [[nodiscard]] std::string end() {
    std::string sum(32, '\0');
    CHECK(EVP_DigestFinal_ex(context_.get(), reinterpret_cast<unsigned char*>(sum.data()), nullptr) == 1);
    return sum;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context_;
};

Problem damaged_base() {
  return problem(ProblemKind::busy,
                 "The base in the log is incomplete or damaged; another node may be replacing it.");
}

Problem file_fault(std::string_view doing, const std::filesystem::path& file) {
  return problem(ProblemKind::store_refuses,
                 "Cannot " + std::string(doing) + " " + file.string() + ": is there space on the disk?");
}

constexpr const char* clear_statement = "DELETE FROM parley.base WHERE seq = $1::bigint";
constexpr const char* put_statement =
    "INSERT INTO parley.base (seq, part, body) VALUES ($1::bigint, $2::int, $3::bytea)";
constexpr const char* replace_statement = "DELETE FROM parley.base WHERE seq < $1::bigint";
constexpr const char* newest_statement =
    "SELECT seq, body FROM parley.base WHERE part = -1 ORDER BY seq DESC LIMIT 1";
constexpr const char* part_statement =
    "SELECT body FROM parley.base WHERE seq = $1::bigint AND part = $2::int";
constexpr const char* partitions_statement =
    "SELECT c.relname::text, substring(c.relname from 5)::bigint, pg_total_relation_size(c.oid)::bigint "
    "FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'parley.log'::regclass "
    "ORDER BY 2";

}  // namespace

// Bases.

Expected<Done> upload_base(PgConnection& connection, const std::filesystem::path& file, const LogPosition& at,
                           std::uint32_t rules) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return file_fault("read", file);
  TRY_DONE(done(connection.run(clear_statement, {pg_number(at.seq)})));
  Sum sum;
  std::string part(part_bytes, '\0');
  std::uint32_t parts = 0;
  for (; in; ++parts) {
    in.read(part.data(), static_cast<std::streamsize>(part.size()));
    const std::string_view got(part.data(), static_cast<std::size_t>(in.gcount()));
    if (got.empty()) break;
    sum.add(got);
    TRY_DONE(done(connection.run(
        put_statement, {pg_number(at.seq), pg_number(std::uint64_t{parts}), pg_bytes(compressed(got))})));
  }
  if (in.bad()) return file_fault("read", file);
  std::string last = sum.end();
  last += bytes_of(at.digest);
  append_u32(last, rules);
  append_u32(last, parts);
  TRY_DONE(
      done(connection.run(put_statement, {pg_number(at.seq), pg_number(std::int64_t{-1}), pg_bytes(last)})));
  return done(connection.run(replace_statement, {pg_number(at.seq)}));
}

Expected<std::optional<LogPosition>> download_base(PgConnection& connection,
                                                   const std::filesystem::path& file) {
  const PgAnswer newest = connection.run(newest_statement, {});
  if (!newest.is_good()) return problem_of(newest);
  if (newest.rows() == 0) return std::optional<LogPosition>{};
  LogPosition at{newest.number(0, 0), {}};
  const std::string last(newest.bytes(0, 1));
  if (last.size() != last_part_bytes) return damaged_base();
  std::copy_n(last.begin() + 32, 32, at.digest.begin());
  const std::uint32_t parts = u32_at(std::string_view(last).substr(68));
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  Sum sum;
  for (std::uint32_t part = 0; part < parts; ++part) {
    const PgAnswer answer =
        connection.run(part_statement, {pg_number(at.seq), pg_number(std::uint64_t{part})});
    if (!answer.is_good()) return problem_of(answer);
    const auto bytes = answer.rows() == 1 ? decompressed(answer.bytes(0, 0), part_bytes) : std::nullopt;
    if (!bytes) return damaged_base();
    sum.add(*bytes);
    out.write(bytes->data(), static_cast<std::streamsize>(bytes->size()));
    if (!out) return file_fault("write", file);
  }
  out.close();
  if (!out) return file_fault("write", file);
  if (sum.end() != last.substr(0, 32)) return damaged_base();
  return std::optional(at);
}

// Partitions.

Expected<Done> drop_old_rows(PgConnection& connection, std::uint64_t keep_bytes) {
  const PgAnswer newest = connection.run(newest_statement, {});
  if (!newest.is_good()) return problem_of(newest);
  if (newest.rows() == 0) return Done{};
  const std::uint64_t covered = newest.number(0, 0);
  const PgAnswer partitions = connection.run(partitions_statement, {});
  if (!partitions.is_good()) return problem_of(partitions);
  std::uint64_t bytes = 0;
  for (int row = 0; row < partitions.rows(); ++row) bytes += partitions.number(row, 2);
  // The rows of a partition end where the next one begins; the last partition is open.
  for (int row = 0; row + 1 < partitions.rows() && bytes >= keep_bytes; ++row) {
    if (partitions.number(row + 1, 1) > covered + 1) break;
    TRY_DONE(done(connection.script("DROP TABLE parley." + std::string(partitions.bytes(row, 0)))));
    bytes -= partitions.number(row, 2);
  }
  return Done{};
}

std::uint64_t partition_size(std::uint64_t keep_bytes) {
  return std::max(keep_bytes / partitions_wanted, partition_bytes_min);
}

Expected<std::uint64_t> open_partition_bytes(PgConnection& connection) {
  const PgAnswer partitions = connection.run(partitions_statement, {});
  if (!partitions.is_good()) return problem_of(partitions);
  return partitions.rows() == 0 ? std::uint64_t{0} : partitions.number(partitions.rows() - 1, 2);
}

Expected<Done> begin_partition(PgConnection& connection, std::uint64_t term) {
  return done(connection.script(
      "DO $$ DECLARE head bigint; start bigint; BEGIN "
      "SELECT seq INTO head FROM parley.log_head WHERE id = 1 AND term = " +
      std::to_string(term) +
      " FOR UPDATE; IF NOT FOUND THEN RETURN; END IF; "
      "SELECT max(substring(c.relname from 5)::bigint) INTO start FROM pg_inherits i JOIN pg_class c "
      "ON c.oid = i.inhrelid WHERE i.inhparent = 'parley.log'::regclass; "
      "IF head < start THEN RETURN; END IF; "
      "EXECUTE format('ALTER TABLE parley.log DETACH PARTITION parley.log_%s', start); "
      "EXECUTE format('ALTER TABLE parley.log ATTACH PARTITION parley.log_%s FOR VALUES FROM (%s) TO (%s)', "
      "start, start, head + 1); "
      "EXECUTE format('CREATE TABLE parley.log_%s PARTITION OF parley.log FOR VALUES FROM (%s) TO "
      "(MAXVALUE)', "
      "head + 1, head + 1); END $$"));
}

}  // namespace parley::store
