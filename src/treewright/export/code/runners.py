"""How artefacts of each language are compiled and run beside a main program that is made for them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from treewright.export.code.naming import camel
from treewright.export.code.of_model import program_of
from treewright.export.code.program import Program
from treewright.export.code.running import Prepared, answers_by, needed, run
from treewright.export.code.texts import javascript_text, python_text, r_text
from treewright.export.code.vectorised import VectorisedPrinter
from treewright.export.format import Answers, Job


def _each(jobs: list[Prepared], part: Callable[[Prepared], str]) -> str:
    return "".join(part(job) for job in jobs)


def _numbers(program: Program, chances: str, value: str, none: str) -> str:
    """Return which numbers of an answer are printed: probabilities, the one number, or none."""
    return value if not program.classes else chances if program.has_chances else none


# ---- Python ------------------------------------------------------------------------------------------------

_PYTHON = """
import importlib, sys
sys.path.insert(0, ".")
def cell(kind, word):
    if word == "-": return None
    if kind == "number": return float(word)
    return word == "1" if kind == "truth" else bytes.fromhex(word[1:]).decode()
def go(name, columns, has_classes, has_node):
    model = importlib.import_module(name)
    has_chances = hasattr(model, "predict_proba")
    for line in open(name + ".rows"):
        row = {column: cell(kind, word) for (column, kind), word in zip(columns, line.split())}
        try:
            label = model.predict(row)
        except ValueError:
            print("refused")
            continue
        numbers = model.predict_proba(row).values() if has_chances else [] if has_classes else [label]
        place = model.CLASSES.index(label) if has_classes else 0
        print(place, model.node(row) if has_node else -1, *map(repr, numbers))
"""


def python(jobs: Sequence[Job]) -> list[Answers]:
    """Return what the artefacts answer, in a Python that knows nothing of treewright."""
    return answers_by(jobs, program_of, _python_files)


def _python_files(folder: Path, jobs: list[Prepared], main: str = _PYTHON) -> list[str]:
    for job in jobs:
        (folder / f"{job.module}.py").write_text(job.source, encoding="utf-8")
        pairs = ", ".join(f"({python_text(f.column.name)}, {f.kind!r})" for f in job.program.fields)
        main += f"go({job.module!r}, [{pairs}], {bool(job.program.classes)}, {bool(job.program.node)})\n"
    (folder / "main.py").write_text(main, encoding="utf-8")
    return [sys.executable, "-I", "-S", "main.py"]


_NUMPY = """
import importlib, sys
sys.path.insert(0, ".")
def cell(kind, word):
    if word == "-": return None
    if kind == "number": return float(word)
    return word == "1" if kind == "truth" else bytes.fromhex(word[1:]).decode()
def go(name, columns, has_classes, has_node):
    model = importlib.import_module(name)
    lines = [line.split() for line in open(name + ".rows")]
    rows = {column: [cell(kind, line[i]) for line in lines] for i, (column, kind) in enumerate(columns)}
    if not columns:
        rows = {"nothing": [None] * len(lines)}
    labels = model.predict(rows)
    numbers = model.predict_proba(rows).tolist() if has_classes else [[x] for x in labels.tolist()]
    nodes = model.node(rows).tolist() if has_node else [-1] * len(lines)
    places = {label: i for i, label in enumerate(model.CLASSES.tolist())} if has_classes else {}
    for label, node, said in zip(labels.tolist(), nodes, numbers):
        is_refused = label is None if has_classes else label != label
        print("refused" if is_refused else " ".join(map(repr, [places.get(label, 0), node, *said])))
