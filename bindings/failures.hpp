// What C++ throws, in sentences for the one who called from Python. What the core itself throws is a sentence
// already; what the standard library throws is not.
#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <system_error>
#include <typeinfo>

#include "arrays.hpp"

namespace treewright::bindings {

inline void translate(const std::exception_ptr& thrown, void*) {
  constexpr const char* too_large =
      "There is not enough memory for this. Take fewer rows or columns, or columns of float32.";
  constexpr const char* mistake =
      "The core was given something that it does not take. That is a mistake in treewright, not in your "
      "data: "
      "please report it with the call that led here.";
  try {
    std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    PyErr_SetString(PyExc_MemoryError, too_large);
  } catch (const std::length_error&) {  // an array longer than any can be
    PyErr_SetString(PyExc_MemoryError, too_large);
  } catch (const std::bad_cast&) {
    PyErr_SetString(PyExc_TypeError, mistake);
  } catch (const std::out_of_range&) {
    PyErr_SetString(PyExc_RuntimeError, mistake);
  } catch (const std::system_error& error) {  // locks and threads
    PyErr_Format(PyExc_RuntimeError, "The system refused a thread or a lock (%s); try n_threads=1.",
                 error.code().message().c_str());
  }
}

inline void register_failures() { nb::register_exception_translator(translate, nullptr); }

}  // namespace treewright::bindings
