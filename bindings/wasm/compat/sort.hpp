#pragma once

// One sort for all kinds of items: libc++'s is 2 kB for each. Slower, for an item is moved word by word and compared
// through a pointer. It is a merge sort: stable, and it stays within the items whatever the order says.
// Unlike std::sort it takes memory, for half of the items where there are more than 8: std::bad_alloc when there is
// none.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>

namespace lamella_compat {

using Less = bool (*)(void* order, const void* a, const void* b);
using Word = std::uint32_t __attribute__((may_alias));

constexpr std::size_t kMostWords = 64;

/// Sorts `count` items of `words` words each, at most kMostWords.
void sort_words(Word* items, std::size_t count, std::size_t words, Less less, void* order);

template <class It>
concept Contiguous =
    std::is_pointer_v<It> || std::is_same_v<typename It::iterator_concept, std::contiguous_iterator_tag>;

/// Whether items may be moved word by word. Not is_trivially_copyable: std::pair is assigned by a function of its own.
template <class T>
constexpr bool kIsWords = std::is_trivially_copy_constructible_v<T>&& std::is_trivially_destructible_v<T> &&
                          sizeof(T) % sizeof(Word) == 0 && alignof(T) >= alignof(Word) &&
                          sizeof(T) <= kMostWords * sizeof(Word);

template <class It>
concept Sortable = Contiguous<It> && kIsWords<typename std::iterator_traits<It>::value_type>;

template <Sortable It, class Order>
void sort(It first, It last, Order order) {
  using T = typename std::iterator_traits<It>::value_type;
  if (last - first < 2) return;
  sort_words(
      reinterpret_cast<Word*>(std::addressof(*first)), static_cast<std::size_t>(last - first), sizeof(T) / sizeof(Word),
      [](void* by, const void* a, const void* b) -> bool {
        return (*static_cast<Order*>(by))(*static_cast<const T*>(a), *static_cast<const T*>(b));
      },
      std::addressof(order));
}

}  // namespace lamella_compat
