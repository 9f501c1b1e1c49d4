// Work on several threads, each with a number of its own.
#pragma once

#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace treewright {

// Run work(0) .. work(n - 1): the first on this thread, the others each on one of their own, which end before
// this returns. (No pool: nothing to survive a fork or to deadlock on.) What a thread throws is thrown again
// here.
template <class Work>
void in_parallel(std::size_t n, Work work) {
  std::vector<std::exception_ptr> failures(n);
  auto guarded = [&](std::size_t t) {
    try {
      work(t);
    } catch (...) {
      failures[t] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 1; t < n; ++t) threads.emplace_back(guarded, t);
    guarded(0);
  }
  for (auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace treewright
