#include "treewright/prune.hpp"

#include "router.hpp"

namespace treewright::bindings {

namespace {

template <class T>
Array<T> array_of(nb::handle given, std::size_t size, const char* name, const char* what) {
  const auto array = array_from<T>(given, name);
  if (array.size() != size) throw nb::value_error(what);
  return array;
}

nb::object link_prices_of(const Array<std::int32_t>& end, const Array<double>& risk) {
  if (end.size() != risk.size()) throw nb::value_error("one risk per node is needed");
  return owned(link_prices(view(end), view(risk)));
}

nb::object extra_errors(const Array<double>& n, const Array<double>& errors, double confidence, double z,
                        double certain) {
  if (n.size() != errors.size()) throw nb::value_error("one number of errors per node is needed");
  const ErrorBound bound{confidence, z, certain};
  std::vector<double> found(n.size());
  for (std::size_t i = 0; i < n.size(); ++i)
    found[i] = n.data()[i] > 0 ? bound.extra(n.data()[i], errors.data()[i]) : 0.0;
  return owned(std::move(found));
}

// `label`: of each row; `weight`: of each row; `node_label`: of each node.
nb::dict error_based_of(const TreeRouter& router, const nb::list& columns, nb::handle label,
                        nb::handle weight, std::int32_t n_classes, nb::handle node_label, double confidence,
                        double z, double certain, double slack, bool raises, std::vector<double> class_scale,
                        std::vector<double> costs) {
  const auto weights = array_from<double>(weight, "weight");
  const auto n_rows = static_cast<std::int64_t>(weights.size());
  const auto labels = array_of<std::int32_t>(label, weights.size(), "label", "one class per row is needed");
  const RouteTree& tree = router.router().tree();
  const auto node_labels =
      array_of<std::int32_t>(node_label, tree.end.size(), "node_label", "one class per node is needed");
  for (std::int32_t c : view(labels))
    if (c < 0 || c >= n_classes) throw nb::value_error("a row has a class that does not exist");
  const auto k = static_cast<std::size_t>(n_classes);
  auto fits = [](const std::vector<double>& given, std::size_t n) {
    return given.empty() || given.size() == n;
  };
  if (!fits(class_scale, k) || !fits(costs, k * k))
    throw nb::value_error("priors and costs are needed for every class, or not at all");
  const auto cells = of_list(tree.is_coded, columns, n_rows);
  const Evidence evidence{cells, view(labels), view(weights), n_classes};
  const ErrorBasedRules rules{
      {confidence, z, certain}, slack, raises, std::move(class_scale), std::move(costs)};
  Remainder found;
  {
    Released released;
    found = error_based(tree, router.router().children(), view(node_labels), evidence, rules);
  }
  nb::dict out;
  out["node"] = owned(std::move(found.node));
  out["end"] = owned(std::move(found.end));
  out["label"] = owned(std::move(found.label));
  out["is_leaf"] = owned(std::move(found.is_leaf));
  out["is_changed"] = owned(std::move(found.is_changed));
  out["n_rows"] = owned(std::move(found.n_rows));
  out["stats"] = owned(std::move(found.stats));
  out["estimate"] = found.estimate;
  return out;
}

}  // namespace

void register_prune(nb::module_& m) {
  m.def("link_prices", &link_prices_of, nb::arg("end").noconvert(), nb::arg("risk").noconvert(),
        "Return the price per leaf at which the weakest-link path takes each inner node.");
  m.def("extra_errors", &extra_errors, nb::arg("n").noconvert(), nb::arg("errors").noconvert(),
        nb::arg("confidence"), nb::arg("z"), nb::arg("certain"),
        "Return the errors that C4.5 expects beyond those counted.");
  m.def("error_based", &error_based_of, nb::arg("router"), nb::arg("columns"), nb::arg("label"),
        nb::arg("weight"), nb::arg("n_classes"), nb::arg("node_label"), nb::arg("confidence"), nb::arg("z"),
        nb::arg("certain"), nb::arg("slack"), nb::arg("raises"), nb::arg("class_scale"), nb::arg("costs"),
        "Return what C4.5's pruning leaves of a tree.");
}

}  // namespace treewright::bindings
