#pragma once

// What BCF 2.1 asks of the XML files of an archive, as far as Lamella writes them: which elements, in which order, how
// often, with which attributes, and what their values look like. Everything that is not listed is a mistake.

#include <gtest/gtest.h>

#include <map>
#include <pugixml.hpp>
#include <regex>
#include <string>
#include <vector>

namespace lamella::test {

inline constexpr int kMany = 1 << 20;

struct BcfChild {
  std::string name, type;  ///< of the element
  int least = 1, most = 1;
};
struct BcfAttribute {
  std::string name, value;  ///< a pattern of kBcfValues
  bool required = true;
};
struct BcfType {
  std::vector<BcfChild> children{};  ///< in this order
  std::vector<BcfAttribute> attributes{};
  std::string value{};  ///< a pattern of kBcfValues; empty: no text
};

inline const std::map<std::string, std::string>& bcf_values() {
  static const std::map<std::string, std::string> values{
      {"text", "[^]*"},
      {"guid", "[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}"},
      {"ifc guid", "[0-9A-Za-z_$]{22}"},
      {"bool", "true|false|0|1"},
      {"int", "-?[0-9]{1,9}"},
      {"double", "-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?"},
      {"field of view", "4[5-9](\\.[0-9]+)?|5[0-9](\\.[0-9]+)?|60"},
      {"date", "[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z"},
  };
  return values;
}

inline const std::map<std::string, BcfType>& bcf_types() {
  static const std::map<std::string, BcfType> types{
      {"text", {.value = "text"}},
      {"int", {.value = "int"}},
      {"double", {.value = "double"}},
      {"field of view", {.value = "field of view"}},
      {"date", {.value = "date"}},
      {"reference", {.attributes = {{"Guid", "guid"}}}},
      {"Version", {.children = {{"DetailedVersion", "text", 0}}, .attributes = {{"VersionId", "text"}}}},
      {"ProjectExtension", {.children = {{"Project", "Project", 0}, {"ExtensionSchema", "text"}}}},
      {"Project", {.children = {{"Name", "text", 0}}, .attributes = {{"ProjectId", "text"}}}},
      {"Markup",
       {.children = {{"Topic", "Topic"}, {"Comment", "Comment", 0, kMany}, {"Viewpoints", "Viewpoints", 0, kMany}}}},
      {"Topic",
       {.children = {{"ReferenceLink", "text", 0, kMany},
                     {"Title", "text"},
                     {"Priority", "text", 0},
                     {"Index", "int", 0},
                     {"Labels", "text", 0, kMany},
                     {"CreationDate", "date"},
                     {"CreationAuthor", "text"},
                     {"ModifiedDate", "date", 0},
                     {"ModifiedAuthor", "text", 0},
                     {"DueDate", "date", 0},
                     {"AssignedTo", "text", 0},
                     {"Stage", "text", 0},
                     {"Description", "text", 0}},
        .attributes = {{"Guid", "guid"}, {"TopicType", "text", false}, {"TopicStatus", "text", false}}}},
      {"Comment",
       {.children = {{"Date", "date"}, {"Author", "text"}, {"Comment", "text"}, {"Viewpoint", "reference", 0}},
        .attributes = {{"Guid", "guid"}}}},
      {"Viewpoints",
       {.children = {{"Viewpoint", "text", 0}, {"Snapshot", "text", 0}, {"Index", "int", 0}},
        .attributes = {{"Guid", "guid"}}}},
      {"VisualizationInfo",
       {.children = {{"Components", "Components", 0}, {"PerspectiveCamera", "PerspectiveCamera", 0}},
        .attributes = {{"Guid", "guid"}}}},
      {"Components", {.children = {{"Selection", "Selection", 0}, {"Visibility", "Visibility"}}}},
      {"Selection", {.children = {{"Component", "Component", 1, kMany}}}},
      {"Visibility", {.attributes = {{"DefaultVisibility", "bool", false}}}},
      {"Component",
       {.children = {{"OriginatingSystem", "text", 0}, {"AuthoringToolId", "text", 0}},
        .attributes = {{"IfcGuid", "ifc guid", false}}}},
      {"PerspectiveCamera",
       {.children = {{"CameraViewPoint", "vector"},
                     {"CameraDirection", "vector"},
                     {"CameraUpVector", "vector"},
                     {"FieldOfView", "field of view"}}}},
      {"vector", {.children = {{"X", "double"}, {"Y", "double"}, {"Z", "double"}}}},
  };
  return types;
}

inline void expect_value(const std::string& text, const std::string& kind, const std::string& where) {
  EXPECT_TRUE(std::regex_match(text, std::regex(bcf_values().at(kind))))
      << where << ": '" << text << "' is no " << kind;
}

/// Checks an element with all that is in it.
inline void expect_bcf(pugi::xml_node node, const std::string& type, const std::string& where) {
  const BcfType& rule = bcf_types().at(type);
  for (const BcfAttribute& attribute : rule.attributes) {
    const pugi::xml_attribute found = node.attribute(attribute.name.c_str());
    if (found) expect_value(found.value(), attribute.value, where + "@" + attribute.name);
    EXPECT_TRUE(found || !attribute.required) << where << " has no " << attribute.name;
  }
  for (const pugi::xml_attribute attribute : node.attributes()) {
    const auto known = [&](const BcfAttribute& a) { return a.name == attribute.name(); };
    EXPECT_TRUE(std::any_of(rule.attributes.begin(), rule.attributes.end(), known)) << where << "@" << attribute.name();
  }
  if (!rule.value.empty()) return expect_value(node.text().get(), rule.value, where);
  pugi::xml_node next = node.first_child();
  for (const BcfChild& child : rule.children) {
    int count = 0;
    for (; next && child.name == next.name(); next = next.next_sibling(), ++count)
      expect_bcf(next, child.type, where + "/" + child.name);
    EXPECT_GE(count, child.least) << where << "/" << child.name;
    EXPECT_LE(count, child.most) << where << "/" << child.name;
  }
  EXPECT_FALSE(next) << where << "/" << next.name() << " is not expected there";
}

}  // namespace lamella::test
