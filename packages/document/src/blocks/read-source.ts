import { type Document, isAlias, isMap, isNode, isScalar, isSeq, Scalar } from 'yaml';
import type { SourceScalar, SourceValue } from '../params/source-value.ts';

/** What is wrong with a document, and the offset in its text where that is known. */
export interface SourceProblem {
  readonly message: string;
  readonly at?: number;
}

/** A YAML document as source values, and the first problem in it; without a value when it cannot be read at all. */
export interface ReadSource {
  readonly value: SourceValue | null;
  readonly problem: SourceProblem | null;
}

export function readSource(document: Document.Parsed, text: string): ReadSource {
  const reader = new SourceReader(document, text);
  const value = reader.read(document.contents, 0);
  return { value: reader.problem === null ? value : null, problem: reader.problem ?? reader.unset };
}

// An alias repeats a whole tree and may even be inside it: a few of them could fill the memory.
const maximumValues = 10_000;
const maximumDepth = 100;

class SourceReader {
  problem: SourceProblem | null = null;
  /** The first value that was left out. */
  unset: SourceProblem | null = null;
  readonly #document: Document.Parsed;
  readonly #text: string;
  #count = 0;

  constructor(document: Document.Parsed, text: string) {
    this.#document = document;
    this.#text = text;
  }

  read(node: unknown, depth: number): SourceValue {
    if (this.problem !== null) return nothing;
    if (depth > maximumDepth) {
      return this.#fail(
        `The values are nested more than ${maximumDepth} levels deep. Write a flatter value.`,
      );
    }
    if (++this.#count > maximumValues) {
      return this.#fail(
        'The block has too many values. An alias (*name) counts everything that it repeats.',
      );
    }
    if (isAlias(node)) {
      const target = node.resolve(this.#document);
      if (target === undefined)
        return this.#fail(`A value that starts with * must be quoted: "*${node.source}".`);
      return this.read(target, depth + 1);
    }
    if (isSeq(node)) {
      const items = node.items.map((item) => {
        if (isNothing(item)) this.unset ??= problemAt(missing('An item of a list'), startOf(item));
        return this.read(item, depth + 1);
      });
      return { kind: 'list', items };
    }
    if (isMap(node)) {
      const entries = node.items.map(({ key, value }) => {
        if (!isScalar(key)) return ['', this.#failAtKey(key)] as const;
        const name = sourceOf(key);
        if (isNothing(value)) this.unset ??= this.#unsetAt(name, key);
        return [name, this.read(value, depth + 1)] as const;
      });
      return { kind: 'map', entries };
    }
    if (!isScalar(node)) return nothing;
    const isPlain = node.type === Scalar.PLAIN;
    return { kind: 'scalar', source: sourceOf(node), value: node.value, isPlain };
  }

  #failAtKey(key: unknown): SourceValue {
    const at = startOf(key);
    // A brace less: the offset is that of the inner mapping.
    const template = /^\{\{.*?\}\}/.exec(this.#text.slice(Math.max((at ?? 0) - 1, 0)))?.[0];
    return template === undefined
      ? this.#fail('Parameter names must be plain text.', at)
      : this.#fail(`A template must be quoted: "${template.replaceAll('"', "'")}".`, at);
  }

  /** A value that was left out, or is a comment to YAML, is not what anybody means. */
  #unsetAt(name: string, key: Scalar): SourceProblem {
    const at = startOf(key);
    const [, comment] = /^[^\n]*?:[ \t]+(#[^\s#][^\n]*)/.exec(this.#text.slice(at ?? 0)) ?? [];
    const message =
      comment === undefined
        ? missing(`"${name}"`)
        : `"${name}" has no value: # begins a comment. Put the value in quotes: ${JSON.stringify(comment.trim())}`;
    return problemAt(message, at);
  }

  #fail(message: string, at?: number): SourceValue {
    this.problem ??= problemAt(message, at);
    return nothing;
  }
}

function problemAt(message: string, at: number | undefined): SourceProblem {
  return at === undefined ? { message } : { message, at };
}

function missing(what: string): string {
  return `${what} has no value. Write one, or "" for an empty text, or null.`;
}

/** Whether YAML found no value at all, as opposed to `null`, `~` or `""`. */
function isNothing(node: unknown): boolean {
  if (node === null) return true;
  return isScalar(node) && node.value === null && sourceOf(node) === '';
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

const nothing: SourceScalar = { kind: 'scalar', source: '', value: null, isPlain: true };

function sourceOf(scalar: Scalar): string {
  return scalar.source ?? String(scalar.value ?? '');
}