"""


def numpy(jobs: Sequence[Job]) -> list[Answers]:
    """Return what the artefacts answer, in a Python that has NumPy and knows nothing of treewright."""
    return answers_by(jobs, lambda model: VectorisedPrinter(model).program, _numpy_files, has_module=False)


def _numpy_files(folder: Path, jobs: list[Prepared]) -> list[str]:
    command = _python_files(folder, jobs, _NUMPY)
    return [command[0], "-I", command[-1]]


# ---- C -----------------------------------------------------------------------------------------------------

_C = r"""
#include <stdio.h>
#include <stdlib.h>
static FILE *rows;
static char *line = NULL, *at = NULL;
static size_t room = 0, length = 0;
static int next_line(void) {
    int c;
    length = 0;
    while ((c = fgetc(rows)) != EOF && c != '\n') {
        if (length + 1 >= room) { room = 2 * room + 64; line = realloc(line, room); }
        line[length++] = (char)c;
    }
    if (c == EOF) return 0;
    if (room == 0) { room = 64; line = realloc(line, room); }
    line[length] = 0;
    at = line;
    return 1;
}
static char *word(void) {
    char *begin = at;
    while (*at && *at != ' ') at++;
    if (*at) *at++ = 0;
    return begin;
}
static char *text(size_t *n) {
    char *w = word(), *out = w;
    if (*w == '-') return NULL;
    *n = strlen(w) / 2;
    for (size_t i = 0; i < *n; i++) {
        char two[3] = {w[1 + 2 * i], w[2 + 2 * i], 0};
        out[i] = (char)strtol(two, NULL, 16);
    }
    return out;
}
"""


def c(jobs: Sequence[Job]) -> list[Answers]:
    """Return what the artefacts answer, compiled by the C compiler of this machine."""
    compiler = needed(os.environ.get("CC") or "cc", "A C compiler", "gcc")

    def build(folder: Path, prepared: list[Prepared]) -> list[str]:
        main = "".join(f'#include "{job.module}.h"\n' for job in prepared)
        main += _C + _each(prepared, _c_part)
        calls = "".join(f"    run_{job.module}();\n" for job in prepared)
        main += f"int main(void) {{\n{calls}    return 0;\n}}\n"
        (folder / "main.c").write_text(main, encoding="utf-8")
        for job in prepared:
            (folder / f"{job.module}.h").write_text(job.source, encoding="utf-8")
        flags = ["-std=c99", "-O0", "-Wall", "-Wextra", "-Werror", "-o", "main", "main.c", "-lm"]
        run([compiler, *flags], folder)
        return ["./main"]

    return answers_by(jobs, program_of, build)


def _c_part(job: Prepared) -> str:
    module, upper = job.module, job.module.upper()
    kind = job.options.get("number", "double")
    reads = []
    for field in job.program.fields:
        to = f"row.{field.name}"
        if field.kind == "number":
            missing = f"{upper}_GAP_NUMBER" if kind == "fixed" else "NAN"
            scale = f" * {2.0 ** job.options.get('fraction', 16)!r}" if kind == "fixed" else ""
            cast = {"double": "", "float": "(float)", "fixed": "(int32_t)floor"}[kind]
            reads.append(
                f"w = word(); {to} = *w == '-' && !w[1] ? {missing} : {cast}(strtod(w, NULL){scale});"
            )
        elif field.kind == "truth":
            reads.append(f"w = word(); {to} = *w == '-' ? {upper}_GAP : *w == '1';")
        else:
            reads.append(f"w = text(&n); {to} = {module}_{field.name}(w, n);")
    body = "\n        ".join(reads)
    said = "a.label" if job.program.classes else "0"
    node = "a.node" if job.program.node else "-1"
    is_refused = "a.label < 0" if job.program.classes else "a.is_refused"
    values = _numbers(job.program, "a.probabilities", "&a.value", "NULL")
    return f"""
