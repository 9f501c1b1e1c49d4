// Work without the interpreter's lock, and what becomes of it where the interpreter ends meanwhile.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "arrays.hpp"

namespace treewright::bindings {

// Threads that ask for the lock of an interpreter that has ended are ended themselves (before Python 3.14),
// in the middle of C++, which would abort the process. So the end waits until nobody works, and who works is
// told to stop.
class Work {
 public:
  Work() {
    stop_if_ending();
    ++count();
  }
  ~Work() { --count(); }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  // With the lock in hand.
  static void stop_if_ending() {
    if (!ending()) return;
    PyErr_SetNone(PyExc_SystemExit);  // a thread ends by it without a word
    throw nb::python_error();
  }
  // The interpreter is about to end: return when all work has.
  static void end() {
    ending() = true;
    nb::gil_scoped_release released;
    while (count() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  // In the child of a fork no other thread works.
  static void forget() { count() = 0; }

 private:
  static std::atomic<int>& count() {
    static std::atomic<int> n{0};
    return n;
  }
  static std::atomic<bool>& ending() {
    static std::atomic<bool> is{false};
    return is;
  }
};

// While it lives, this thread works without the lock.
class Released {
  Work work_;  // ends after the lock is held again
  nb::gil_scoped_release released_;
};

inline void register_ending() {
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&Work::end));
  nb::module_ os = nb::module_::import_("os");
  if (nb::hasattr(os, "register_at_fork"))
    os.attr("register_at_fork")(nb::arg("after_in_child") = nb::cpp_function(&Work::forget));
}

}  // namespace treewright::bindings
