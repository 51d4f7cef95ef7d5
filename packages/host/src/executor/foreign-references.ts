import { hasKeyword, partsOf, type SchemaExclusions } from './loosen-schema.ts';
import type { Schema } from './schema-guard.ts';

/**
 * The references that lead out of a schema, to be left out of it: nothing is ever fetched, so only the
 * server knows what they mean. Nothing when there are none; one that leads nowhere inside is not of them.
 */
export function foreignReferences(schema: Schema): SchemaExclusions | undefined {
  const found: Survey = { own: new Set(), references: [] };
  survey(schema, standardBase, found);
  const foreign = new Set(
    found.references.filter(({ to }) => !found.own.has(to)).map(({ reference }) => reference),
  );
  if (foreign.size === 0) return undefined;
  return {
    isExcluded: (keyword, value) => keyword === '$ref' && foreign.has(value as string),
    // What a reference inside leads to may itself refer to the outside.
    isLooser: (part) => hasKeyword(part, (keyword) => referring.has(keyword)),
  };
}

interface Survey {
  /** The addresses under which the schema, and schemas inside it, are known to each other. */
  readonly own: Set<string>;
  readonly references: { readonly reference: string; readonly to: string }[];
}

const standardBase = 'schema:/';
const referring = new Set(['$ref', '$dynamicRef', '$recursiveRef']);

function survey(part: unknown, base: string, found: Survey): void {
  if (Array.isArray(part)) for (const each of part) survey(each, base, found);
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return;
  const { $id, id, $ref } = part as Schema;
  const name = $id ?? id;
  const own = typeof name === 'string' ? address(name, base) : base;
  found.own.add(own);
  if (typeof $ref === 'string' && !$ref.startsWith('#')) {
    found.references.push({ reference: $ref, to: address($ref, own) });
  }
  survey(partsOf(part), own, found);
}

/** Where a reference leads, without the place in what is found there. */
function address(reference: string, base: string): string {
  try {
    const url = new URL(reference, base);
    url.hash = '';
    return url.href;
  } catch {
    return reference;
  }
}
