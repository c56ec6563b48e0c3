#include "pair_inputs.hpp"

#include <fmt/format.h>

namespace lamella::python {
namespace {

constexpr std::int64_t kMostId = 0xffffffff;

ObjectId checked_id(std::int64_t number, const char* name) {
  if (number < 0 || number > kMostId)
    throw py::value_error(fmt::format("{}: {} is no id; ids are what add() returns", name, number));
  return {static_cast<std::uint32_t>(number)};
}

/// One value for all pairs, or one for each.
template <class T>
struct Given {
  std::vector<T> values;
  bool each = false;

  [[nodiscard]] const T& of(std::size_t i) const { return values[values.size() == 1 ? 0 : i]; }
};

Given<ObjectId> ids_of(py::handle source, const char* name) {
  const bool array_given = py::isinstance<py::array>(source);
  if (!array_given && PyIndex_Check(source.ptr()) != 0) {
    const std::int64_t number =
        PyLong_AsLongLong(py::reinterpret_steal<py::object>(PyNumber_Index(source.ptr())).ptr());
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    return {{checked_id(number, name)}, false};
  }
  const py::array array = py::array::ensure(source);
  if (!array) {
    PyErr_Clear();
    throw py::type_error(fmt::format("{}: ids are an int or an array of ints", name));
  }
  const char kind = array.dtype().kind();
  if (array.ndim() > 1 || (array.size() != 0 && kind != 'i' && kind != 'u'))
    throw py::type_error(fmt::format("{}: ids are an int or a one-dimensional array of ints", name));
  const auto numbers = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>::ensure(array);
  Given<ObjectId> out{{}, array.ndim() == 1};
  out.values.reserve(static_cast<std::size_t>(numbers.size()));
  for (py::ssize_t i = 0; i < numbers.size(); ++i) out.values.push_back(checked_id(numbers.data()[i], name));
  return out;
}

/// Whether something given as poses is a single one: a number comes first, or it is a matrix.
bool is_one_pose(py::handle source) {
  if (source.is_none() || py::isinstance<Transform>(source)) return true;
  if (py::isinstance<py::array>(source)) {
    const auto array = py::reinterpret_borrow<py::array>(source);
    return array.ndim() == 1 || (array.ndim() == 2 && array.shape(0) == 4 && array.shape(1) == 4);
  }
  const auto is_sequence = [](py::handle h) { return PySequence_Check(h.ptr()) != 0 && PySequence_Size(h.ptr()) > 0; };
  const auto first_of = [](py::handle h) {
    auto first = py::reinterpret_steal<py::object>(PySequence_GetItem(h.ptr(), 0));
    if (!first) throw py::error_already_set();
    return first;
  };
  if (!is_sequence(source)) return false;
  const py::object first = first_of(source);
  if (first.is_none() || py::isinstance<Transform>(first)) return false;
  if (!is_sequence(first)) return true;
  return PySequence_Size(first.ptr()) == 4 && !is_sequence(first_of(first));
}

Given<Transform> poses_given(py::handle source) {
  if (is_one_pose(source)) return {{pose_of(source)}, false};
  return {poses_of(source), true};
}

}  // namespace

std::size_t common_count(std::initializer_list<std::pair<const char*, std::size_t>> each) {
  std::size_t count = 1;
  const char* first = nullptr;
  for (const auto& [name, size] : each) {
    if (size == 1) continue;
    if (first != nullptr && size != count)
      throw py::value_error(
          fmt::format("{} has {} rows and {} has {}: give one, or one for each pair", first, count, name, size));
    first = name;
    count = size;
  }
  return count;
}

std::vector<Transform> one_or_more_poses(py::handle source) { return poses_given(source).values; }

std::vector<std::uint32_t> resolutions_of(const py::object& given, std::size_t pairs) {
  if (given.is_none()) return std::vector<std::uint32_t>(pairs, 0);
  if (py::isinstance<py::int_>(given)) return std::vector<std::uint32_t>(pairs, given.cast<std::uint32_t>());
  auto out = given.cast<std::vector<std::uint32_t>>();
  if (out.size() != pairs)
    throw py::value_error("resolution has " + std::to_string(out.size()) + " numbers for " + std::to_string(pairs) +
                          " pairs");
  return out;
}

std::vector<BatchPair> pairs_of(py::handle a, py::handle b, py::handle pose_a, py::handle pose_b) {
  const auto ids_a = ids_of(a, "a"), ids_b = ids_of(b, "b");
  const auto poses_a = poses_given(pose_a), poses_b = poses_given(pose_b);
  const std::size_t count = common_count({{"a", ids_a.values.size()},
                                          {"b", ids_b.values.size()},
                                          {"pose_a", poses_a.values.size()},
                                          {"pose_b", poses_b.values.size()}});
  std::vector<BatchPair> out;
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) out.push_back({ids_a.of(i), ids_b.of(i), poses_a.of(i), poses_b.of(i)});
  return out;
}

std::vector<BatchPair> pairs_of(py::handle pairs) {
  if (py::isinstance<py::array>(pairs)) {
    const auto array = py::reinterpret_borrow<py::array>(pairs);
    if (array.ndim() != 2 || array.shape(1) != 2)
      throw py::value_error("pairs: an array of pairs has the shape (n, 2); or give a, b, pose_a and pose_b");
    const auto column = [&](int k) { return pairs[py::make_tuple(py::ellipsis(), k)]; };
    return pairs_of(py::object(column(0)), py::object(column(1)), py::none(), py::none());
  }
  if (PySequence_Check(pairs.ptr()) == 0 || py::isinstance<py::str>(pairs))
    throw py::type_error("pairs: give a and b, or a sequence of (a, b), (a, b, pose_a) or (a, b, pose_a, pose_b)");
  std::vector<BatchPair> out;
  for (const py::handle& item : py::reinterpret_borrow<py::sequence>(pairs)) {
    const bool is_pair = PyTuple_Check(item.ptr()) != 0 || PyList_Check(item.ptr()) != 0;
    const auto size = is_pair ? PySequence_Size(item.ptr()) : 0;
    if (size < 2 || size > 4)
      throw py::type_error(fmt::format("pairs[{}]: a pair is (a, b), (a, b, pose_a) or (a, b, pose_a, pose_b), not {}",
                                       out.size(), py::repr(item).cast<std::string>()));
    const auto parts = py::reinterpret_borrow<py::sequence>(item);
    BatchPair pair;
    const auto one = [](const Given<ObjectId>& ids) {
      if (ids.each) throw py::type_error("pairs: an id is an int");
      return ids.values.front();
    };
    pair.a = one(ids_of(py::object(parts[0]), "a"));
    pair.b = one(ids_of(py::object(parts[1]), "b"));
    if (size > 2) pair.pose_a = pose_of(py::object(parts[2]));
    if (size > 3) pair.pose_b = pose_of(py::object(parts[3]));
    out.push_back(pair);
  }
  return out;
}

}  // namespace lamella::python
