/** Languages of code blocks that mean something already: ours, programming languages, other tools. */
export const reservedLanguages: ReadonlySet<string> = new Set(
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
export const recentLanguages: ReadonlySet<string> = new Set(
  'copilot curl mssql node prompt shell-session splunk url'.split(' '),
);
