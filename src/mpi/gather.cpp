#include "mpi/gather.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace lamella::mpi {

std::vector<NumberedPart> take_parts(std::vector<Bytes> received) {
  std::vector<NumberedPart> parts;
  for (Bytes& bytes : received) {
    for (Taker taker(bytes); !taker.empty();) parts.push_back(take_part(taker));
    bytes = {};  // so that parts are not here twice
  }
  return parts;
}

void gather_pairs(const Processes& all, const ClashReport& mine, std::span<const NumberedPart> parts,
                  PartsByNumber& known, std::vector<ClashPair>& pairs) {
  Bytes bytes;
  together(all, [&] {
    for (const ClashPair& pair : mine.pairs) {
      put(bytes, parts[pair.a]);
      put(bytes, parts[pair.b]);
      put(bytes, pair);
    }
  });
  std::vector<Bytes> received = all.gather(bytes);
  together(all, [&] {
    for (Bytes& some : received) {
      for (Taker taker(some); !taker.empty();) {
        NumberedPart a = take_part(taker), b = take_part(taker);
        pairs.push_back(take_pair(taker));
        pairs.back().a = a.number;
        pairs.back().b = b.number;
        known.emplace(a.number, std::move(a.part));
        known.emplace(b.number, std::move(b.part));
      }
      some = {};  // so that rank 0 has all of it once
    }
    std::sort(pairs.begin(), pairs.end(),
              [](const ClashPair& x, const ClashPair& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); });
  });
}

void gather_parts(const Processes& all, std::span<const NumberedPart> mine, PartsByNumber& known,
                  std::vector<std::uint32_t>& numbers) {
  Bytes bytes;
  together(all, [&] {
    for (const NumberedPart& part : mine) put(bytes, part);
  });
  std::vector<Bytes> received = all.gather(bytes);
  together(all, [&] {
    for (NumberedPart& part : take_parts(std::move(received))) {
      numbers.push_back(part.number);
      known.emplace(part.number, std::move(part.part));
    }
    std::sort(numbers.begin(), numbers.end());
  });
}

}  // namespace lamella::mpi
