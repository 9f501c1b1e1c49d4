// What long work of the core calls now and then: it lets Ctrl-C through and tells how far the work is.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "arrays.hpp"
#include "released.hpp"

namespace treewright::bindings {

// Speaks a few times a second, from the thread that called. Copies share what they hold of Python, so that
// threads without the interpreter's lock may make some; the last is let go where the first was made.
inline std::function<void(double)> breather(const nb::object& progress) {
  struct Breath {
    std::chrono::steady_clock::time_point last;
    nb::object progress;
  };
  auto breath = std::make_shared<Breath>(Breath{std::chrono::steady_clock::now(), progress});
  return [breath](double share) {
    const auto now = std::chrono::steady_clock::now();
    if (now - breath->last < std::chrono::milliseconds(50)) return;
    breath->last = now;
    nb::gil_scoped_acquire held;
    Work::stop_if_ending();
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!breath->progress.is_none()) breath->progress(share);
  };
}

// The same for work that nobody watches.
inline std::function<void()> listener() {
  return [breathe = breather(nb::none())] { breathe(0); };
}

}  // namespace treewright::bindings
