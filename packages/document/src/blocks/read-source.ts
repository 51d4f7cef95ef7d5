import { type Document, isAlias, isMap, isScalar, isSeq, Scalar } from 'yaml';
import type { SourceScalar, SourceValue } from '../params/source-value.ts';

/** Converts a YAML document to source values, or says why that is impossible. */
export function readSource(document: Document.Parsed): SourceValue | string {
  const reader = new SourceReader(document);
  const value = reader.read(document.contents, 0);
  return reader.problem ?? value;
}

// An alias repeats a whole tree and may even be inside it: a few of them could fill the memory.
const maximumValues = 10_000;
const maximumDepth = 100;

class SourceReader {
  problem: string | null = null;
  readonly #document: Document.Parsed;
  #count = 0;

  constructor(document: Document.Parsed) {
    this.#document = document;
  }

  read(node: unknown, depth: number): SourceValue {
    if (this.problem !== null) return nothing;
    if (++this.#count > maximumValues || depth > maximumDepth) {
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
    if (isSeq(node))
      return { kind: 'list', items: node.items.map((item) => this.read(item, depth + 1)) };
    if (isMap(node)) {
      const entries = node.items.map(({ key, value }) => {
        if (!isScalar(key)) this.#fail('Parameter names must be plain text.');
        return [isScalar(key) ? sourceOf(key) : '', this.read(value, depth + 1)] as const;
      });
      return { kind: 'map', entries };
    }
    if (!isScalar(node)) return nothing;
    const isPlain = node.type === Scalar.PLAIN;
    return { kind: 'scalar', source: sourceOf(node), value: node.value, isPlain };
  }

  #fail(problem: string): SourceValue {
    this.problem ??= problem;
    return nothing;
  }
}

const nothing: SourceScalar = { kind: 'scalar', source: '', value: null, isPlain: true };

function sourceOf(scalar: Scalar): string {
  return scalar.source ?? String(scalar.value ?? '');
}
