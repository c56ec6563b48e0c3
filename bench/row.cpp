#include "bench/row.hpp"

#include <algorithm>

namespace lamella::bench {

const Field* Row::find(std::string_view key) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(), [&](const Field& f) { return f.key == key; });
  return found == fields_.end() ? nullptr : &*found;
}

void Row::set(Field field) {
  const Field* known = find(field.key);
  if (known == nullptr) {
    fields_.push_back(std::move(field));
  } else {
    fields_[static_cast<std::size_t>(known - fields_.data())].value = std::move(field.value);
  }
}

void Row::set(const Row& other) {
  for (const Field& field : other.fields_) set(field);
}

void Row::add(const std::string& key, double amount) { set({key, number(key) + amount}); }

bool Row::has_number(std::string_view key) const {
  const Field* field = find(key);
  return field != nullptr &&
         (std::holds_alternative<std::int64_t>(field->value) || std::holds_alternative<double>(field->value));
}

double Row::number(std::string_view key) const {
  const Field* field = find(key);
  if (field == nullptr) return 0;
  if (const auto* whole = std::get_if<std::int64_t>(&field->value)) return static_cast<double>(*whole);
  const auto* real = std::get_if<double>(&field->value);
  return real != nullptr ? *real : 0;
}

std::string Row::text(std::string_view key) const {
  const Field* field = find(key);
  const auto* text = field != nullptr ? std::get_if<std::string>(&field->value) : nullptr;
  return text != nullptr ? *text : "";
}

}  // namespace lamella::bench