static void run_{module}(void) {{
    size_t n = 0; char *w = NULL; (void)n; (void)w;
    rows = fopen("{module}.rows", "r");
    while (next_line()) {{
        {module}_row row;
        memset(&row, 0, sizeof row);
        {body}
        {module}_answer a = {module}_predict(&row);
        if ({is_refused}) {{ puts("refused"); continue; }}
        printf("%d %d", {said}, {node});
        const double *v = {values};
        for (int i = 0; i < {job.program.numbers}; i++) printf(" %.17g", v[i]);
        puts("");
    }}
    fclose(rows);
}}
"""


# ---- JavaScript --------------------------------------------------------------------------------------------

_JAVASCRIPT = """
import { readFileSync } from "node:fs";
function cell(kind, word) {
  if (word === "-") return null;
  if (kind === "number") return word === "inf" ? Infinity : word === "-inf" ? -Infinity : Number(word);
  return kind === "truth" ? word === "1" : Buffer.from(word.slice(1), "hex").toString("utf8");
}
const lines = [];
function go(name, model, columns) {
  for (const line of readFileSync(name + ".rows", "ascii").split("\\n").slice(0, -1)) {
    const words = line.split(" "), row = {};
    columns.forEach(([column, kind], i) => Object.defineProperty(
      row, column, { value: cell(kind, words[i]), enumerable: true }));
    let answer;
    try { answer = model.predict(row); } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      lines.push("refused");
      continue;
    }
    const place = "classes" in model ? model.classes.indexOf(answer.label) : 0;
    const numbers = "classes" in model ? answer.probabilities || [] : [answer.value];
    lines.push([place, "node" in answer ? answer.node : -1, ...numbers].join(" "));
  }
}
"""


def javascript(jobs: Sequence[Job]) -> list[Answers]:
    """Return what the artefacts answer, in Node.js."""
    node = needed("node", "Node.js", "nodejs")

    def build(folder: Path, prepared: list[Prepared]) -> list[str]:
        main = (
            "".join(f'import * as {job.module} from "./{job.module}.mjs";\n' for job in prepared)
            + _JAVASCRIPT
        )
        for job in prepared:
            (folder / f"{job.module}.mjs").write_text(job.source, encoding="utf-8")
            pairs = ", ".join(
                f"[{javascript_text(f.column.name)}, {javascript_text(f.kind)}]" for f in job.program.fields
            )
            main += f'go("{job.module}", {job.module}, [{pairs}]);\n'
        (folder / "main.mjs").write_text(main + 'console.log(lines.join("\\n"));\n', encoding="utf-8")
        return [node, "main.mjs"]

    return answers_by(jobs, program_of, build)


# ---- Java --------------------------------------------------------------------------------------------------

_JAVA = """
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
public final class Main {
    static StringBuilder said = new StringBuilder();
    static double number(String word) {
        if (word.equals("-")) return Double.NaN;
        if (word.equals("inf")) return Double.POSITIVE_INFINITY;
        if (word.equals("-inf")) return Double.NEGATIVE_INFINITY;
        return Double.parseDouble(word);
    }
    static Boolean truth(String word) { return word.equals("-") ? null : (Boolean) word.equals("1"); }
    static String text(String word) {
        if (word.equals("-")) return null;
        byte[] bytes = new byte[word.length() / 2];
        for (int i = 0; i < bytes.length; i++)
            bytes[i] = (byte) Integer.parseInt(word.substring(1 + 2 * i, 3 + 2 * i), 16);
        return new String(bytes, StandardCharsets.UTF_8);
    }
    static List<String> lines(String name) throws Exception {
        return Files.readAllLines(Paths.get(name), StandardCharsets.US_ASCII);
    }
    static void put(int place, int node, double... numbers) {
        said.append(place).append(' ').append(node);
        for (double number : numbers) said.append(' ').append(number);
        said.append('\\n');
    }
"""


def java(jobs: Sequence[Job]) -> list[Answers]:
    """Return what the artefacts answer, compiled by javac and run by java."""
    compiler, machine = (
        needed(command, "A Java development kit", "default-jdk-headless") for command in ("javac", "java")
    )

    def build(folder: Path, prepared: list[Prepared]) -> list[str]:
        calls = "".join(f"        run_{job.module}();\n" for job in prepared)
        main = f"{_JAVA}{_each(prepared, _java_part)}"
        main += "    public static void main(String[] a) throws Exception {\n"
        main += f"{calls}        System.out.print(said);\n    }}\n}}\n"
        (folder / "Main.java").write_text(main, encoding="utf-8")
        for job in prepared:
            (folder / f"{camel(job.module)}.java").write_text(job.source, encoding="utf-8")
        quick = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
        options = ["-encoding", "UTF-8", "-nowarn", "-proc:none", "-d", "."]
        files = ["Main.java", *(f"{camel(job.module)}.java" for job in prepared)]
        run([compiler, *(f"-J{flag}" for flag in quick), *options, *files], folder)
        return [machine, *quick, "-cp", ".", "Main"]

    return answers_by(jobs, program_of, build)


def _java_part(job: Prepared) -> str:
    name = camel(job.module)
    reads = "".join(
        f"            row.{field.name} = {field.kind}(words[{i}]);\n"
        for i, field in enumerate(job.program.fields)
    )
    label = f"Arrays.asList({name}.CLASSES).indexOf(a.label)" if job.program.classes else "0"
    node = "a.node" if job.program.node else "-1"
    numbers = _numbers(job.program, "a.probabilities", "a.value", "new double[0]")
    return f"""
    static void run_{job.module}() throws Exception {{
        for (String line : lines("{job.module}.rows")) {{
            String[] words = line.split(" ");
            {name}.Row row = new {name}.Row();
{reads}            {name}.Answer a;
            try {{ a = {name}.predict(row); }}
            catch (IllegalArgumentException e) {{ said.append("refused\\n"); continue; }}
            put({label}, {node}, {numbers});
        }}
    }}
"""


# ---- Rust --------------------------------------------------------------------------------------------------

_RUST = """
#![allow(dead_code)]
fn number(word: &str) -> f64 { if word == "-" { f64::NAN } else { word.parse().unwrap() } }
fn truth(word: &str) -> Option<bool> { if word == "-" { None } else { Some(word == "1") } }
fn text(word: &str) -> Option<String> {
    if word == "-" { return None; }
    let byte = |i| u8::from_str_radix(&word[i..i + 2], 16).unwrap();
    let bytes = (1..word.len()).step_by(2).map(byte).collect();
    Some(String::from_utf8(bytes).unwrap())
}
fn put(place: usize, node: i32, numbers: &[f64]) {
    print!("{} {}", place, node);
    for number in numbers { print!(" {:e}", number); }
    println!();
}
"""


def rust(jobs: Sequence[Job]) -> list[Answers]:
    """Return what the artefacts answer, compiled by rustc."""
    compiler = needed("rustc", "A Rust compiler", "rustc")

    def build(folder: Path, prepared: list[Prepared]) -> list[str]:
        calls = "".join(f"    run_{job.module}();\n" for job in prepared)
        main = _RUST + "".join(f"mod {job.module};\n" for job in prepared) + _each(prepared, _rust_part)
        (folder / "main.rs").write_text(f"{main}fn main() {{\n{calls}}}\n", encoding="utf-8")
        for job in prepared:
            (folder / f"{job.module}.rs").write_text(job.source, encoding="utf-8")
        run([compiler, "--edition=2018", "-Copt-level=0", "-Cdebuginfo=0", "-Dwarnings", "main.rs"], folder)
        return ["./main"]

    return answers_by(jobs, program_of, build)


def _rust_part(job: Prepared) -> str:
    module, fields = job.module, job.program.fields
    reads = "".join(f"        let c{i} = {f.kind}(words[{i}]);\n" for i, f in enumerate(fields))
    cells = "".join(
        f"        row.{f.name} = c{i}{'.as_deref()' if f.kind == 'text' else ''};\n"
        for i, f in enumerate(fields)
    )
    label = f"{module}::CLASSES.iter().position(|c| *c == a.label).unwrap()" if job.program.classes else "0"
    numbers = _numbers(job.program, "&a.probabilities", "&[a.value]", "&[]")
    mut = "mut " if fields else ""
    return f"""
fn run_{module}() {{
    for line in std::fs::read_to_string("{module}.rows").unwrap().lines() {{
        let words: Vec<&str> = line.split(' ').collect();
        let _ = words;
{reads}        let {mut}row = {module}::Row::default();
{cells}        match {module}::predict(&row) {{
            None => println!("refused"),
            Some(a) => put({label}, {"a.node" if job.program.node else "-1"}, {numbers}),
        }}
    }}
}}
"""


# ---- Go ----------------------------------------------------------------------------------------------------

_GO = """
func number(word string) float64 {
	if word == "-" { return math.NaN() }
	found, err := strconv.ParseFloat(word, 64)
	if err != nil { panic(err) }
	return found
}
func truth(word string) *bool {
	if word == "-" { return nil }
	found := word == "1"
	return &found
}
func text(word string) *string {
	if word == "-" { return nil }
	bytes, err := hex.DecodeString(word[1:])
	if err != nil { panic(err) }
	found := string(bytes)
	return &found
}
func put(place int, node int, numbers ...float64) {
	fmt.Fprint(said, place, " ", node)
	for _, x := range numbers { fmt.Fprint(said, " ", strconv.FormatFloat(x, 'g', -1, 64)) }
	fmt.Fprintln(said)
}
var said = bufio.NewWriter(os.Stdout)
var _, _, _ = number, truth, text
func lines(name string) []string {
	all, err := os.ReadFile(name)
	if err != nil { panic(err) }
	found := strings.Split(string(all), "\\n")
	return found[:len(found)-1]
}
func place(classes []string, label string) int {
	for i, class := range classes { if class == label { return i } }
	return -1
}
"""


def go(jobs: Sequence[Job]) -> list[Answers]:
    """Return what the artefacts answer, compiled by Go."""
    compiler = needed("go", "Go", "golang-go")

    def build(folder: Path, prepared: list[Prepared]) -> list[str]:
        names = ("bufio", "encoding/hex", "fmt", "math", "os", "strconv", "strings")
        paths = [*names, *(f"models/{job.module}" for job in prepared)]
        imports = "".join(f'\t"{path}"\n' for path in paths)
        calls = "".join(f"\trun_{job.module}()\n" for job in prepared)
        main = f"package main\n\nimport (\n{imports})\n{_GO}{_each(prepared, _go_part)}"
        (folder / "main.go").write_text(
            f"{main}func main() {{\n{calls}\tsaid.Flush()\n}}\n", encoding="utf-8"
        )
        (folder / "go.mod").write_text("module models\n\ngo 1.13\n", encoding="utf-8")
        for job in prepared:
            (folder / job.module).mkdir()
            (folder / job.module / "model.go").write_text(job.source, encoding="utf-8")
        run([compiler, "build", "-gcflags=all=-N", "-o", "main", "."], folder)
        return ["./main"]

    return answers_by(jobs, program_of, build)


def _go_part(job: Prepared) -> str:
    module, fields = job.module, job.program.fields
    reads = "".join(f"\t\trow.{camel(f.name)} = {f.kind}(words[{i}])\n" for i, f in enumerate(fields))
    label = f"place({module}.Classes[:], a.Label)" if job.program.classes else "0"
    numbers = _numbers(job.program, "a.Probabilities[:]...", "a.Value", "[]float64{}...")
    return f"""
func run_{module}() {{
	for _, line := range lines("{module}.rows") {{
		words := strings.Split(line, " ")
		_ = words
		row := &{module}.Row{{}}
{reads}		a, err := {module}.Predict(row)
		if err != nil {{
			fmt.Fprintln(said, "refused")
			continue
		}}
		put({label}, {"a.Node" if job.program.node else "-1"}, {numbers})
	}}
}}
"""


# ---- R -----------------------------------------------------------------------------------------------------

_R = """
cell <- function(kind, word) {
  if (word == "-") return(if (kind == "number") NaN else NA)
  if (kind == "number") return(as.numeric(word))
  if (kind == "truth") return(word == "1")
  if (word == "t") return("")
  bytes <- strtoi(substring(word, seq(2, nchar(word), 2), seq(3, nchar(word), 2)), 16L)
  found <- rawToChar(as.raw(bytes))
  Encoding(found) <- "UTF-8"
  found
}
go <- function(name, model, columns, kinds) {
  for (line in readLines(paste0(name, ".rows"))) {
    words <- strsplit(line, " ", fixed = TRUE)[[1]]
    row <- lapply(seq_along(columns), function(i) cell(kinds[i], words[i]))
    names(row) <- columns
    said <- tryCatch(model$answer(row), error = function(e) {
      if (!grepl("refuses", conditionMessage(e))) stop(e)
      NULL
    })
    if (is.null(said)) { cat("refused\\n"); next }
    place <- if (is.null(model$classes)) 0 else match(said$label, model$classes) - 1
    numbers <- if (is.null(model$classes)) said$value else said$probabilities
    node <- if (is.null(said$node)) -1 else said$node
    cat(place, node, if (!is.null(numbers)) sprintf("%.17g", numbers))
    cat("\\n")
  }
}
"""


def r(jobs: Sequence[Job]) -> list[Answers]:
    """Return what the artefacts answer, in R."""
    command = needed("Rscript", "R", "r-base-core")

    def build(folder: Path, prepared: list[Prepared]) -> list[str]:
        main = _R
        for job in prepared:
            (folder / f"{job.module}.R").write_text(job.source, encoding="utf-8")
            names = ", ".join(r_text(field.column.name) for field in job.program.fields)
            kinds = ", ".join(r_text(field.kind) for field in job.program.fields)
            main += f'source("{job.module}.R", encoding = "UTF-8")\n'
            main += f'go("{job.module}", {job.module}, c({names}), c({kinds}))\n'
        (folder / "main.R").write_text(main, encoding="utf-8")
        return [command, "--vanilla", "main.R"]

    return answers_by(jobs, program_of, build, lambda x: x.hex() if abs(x) < float("inf") else repr(x))
