#include "treewright/forest.hpp"

#include <atomic>
#include <type_traits>
#include <utility>

#include "treewright/bootstrap.hpp"
#include "treewright/growing.hpp"
#include "treewright/parallel.hpp"
#include "treewright/quick/growths.hpp"

namespace treewright {

namespace {

// Where things begin is counted behind those that are there already.
template <Per per, class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  if constexpr (is_start(per)) {
    const T before = to.back();
    for (std::size_t i = 1; i < from.size(); ++i) to.push_back(before + from[i]);
  } else {
    to.insert(to.end(), from.begin(), from.end());
  }
}

class Packer {
 public:
  Packer(ForestArrays& out, bool has_classes, std::size_t n_columns)
      : out_(out), has_classes_(has_classes), n_columns_(n_columns) {}

  // What all trees have for each node is not moved again while it grows.
  void make_room(const std::vector<TreeArrays>& trees) {
    std::size_t n = 0;
    for (const TreeArrays& tree : trees) n += tree.end.size();
#define TREEWRIGHT_RESERVE(name, type, per, leaf) \
  if (Per::per == Per::node || Per::per == Per::node_start) out_.name.reserve(n + 1);
    TREEWRIGHT_TESTS(TREEWRIGHT_RESERVE)
    TREEWRIGHT_SURROGATES(TREEWRIGHT_RESERVE)
    TREEWRIGHT_GAINS(TREEWRIGHT_RESERVE)
#undef TREEWRIGHT_RESERVE
  }
  void add(const TreeArrays& tree) {
#define TREEWRIGHT_APPEND(name, type, per, leaf) append<Per::per>(out_.name, tree.name);
    TREEWRIGHT_TESTS(TREEWRIGHT_APPEND)
    TREEWRIGHT_SURROGATES(TREEWRIGHT_APPEND)
    TREEWRIGHT_GAINS(TREEWRIGHT_APPEND)
#undef TREEWRIGHT_APPEND
    out_.surrogate_start.resize(out_.end.size() + 1, out_.surrogate_start.back());
    for (std::size_t i = 0; i < tree.end.size(); ++i)
      if (tree.kind[i] == 0) add_leaf(tree, i);
    add_importance(tree);
    out_.tree_start.push_back(static_cast<std::int64_t>(out_.end.size()));
    out_.gaps = tree.gaps;
  }

 private:
  void add_leaf(const TreeArrays& tree, std::size_t i) {
    out_.leaf_label.push_back(tree.label[i]);
    out_.leaf_rows.push_back(static_cast<std::int32_t>(tree.n_rows[i]));
    tree.for_each_stat(i, [&](std::int32_t j, double weight) {
      if (has_classes_ && weight == 0) return;
      if (has_classes_) out_.leaf_class.push_back(j);
      out_.leaf_weight.push_back(weight);
    });
    out_.leaf_start.push_back(static_cast<std::int64_t>(out_.leaf_weight.size()));
  }
  double weight(const TreeArrays& tree, std::size_t i) const {
    if (!has_classes_) return tree.stats[i * static_cast<std::size_t>(tree.n_stats)];
    double sum = 0;
    tree.for_each_stat(i, [&](std::int32_t, double weight) { sum += weight; });
    return sum;
  }
  void add_importance(const TreeArrays& tree) {
    const std::size_t first = out_.importance.size();
    out_.importance.resize(first + n_columns_);
    const double all = weight(tree, 0);
    for (std::size_t i = 0; i < tree.end.size(); ++i)
      if (tree.kind[i] != 0)
        out_.importance[first + static_cast<std::size_t>(tree.column[i])] +=
            tree.gain[i] * weight(tree, i) / all;
  }

  ForestArrays& out_;
  bool has_classes_;
  std::size_t n_columns_;
};

// Grows trees on the threads that are free, and tells how far it is.
template <class Target>
class Forester {
 public:
  Forester(const Problem& problem, const Target& target, std::string_view criterion,
           const ForestSettings& forest)
      : problem_(problem), target_(target), criterion_(criterion), forest_(forest), trees_(forest.n_trees) {}

  ForestArrays run() {
    in_shares(
        static_cast<std::size_t>(problem_.settings.n_threads), forest_.n_trees, [this] { breathe(0); },
        [this](std::size_t t, std::size_t thread) {
          try {
            trees_[t] = tree(t, thread);
          } catch (...) {
            is_stopped_ = true;
            throw;
          }
          ++n_done_;
        });
    ForestArrays out;
    Packer packer(out, std::is_same_v<Target, ClassTarget>, problem_.n_given());
    packer.make_room(trees_);
    for (TreeArrays& tree : trees_) packer.add(std::exchange(tree, {}));
    return out;
  }

 private:
  void breathe(double share) {
    try {
      problem_.breathe((static_cast<double>(n_done_) + share) / static_cast<double>(forest_.n_trees));
    } catch (...) {
      is_stopped_ = true;
      throw;
    }
  }

  TreeArrays tree(std::size_t t, std::size_t thread) {
    Problem own = problem_;
    own.settings.n_threads = 1;
    own.settings.tree = forest_.first + static_cast<std::uint32_t>(t);
    own.on_breath = [this, thread](double share) {
      if (thread == 0)
        breathe(share);
      else if (is_stopped_)
        throw Stopped();
    };
    std::vector<std::int64_t> weight;
    if (forest_.n_draws > 0) {
      const auto times = Bootstrap(own.settings.seed, own.settings.tree)
                             .times(problem_.weight.size(), static_cast<std::uint64_t>(forest_.n_draws));
      weight.resize(times.size());
      for (std::size_t r = 0; r < times.size(); ++r) weight[r] = times[r] * problem_.weight[r];
      own.weight = weight;
    }
    own.is_final = true;
    return grow(own, target_, criterion_);
  }

  const Problem& problem_;
  const Target& target_;
  std::string_view criterion_;
  ForestSettings forest_;
  std::vector<TreeArrays> trees_;
  std::atomic<std::size_t> n_done_{0};
  std::atomic<bool> is_stopped_{false};
};

}  // namespace

ForestArrays grow_forest(const Problem& problem, const ClassTarget& target, std::string_view criterion,
                         const ForestSettings& forest) {
  return Forester<ClassTarget>(problem, target, criterion, forest).run();
}
ForestArrays grow_forest(const Problem& problem, const NumberTarget& target, std::string_view criterion,
                         const ForestSettings& forest) {
  return Forester<NumberTarget>(problem, target, criterion, forest).run();
}

}  // namespace treewright
