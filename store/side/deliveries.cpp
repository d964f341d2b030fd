#include "store/side/deliveries.hpp"

#include <algorithm>

#include "store/engine/lmdb.hpp"
#include "store/engine/raw_snapshot.hpp"
#include "store/engine/row_keys.hpp"

namespace parley::store {
namespace {

constexpr char owed_shelf = 0;
constexpr char over_shelf = 1;
constexpr std::uint64_t delivery_revision = 1;
constexpr std::size_t delivery_key_bytes = 1 + 2 * id_bytes;

std::string delivery_row(char shelf, const DeliveryKey& key) {
  std::string row(1, shelf);
  row += key.webhook.key();
  row += key.id.key();
  return row;
}

DeliveryKey delivery_key_at(std::string_view row) {
  return {id_at(row.substr(1)), id_at(row.substr(1 + id_bytes))};
}

void put_delivery(ChangeSet& changes, char shelf, const Delivery& delivery) {
  std::string key = delivery_row(shelf, delivery.key);
  std::string value = frame(key, delivery_revision, write_stored(delivery));
  changes.writes.push_back({TableId::deliveries, std::move(key), any_revision, std::move(value)});
}

void erase_delivery_row(ChangeSet& changes, char shelf, const DeliveryKey& key) {
  changes.writes.push_back({TableId::deliveries, delivery_row(shelf, key), delivery_revision, {}});
}

std::optional<Delivery> read_delivery(std::string_view row, std::string_view payload) {
  Delivery delivery;
  if (!parse_stored(payload, delivery)) return std::nullopt;
  delivery.key = delivery_key_at(row);
  return delivery;
}

/// Calls `visit` with the key and value of each row after `after` that begins with `prefix`, until it returns false.
template <class Visit>
void walk_deliveries(const Snapshot& snapshot, const std::string& prefix, const std::string& after,
                     Visit visit) {
  Cursor cursor(RawSnapshot(snapshot).transaction, RawSnapshot(snapshot)[TableId::deliveries]);
  for (bool there = cursor.seek(after); there && cursor.key().starts_with(prefix); there = cursor.next()) {
    if (cursor.key().size() != delivery_key_bytes || cursor.key() == after) continue;
    if (!visit(cursor.key(), cursor.value())) return;
  }
}

std::vector<Delivery> read_deliveries(const Snapshot& snapshot, const std::string& prefix,
                                      const std::string& after, std::size_t most) {
  std::vector<Delivery> found;
  walk_deliveries(snapshot, prefix, after, [&](std::string_view key, std::string_view stored) {
    const auto value = unframe(TableId::deliveries, key, stored);
    const auto* good = std::get_if<ValueView>(&value);
    auto delivery = good == nullptr ? std::nullopt : read_delivery(key, good->payload);
    if (delivery) found.push_back(std::move(*delivery));
    return found.size() < most;
  });
  return found;
}

}  // namespace

std::string message_id(const Id& delivery) {
  return "msg_" + to_text(delivery);
}

void put_owed(ChangeSet& changes, const Delivery& delivery) {
  put_delivery(changes, owed_shelf, delivery);
}

void end_delivery(ChangeSet& changes, const Delivery& delivery) {
  erase_delivery_row(changes, owed_shelf, delivery.key);
  put_delivery(changes, over_shelf, delivery);
}

void erase_owed(ChangeSet& changes, const DeliveryKey& key) {
  erase_delivery_row(changes, owed_shelf, key);
}

void erase_over(ChangeSet& changes, const DeliveryKey& key) {
  erase_delivery_row(changes, over_shelf, key);
}

Expected<std::optional<Delivery>> find_owed(const Snapshot& snapshot, const DeliveryKey& key) {
  const std::string row = delivery_row(owed_shelf, key);
  TRY(found, snapshot.value(TableId::deliveries, row));
  if (!found) return std::optional<Delivery>{};
  auto delivery = read_delivery(row, found->payload);
  if (!delivery) return snapshot.report(TableId::deliveries, row);
  return delivery;
}

std::vector<Delivery> owed_deliveries(const Snapshot& snapshot, const DeliveryKey& after, std::size_t most) {
  return read_deliveries(snapshot, std::string(1, owed_shelf), delivery_row(owed_shelf, after), most);
}

std::vector<DeliveryKey> over_deliveries(const Snapshot& snapshot, const DeliveryKey& after,
                                         std::size_t most) {
  std::vector<DeliveryKey> keys;
  walk_deliveries(snapshot, std::string(1, over_shelf), delivery_row(over_shelf, after),
                  [&](std::string_view key, std::string_view) {
                    keys.push_back(delivery_key_at(key));
                    return keys.size() < most;
                  });
  return keys;
}

std::vector<Delivery> deliveries_of(const Snapshot& snapshot, const Id& webhook, std::size_t most) {
  std::vector<Delivery> all;
  for (const char shelf : {owed_shelf, over_shelf}) {
    const std::string prefix = delivery_row(shelf, {webhook, {}}).substr(0, 1 + id_bytes);
    for (Delivery& each : read_deliveries(snapshot, prefix, prefix, most)) all.push_back(std::move(each));
  }
  std::sort(all.begin(), all.end(), [](const Delivery& a, const Delivery& b) { return a.key.id < b.key.id; });
  return all;
}

}  // namespace parley::store
