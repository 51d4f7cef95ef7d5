import { isMap, isScalar, isSeq } from 'yaml';
import type { NoteContext } from '../note-context.ts';
import type { NoteScan } from '../scan/note-scan.ts';
import {
  type Binding,
  type BindingProblem,
  type BindingSource,
  type BindingTarget,
  describeMistake,
} from './binding.ts';
import { type FrontmatterYaml, isNothing, parseFrontmatter, textOf } from './frontmatter-yaml.ts';
import {
  commentedBindings,
  displacedBindings,
  mayHoldBindings,
  type StrayBinding,
  speaksOfBindings,
  strayBindings,
  unclosedBindings,
} from './stray-bindings.ts';
import { unknownServer } from './unknown-server.ts';

/** Reads the bindings under `mcp` in the frontmatter. A mistake never lifts a restriction: it refuses calls instead. */
export function frontmatterBindings(scan: NoteScan, context: NoteContext): BindingSource {
  const { frontmatter, text } = scan;
  if (frontmatter === null) return refuseNote(unclosedBindings(text));
  const displaced = displacedBindings(text, frontmatter.to);
  if (displaced !== null) return refuseNote(displaced);
  const body = text.slice(frontmatter.bodyFrom, frontmatter.bodyTo).replace(/\r(?!\n)/g, '\n');
  // Most notes have no bindings, and parsing YAML is expensive: quadratic for large texts.
  if (!mayHoldBindings(body)) return nothing;
  if (body.length > maximumLength) {
    if (!speaksOfBindings(body)) return nothing;
    const message =
      'The frontmatter is larger than 64 KiB, so its bindings are not read. Shorten it.';
    return refuseNote({ message, line: 1 });
  }
  const yaml = parseFrontmatter(scan);
  if (yaml === null) return nothing;
  const { error } = yaml;
  if (error !== null) {
    if (!speaksOfBindings(body)) return nothing;
    return refuseNote({ ...error, message: `This is not YAML: ${error.message}` });
  }
  const stray = strayBindings(yaml, body);
  if (stray !== null) return refuseNote(stray);
  const { bindings, fault, problems } = new BindingReader(context, yaml.lineAt).read(yaml);
  const comments = commentedBindings(yaml, body).map(problemAt);
  return { bindings, fault, problems: [...problems, ...comments] };
}

const maximumLength = 64 * 1024;

const nothing: BindingSource = { bindings: [], fault: null, problems: [] };

function refuseNote(mistake: StrayBinding | null): BindingSource {
  if (mistake === null) return nothing;
  const problem = problemAt(mistake);
  return { bindings: [], fault: problem.message, problems: [problem] };
}

function problemAt({ message, line }: StrayBinding): BindingProblem {
  return { message: describeMistake({ kind: 'frontmatter', line }, message), line };
}

/** Turns the value of `mcp` into bindings. */
class BindingReader implements BindingSource {
  readonly bindings: Binding[] = [];
  readonly problems: BindingProblem[] = [];
  fault: string | null = null;
  readonly #context: NoteContext;
  readonly #lineAt: (offset: number) => number;

  constructor(context: NoteContext, lineAt: (offset: number) => number) {
    this.#context = context;
    this.#lineAt = lineAt;
  }

  read({ mcp: value }: FrontmatterYaml): BindingSource {
    if (value === undefined) return this;
    if (isNothing(value)) return this.#tellEmpty(value, 'mcp');
    if (!isMap(value)) {
      return this.#refuseNote(value, '"mcp" must hold "server" or "sections".');
    }
    for (const { key, value: entry } of value.items) {
      const name = textOf(key);
      if (name === 'server') this.#bind({ kind: 'note' }, entry, key, true, null);
      else if (name === 'sections') this.#readSections(entry);
      else this.#refuseNote(key, `"mcp" has no "${name}". Write "server" or "sections".`);
    }
    return this;
  }

