#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace lamella::opengl {

/// Sorts records that a device wrote in any order: by candidate, then by column, then by `less`. Many records are
/// distributed to columns and then to candidates, since few share a column: linear in records and columns. Memory is
/// kept.
class RecordOrder {
 public:
  /// Records have `candidate` and `column` below the given numbers. `spare` is scratch memory.
  template <class Record, class Less>
  void sort(std::vector<Record>& records, std::vector<Record>& spare, std::size_t candidates, std::size_t columns,
            const Less& less) {
    if (records.size() < kFew || records.size() * kColumnsPerRecord < columns) {
      std::sort(records.begin(), records.end(), [&](const Record& x, const Record& y) {
        if (x.candidate != y.candidate) return x.candidate < y.candidate;
        return x.column != y.column ? x.column < y.column : less(x, y);
      });
      return;
    }
    order_.resize(records.size());
    std::iota(order_.begin(), order_.end(), 0u);
    deal(columns, [&](std::uint32_t i) { return records[i].column; });
    deal(candidates, [&](std::uint32_t i) { return records[i].candidate; });
    spare.clear();
    for (const std::uint32_t i : order_) insert(spare, records[i], less);
    records.swap(spare);
  }

 private:
  static constexpr std::size_t kFew = 1024, kColumnsPerRecord = 16;

  /// Sorts order_ by key(i), stably.
  template <class Key>
  void deal(std::size_t keys, const Key& key) {
    places_.assign(keys + 1, 0);
    for (const std::uint32_t i : order_) ++places_[key(i) + 1];
    std::partial_sum(places_.begin(), places_.end(), places_.begin());
    dealt_.resize(order_.size());
    for (const std::uint32_t i : order_) dealt_[places_[key(i)]++] = i;
    order_.swap(dealt_);
  }

  /// Inserts a record after those of the same candidate and column that are not greater.
  template <class Record, class Less>
  static void insert(std::vector<Record>& to, const Record& record, const Less& less) {
    std::size_t at = to.size();
    to.push_back(record);
    for (; at > 0 && to[at - 1].candidate == record.candidate && to[at - 1].column == record.column &&
           less(record, to[at - 1]);
         --at)
      to[at] = to[at - 1];
    to[at] = record;
  }

  std::vector<std::uint32_t> order_, dealt_, places_;
};

}  // namespace lamella::opengl
