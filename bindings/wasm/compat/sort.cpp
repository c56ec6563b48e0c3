#include "sort.hpp"

#include <array>
#include <memory>

namespace lamella_compat {
namespace {

constexpr std::size_t kFew = 8;

class Sorter {
 public:
  Sorter(std::size_t words, Less less, void* order) : words_(words), less_(less), order_(order) {}

  /// `room` is for half of the items.
  void sort(Word* items, std::size_t count, Word* room) const {
    if (count <= kFew) return sort_few(items, count);
    const std::size_t half = count / 2;
    Word* const middle = items + half * words_;
    sort(items, half, room);
    sort(middle, count - half, room);
    if (is_less(middle, middle - words_)) merge(items, middle, items + count * words_, room);
  }

 private:
  [[nodiscard]] bool is_less(const Word* a, const Word* b) const { return less_(order_, a, b); }

  /// Not memcpy, which the compiler would make of a plain loop: it is a call for each item.
  void copy(const Word* from, const Word* end, Word* to) const {
    while (from != end) {
      *to++ = *from++;
      __asm__("" ::: "memory");
    }
  }

  void sort_few(Word* items, std::size_t count) const {
    alignas(std::max_align_t) std::array<std::uint32_t, kMostWords> item;
    for (std::size_t i = 1; i < count; ++i) {
      Word* hole = items + i * words_;
      if (!is_less(hole, hole - words_)) continue;
      copy(hole, hole + words_, item.data());
      do {
        copy(hole - words_, hole, hole);
        hole -= words_;
      } while (hole != items && is_less(item.data(), hole - words_));
      copy(item.data(), item.data() + words_, hole);
    }
  }

  void merge(Word* items, const Word* middle, const Word* end, Word* room) const {
    copy(items, middle, room);
    const Word* left = room;
    const Word* const left_end = room + (middle - items);
    const Word* right = middle;
    for (Word* to = items; left != left_end; to += words_) {
      const Word*& from = right != end && is_less(right, left) ? right : left;
      copy(from, from + words_, to);
      from += words_;
    }
  }

  std::size_t words_;
  Less less_;
  void* order_;
};

}  // namespace

void sort_words(Word* items, std::size_t count, std::size_t words, Less less, void* order) {
  const Sorter sorter(words, less, order);
  const auto room = count <= kFew ? nullptr : std::make_unique_for_overwrite<std::uint32_t[]>(count / 2 * words);
  sorter.sort(items, count, room.get());
}

}  // namespace lamella_compat
