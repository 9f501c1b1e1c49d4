// Work on several threads, each with a number of its own.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace treewright {

// Thrown where one thread finds that another has failed or was told to stop.
struct Stopped : std::exception {};

// What threads call now and then inside long work: the first asks `breathe`, which may throw; the others then
// find out that they are to stop.
class Breath {
 public:
  explicit Breath(const std::function<void()>& breathe) : breathe_(breathe) {}
  void operator()(std::size_t thread) {
    if (thread != 0) {
      if (is_stopped_.load(std::memory_order_relaxed)) throw Stopped();
      return;
    }
    try {
      if (breathe_) breathe_();
    } catch (...) {
      is_stopped_ = true;
      throw;
    }
  }

 private:
  const std::function<void()>& breathe_;
  std::atomic<bool> is_stopped_{false};
};

// Breathes after so many rows: others may want to know, or to stop this, but not at every node.
class NowAndThen {
 public:
  explicit NowAndThen(std::function<void()> breathe) : breathe_(std::move(breathe)) {}
  void after(std::size_t n_rows) {
    n_seen_ += n_rows + 64;
    if (n_seen_ < 65'536) return;
    n_seen_ = 0;
    breathe_();
  }

 private:
  std::function<void()> breathe_;
  std::size_t n_seen_ = 0;
};

// Counts threads down to none; whoever waits may do something now and then.
class Countdown {
 public:
  explicit Countdown(std::size_t n) : left_(n) {}
  void arrive() {
    const std::lock_guard<std::mutex> held(mutex_);
    if (--left_ == 0) done_.notify_all();
  }
  // True when all have arrived.
  bool wait_a_while() {
    std::unique_lock<std::mutex> held(mutex_);
    return done_.wait_for(held, std::chrono::milliseconds(20), [&] { return left_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable done_;
  std::size_t left_;
};

// Run work(0) .. work(n - 1): the first on this thread, the others each on one of their own, which end before
// this returns. (No pool: nothing to survive a fork or to deadlock on.) What a thread throws is thrown again
// here; of several the first, and `Stopped` only if nobody has thrown a reason. While the others still work,
// this thread calls `wait` from time to time; once that throws, they are expected to find out by themselves
// and end.
template <class Work, class Wait>
void in_parallel(std::size_t n, Work work, Wait wait) {
  std::vector<std::exception_ptr> failures(n + 1), stops(n + 1);
  auto guarded = [&](std::size_t t, auto&& job) {
    try {
      job();
    } catch (const Stopped&) {
      stops[t] = std::current_exception();
    } catch (...) {
      failures[t] = std::current_exception();
    }
  };
  {
    Countdown running(n > 0 ? n - 1 : 0);
    std::vector<std::jthread> threads;
    auto job = [&](std::size_t t) {
      guarded(t, [&] { work(t); });
      running.arrive();
    };
    try {
      for (std::size_t t = 1; t < n; ++t) threads.emplace_back(job, t);
    } catch (const std::system_error&) {
      // The machine gives no more threads: this one does what is left.
    }
    guarded(0, [&] { work(0); });
    for (std::size_t t = threads.size() + 1; t < n; ++t) job(t);
    if (n > 1)
      while (!running.wait_a_while())
        if (!failures[n] && !stops[n]) guarded(n, wait);
  }
  for (auto* found : {&failures, &stops})
    for (auto& failure : *found)
      if (failure) std::rethrow_exception(failure);
}

template <class Work>
void in_parallel(std::size_t n, Work work) {
  in_parallel(n, work, [] {});
}

// Do work(item, thread) for the items 0 .. n_items - 1, each once, by whoever is free. This thread breathes
// between items; when that throws, or an item does, nobody takes another.
template <class Work>
void in_shares(std::size_t n_threads, std::size_t n_items, const std::function<void()>& breathe, Work work) {
  std::atomic<std::size_t> next{0};
  auto stop = [&] { next = n_items; };
  auto breathe_or_stop = [&] {
    try {
      if (breathe) breathe();
    } catch (...) {
      stop();
      throw;
    }
  };
  in_parallel(
      std::max<std::size_t>(1, std::min(n_threads, n_items)),
      [&](std::size_t t) {
        try {
          for (std::size_t i; (i = next.fetch_add(1)) < n_items;) {
            if (t == 0 && breathe) breathe();
            work(i, t);
          }
        } catch (...) {
          stop();
          throw;
        }
      },
      breathe_or_stop);
}

}  // namespace treewright
