// The least that a test in C++ needs: TEST(name) { CHECK(...); }, and a main that runs all of a file.
#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace check {

struct Test {
  std::string name;
  std::function<void()> body;
};
inline std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}
inline int& failures() {
  static int n = 0;
  return n;
}
inline bool add(const char* name, std::function<void()> body) {
  tests().push_back({name, std::move(body)});
  return true;
}
inline void that(bool is_true, const char* what, const char* file, int line) {
  if (is_true) return;
  ++failures();
  std::printf("%s:%d: %s\n", file, line, what);
}
inline int run() {
  for (const Test& test : tests()) {
    const int before = failures();
    test.body();
    std::printf("%s %s\n", failures() == before ? "ok  " : "FAIL", test.name.c_str());
  }
  return failures() > 0 || tests().empty() ? 1 : 0;
}

// Numbers without end that are the same on every machine.
class Numbers {
 public:
  int below(int n) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int>((state_ >> 33) % static_cast<unsigned long long>(n));
  }

 private:
  unsigned long long state_ = 1;
};

}  // namespace check

#define TEST(name)                                             \
  static void name();                                          \
  static const bool is_added_##name = check::add(#name, name); \
  static void name()
#define CHECK(condition) check::that(static_cast<bool>(condition), #condition, __FILE__, __LINE__)

int main() { return check::run(); }
