import type { SourceMap, SourceScalar, SourceValue } from '../params/source-value.ts';
import { findTemplateMistake, renderTemplate } from '../templates/render-template.ts';
import { idsIn } from './block-references.ts';

/** Parameters with the answers of other blocks in place of their templates, or what is wrong with a template. */
export type ResolvedParams =
  | { readonly kind: 'params'; readonly params: SourceMap }
  | { readonly kind: 'problem'; readonly message: string; readonly template: string };

/**
 * Puts answers in place of the templates that refer to blocks; other text that looks like a template stays.
 * `deadline` is the point of `Date.now()` after which no more templates are rendered.
 */
export function resolveReferences(
  params: SourceMap,
  answers: Readonly<Record<string, unknown>>,
  deadline = Number.POSITIVE_INFINITY,
): ResolvedParams {
  const resolver = new Resolver(answers, deadline);
  const resolved = resolver.map(params);
  return resolver.problem === null
    ? { kind: 'params', params: resolved }
    : { kind: 'problem', ...resolver.problem };
}

const deepest = 100;

class Resolver {
  problem: { readonly message: string; readonly template: string } | null = null;
  readonly #variables: Readonly<Record<string, unknown>>;

  readonly #deadline: number;

  constructor(answers: Readonly<Record<string, unknown>>, deadline: number) {
    this.#variables = { blocks: answers };
    this.#deadline = deadline;
  }

  map({ entries }: SourceMap): SourceMap {
    const resolved = entries.map(([name, value]) => [name, this.#value(value, name)] as const);
    return { kind: 'map', entries: resolved };
  }

  #value(value: SourceValue, name: string): SourceValue {
    switch (value.kind) {
      case 'scalar':
        return this.#scalar(value, name);
      case 'list':
        return { kind: 'list', items: value.items.map((item) => this.#value(item, name)) };
      case 'map':
        return this.map(value);
    }
  }

  #scalar(scalar: SourceScalar, name: string): SourceValue {
    if (typeof scalar.value !== 'string' || idsIn(scalar.source).length === 0) return scalar;
    if (this.problem !== null) return scalar;
    const fail = (what: string) => {
      this.problem ??= { message: `Parameter "${name}": ${what}`, template: scalar.source };
    };
    if (Date.now() > this.#deadline) {
      fail('the templates of this note take too long.');
      return scalar;
    }
    const mistake = findTemplateMistake(scalar.source);
    if (mistake !== undefined) {
      fail(mistake);
      return scalar;
    }
    const rendered = renderTemplate(scalar.source, this.#variables);
    if (rendered.kind === 'value') {
      return this.#source(rendered.value, () => fail('the answer is nested too deep.'), 0);
    }
    fail(rendered.message);
    return scalar;
  }

  #source(value: unknown, tooDeep: () => void, depth: number): SourceValue {
    if (depth > deepest) tooDeep();
    if (typeof value !== 'object' || value === null || depth > deepest) return scalarOf(value);
    if (Array.isArray(value)) {
      return { kind: 'list', items: value.map((item) => this.#source(item, tooDeep, depth + 1)) };
    }
    const entries = Object.entries(value).map(
      ([key, each]) => [key, this.#source(each, tooDeep, depth + 1)] as const,
    );
    return { kind: 'map', entries };
  }
}

function scalarOf(value: unknown): SourceScalar {
  if (typeof value === 'string') return { kind: 'scalar', source: value, value, isPlain: false };
  return { kind: 'scalar', source: String(value ?? 'null'), value: value ?? null, isPlain: true };
}
