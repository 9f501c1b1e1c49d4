// Functions built several times, for plain and for wide instructions; the machine that runs them picks. The
// results are the same: what is done in them is exact, or rounded number by number as IEEE 754 says.
#pragma once

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) && \
    (!defined(__clang__) || __clang_major__ >= 16)
#define TREEWRIGHT_HAS_WIDE
#define TREEWRIGHT_WIDE __attribute__((target_clones("default", "avx2")))
#else
#define TREEWRIGHT_WIDE
#endif
