#pragma once

// Plain structs in Python. Record<T>: an answer, whose fields are read. OptionsClass<T>: options, whose fields are
// keywords of the constructor, can be compared, copied with changes and pickled.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "casters.hpp"

namespace lamella::python {

/// A class of answers. Fields are listed in `_fields`; lamella/_records.py makes `to_dict()` and `repr()` of them.
template <class T, class... Bases>
class Record : public py::class_<T, Bases..., std::shared_ptr<T>> {
  using Class = py::class_<T, Bases..., std::shared_ptr<T>>;

 public:
  Record(py::handle scope, const char* name, const char* doc) : Class(scope, name, doc) {
    if constexpr (sizeof...(Bases) != 0) (inherit<Bases>(), ...);
  }

  template <class Field, class Owner>
  Record& field(const char* name, Field Owner::*member, const char* doc) {
    Class::def_property_readonly(
        name, [member](const T& self) -> const Field& { return self.*member; },
        py::return_value_policy::reference_internal, doc);
    return listed(name);
  }
  /// Computed from the object.
  template <class Get>
  Record& value(const char* name, const Get& get, const char* doc) {
    Class::def_property_readonly(name, get, doc);
    return listed(name);
  }
  /// An array that shares the object's memory: get(const T&, owner).
  template <class Get>
  Record& array(const char* name, const Get& get, const char* doc) {
    Class::def_property_readonly(
        name, [get](py::handle self) { return get(self.cast<const T&>(), self); }, doc);
    return listed(name);
  }

 private:
  template <class Base>
  void inherit() {
    for (py::handle name : py::type::of<Base>().attr("_fields")) fields_.append(name);
    this->attr("_fields") = py::tuple(fields_);
  }
  Record& listed(const char* name) {
    fields_.append(name);
    this->attr("_fields") = py::tuple(fields_);
    return *this;
  }
  py::list fields_;
};

/// One keyword of options of type T.
template <class T>
struct OptionField {
  std::string name;
  std::function<void(T&, py::handle)> set;
  std::function<py::object(const T&)> get;
};

template <class T>
std::vector<OptionField<T>>& option_fields() {
  static std::vector<OptionField<T>> fields;
  return fields;
}

/// Throws TypeError for a keyword that does not exist or a value of the wrong type.
template <class T>
void set_options(T& options, const py::dict& keywords) {
  for (const auto& [key, value] : keywords) {
    const std::string name = py::cast<std::string>(key);
    const OptionField<T>* found = nullptr;
    for (const auto& f : option_fields<T>())
      if (f.name == name) found = &f;
    if (found == nullptr) {
      std::string known;
      for (const auto& f : option_fields<T>()) known += (known.empty() ? "" : ", ") + f.name;
      throw py::type_error("there is no option '" + name + "'; there are: " + known);
    }
    try {
      found->set(options, value);
    } catch (const py::cast_error&) {
      throw py::type_error("the option " + name + " cannot be " + py::cast<std::string>(py::repr(value)));
    }
  }
}

/// The options of a call: those given as an object, then those given as keywords.
template <class T>
T options_of(const py::object& given, const py::dict& keywords) {
  T options{};
  if (!given.is_none()) {
    if (!py::isinstance<T>(given))
      throw py::type_error("options must be of the class " +
                           py::type::of<T>().attr("__name__").template cast<std::string>() +
                           "; single options are given as keywords, such as resolution=256");
    options = given.cast<T>();
  }
  if (keywords.size() != 0) set_options(options, keywords);
  return options;
}

template <class T>
py::dict options_dict(const T& options) {
  py::dict out;
  for (const auto& f : option_fields<T>()) out[py::str(f.name)] = f.get(options);
  return out;
}

template <class T>
class OptionsClass : public py::class_<T> {
  using Class = py::class_<T>;

 public:
  OptionsClass(py::handle scope, const char* name, const char* doc) : Class(scope, name, doc) {
    Class::def(py::init([](const py::kwargs& keywords) { return options_of<T>(py::none(), keywords); }));
    Class::def(
        "replace",
        [](const T& self, const py::kwargs& keywords) {
          T out = self;
          set_options(out, keywords);
          return out;
        },
        "A copy with some options changed.");
    Class::def(
        "to_dict", [](const T& self) { return options_dict(self); }, "All options by name.");
    Class::def("__eq__", [](const T& self, py::handle other) {
      return py::isinstance<T>(other) && options_dict(self).equal(options_dict(other.cast<const T&>()));
    });
    this->attr("__hash__") = py::none();
    Class::def("__repr__", [name = std::string(name)](const T& self) {
      const py::dict mine = options_dict(self), defaults = options_dict(T{});
      std::string text;
      for (const auto& [key, value] : mine)
        if (!value.equal(defaults[key]))
          text +=
              (text.empty() ? "" : ", ") + py::cast<std::string>(key) + "=" + py::cast<std::string>(py::repr(value));
      return name + "(" + text + ")";
    });
    Class::def(py::pickle([](const T& self) { return options_dict(self); },
                          [](const py::dict& state) { return options_of<T>(py::none(), state); }));
  }

  template <class Field, class Owner>
  OptionsClass& field(const char* name, Field Owner::*member, const char* doc) {
    Class::def_property(
        name, [member](const T& self) { return self.*member; },
        [member](T& self, const Field& value) { self.*member = value; }, doc);
    option_fields<T>().push_back({name, [member](T& self, py::handle value) { self.*member = py::cast<Field>(value); },
                                  [member](const T& self) { return py::cast(self.*member); }});
    return *this;
  }
};

}  // namespace lamella::python
