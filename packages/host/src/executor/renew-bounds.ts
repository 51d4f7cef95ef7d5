import { partsOf } from './loosen-schema.ts';

const bounds = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

/** Older schemas say with `true` that the bound itself is no value; says it as the newer ones do, in place. */
export function renewBounds(schema: unknown): void {
  if (Array.isArray(schema)) {
    for (const part of schema) renewBounds(part);
  } else if (typeof schema === 'object' && schema !== null) {
    renewOwn(schema as Record<string, unknown>);
    renewBounds(partsOf(schema));
  }
}

function renewOwn(schema: Record<string, unknown>): void {
  for (const [exclusive, inclusive] of bounds) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    const isExclusive = schema[exclusive] && inclusive in schema;
    delete schema[exclusive];
    if (!isExclusive) continue;
    schema[exclusive] = schema[inclusive];
    delete schema[inclusive];
  }
}
