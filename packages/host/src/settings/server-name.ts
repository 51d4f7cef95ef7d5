const longest = 100;

/** What is wrong with a server's name beside those of others; it is also a code-block language. Undefined when it is fine. */
export function findNameMistake(name: string, others: readonly string[] = []): string | undefined {
  if (recentlyReserved.has(name.toLowerCase())) return isLanguage(name, others);
  return findStoredNameMistake(name, others);
}

/** The same for a name in a settings file, which may be older than the newest reserved names. */
export function findStoredNameMistake(
  name: string,
  others: readonly string[] = [],
): string | undefined {
  const instead = `Write for example "${suggestServerName(name, others)}".`;
  if (name === '') return 'A server needs a name. Write for example "notes".';
  if (name.length > longest) return `A name has at most ${longest} characters. ${instead}`;
  if (!/^[A-Za-z0-9_-]+$/.test(name)) {
    return `A name has only letters (A to Z), digits, "-" and "_". ${instead}`;
  }
  if (name.includes('__')) {
    return `A name has no "__", which separates server and tool in the gateway. ${instead}`;
  }
  if (reservedNames.has(name.toLowerCase())) return isLanguage(name, others);
  if (others.some((other) => other.toLowerCase() === name.toLowerCase())) {
    return `Another server has this name. ${instead}`;
  }
  return undefined;
}

function isLanguage(name: string, others: readonly string[]): string {
  return `"${name}" is the language of other code blocks. Write for example "${suggestServerName(name, others)}".`;
}

/** A legal name as near as possible to the wanted one, and not among those taken (ignoring case). */
export function suggestServerName(wanted: string, taken: Iterable<string>): string {
  const used = new Set(Array.from(taken, (name) => name.toLowerCase()));
  const base = legalName(wanted);
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `-${number}`;
    const name = base.slice(0, longest - suffix.length) + suffix;
    if (!used.has(name.toLowerCase())) return name;
  }
}

function legalName(wanted: string): string {
  const plain = wanted
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/_{2,}/g, '_')
    .replace(/-{2,}/g, '-')
    .replace(/^[-_]+|[-_]+$/g, '')
    .slice(0, longest);
  if (plain === '') return 'server';
  const isReserved = [reservedNames, recentlyReserved].some((names) =>
    names.has(plain.toLowerCase()),
  );
  return isReserved ? `${plain}-server` : plain;
}

/** Languages of code blocks that mean something already: ours, programming languages, other tools. */
const reservedNames: ReadonlySet<string> = new Set(
  `mcp mcp-result mcp-error
  abc actionscript ad-note ada admonition apl applescript arduino asciidoc asm assembly awk base
  bases bash basic bat batch bibtex button c chart chartsview clike clojure cmake cmd cobol
  coffeescript console cpp cs csharp css csv cuda cypher cython dart dataview dataviewjs delphi
  diff docker dockerfile dot dotenv ebnf elixir elm embed env erlang excalidraw flowchart fortran
  fsharp gherkin gleam glsl go golang gradle graph graphql graphviz groovy handlebars haskell hcl
  heex html http ics ini java javascript jinja jinja2 js js-engine json json5 jsonc jsonl jsx
  julia jupyter kanban katex kotlin kql latex leaflet less liquid lisp lua make makefile markdown
  math mathematica matlab md mdx mermaid meta-bind meta-bind-button mindmap nasm nginx nim nix
  none nushell objc objectivec ocaml octave org output pascal patch perl pgsql php plain plaintext
  plantuml plist postcss powershell prolog proto protobuf ps1 pug puml puppet purescript py python
  python3 qml query r racket raku razor rb regex regexp rst ruby rust sas sass scala scheme scss
  sequence sh shell shellsession smalltalk solidity space-lua sparql sql stata stylus svelte svg
  swift systemverilog tasks tcl templater terminal terraform tex text tikz timeline toc toml
  tracker ts tsv tsx twig txt typescript typst vb vba vega vega-lite verilog vhdl vim vimscript
  vue wasm wavedrom wolfram xml yaml yml zig zsh`.split(/\s+/),
);

/** Languages found in real notes later; servers that already have such a name keep it. */
const recentlyReserved: ReadonlySet<string> = new Set(
  'copilot curl mssql node prompt shell-session splunk url'.split(' '),
);