  #readSections(value: unknown): void {
    if (isNothing(value)) {
      this.#tellEmpty(value, 'sections');
      return;
    }
    if (!isSeq(value)) {
      this.#refuseNote(value, '"sections" must be a list of entries, each beginning with "- ".');
      return;
    }
    for (const item of value.items) this.#readSection(item);
  }

  #readSection(item: unknown): void {
    if (!isMap(item)) {
      this.#refuseNote(item, 'A section needs "heading", "block" or "lines", and "server".');
      return;
    }
    const fields = new Map(item.items.map(({ key, value }) => [textOf(key), { key, value }]));
    const named = ['heading', 'block', 'lines'].filter((name) => fields.has(name));
    const kind = named[0];
    if (kind === undefined || named.length > 1) {
      this.#refuseNote(item, 'A section names exactly one of "heading", "block" and "lines".');
      return;
    }
    const target = readTarget(kind, fields.get(kind)?.value);
    if (typeof target === 'string') {
      this.#refuseNote(fields.get(kind)?.key, target);
      return;
    }
    const strange = [...fields.keys()].find((name) => !sectionFields.includes(name));
    const inherit = fields.get('inherit')?.value;
    const inherits = isNothing(inherit) || (isScalar(inherit) && inherit.value === true);
    const fault =
      strange !== undefined
        ? `A section has no "${strange}". It has: ${sectionFields.join(', ')}.`
        : !inherits && !(isScalar(inherit) && inherit.value === false)
          ? '"inherit" must be true or false.'
          : null;
    this.#bind(target, fields.get('server')?.value, item, inherits, fault);
  }

  #bind(
    target: BindingTarget,
    server: unknown,
    place: unknown,
    inherit: boolean,
    earlier: string | null,
  ): void {
    const line = this.#line(place);
    const wanted = textOf(server);
    const known = this.#context.servers.find(
      ({ name }) => name.toLowerCase() === wanted.toLowerCase(),
    );
    const fault =
      earlier ??
      (wanted === ''
        ? '"server" must name a server.'
        : known === undefined
          ? unknownServer(wanted, this.#context)
          : null);
    if (fault !== null) this.problems.push(problemAt({ message: fault, line }));
    const name = fault === null ? (known?.name ?? null) : null;
    this.bindings.push({
      origin: { kind: 'frontmatter', line },
      target,
      server: name,
      fault,
      inherit,
      isOfThisNote: true,
    });
  }

  /** An empty key is not an error, but its lines may have been commented out or lost. */
  #tellEmpty(place: unknown, key: string): this {
    const line = this.#line(place);
    this.problems.push(problemAt({ message: `"${key}" is empty and has no effect.`, line }));
    return this;
  }

  #refuseNote(place: unknown, message: string): this {
    const problem = problemAt({ message, line: this.#line(place) });
    this.fault ??= problem.message;
    this.problems.push(problem);
    return this;
  }

  #line(place: unknown): number {
    const range = isMap(place) || isSeq(place) || isScalar(place) ? place.range : null;
    return this.#lineAt(range?.[0] ?? 0);
  }
}

const sectionFields = ['heading', 'block', 'lines', 'server', 'inherit'];

/** The target of the section, or a message that says what is wrong. */
function readTarget(kind: string, value: unknown): BindingTarget | string {
  if (kind === 'heading') {
    const text = textOf(value);
    if (text !== '') return { kind: 'heading', text };
    return 'The heading is empty. Put it in quotes, since "#" begins a comment: heading: "## Weather"';
  }
  if (kind === 'block') {
    const id = textOf(value).replace(/^\^/, '');
    return id === ''
      ? '"block" must be the id of a block, for example: block: w1'
      : { kind: 'block', id };
  }
  const [first, last, ...more] = isSeq(value)
    ? value.items.map((item) => (isScalar(item) ? item.value : null))
    : [];
  if (isLine(first) && isLine(last) && first < last && more.length === 0) {
    return { kind: 'lines', first, last };
  }
  return '"lines" must be two line numbers, the first before the last, for example: lines: [10, 40]';
}

function isLine(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
