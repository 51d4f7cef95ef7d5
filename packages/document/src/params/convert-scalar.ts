import type { Alternative } from './json-schema.ts';
import type { SourceScalar } from './source-value.ts';

/** Converts a scalar to a type that the schema allows; null when it fits none. */
export function convertScalar(
  scalar: SourceScalar,
  alternatives: readonly Alternative[],
): { readonly value: unknown } | null {
  for (const candidate of candidates(scalar)) {
    const fits = alternatives.some(
      ({ types, values }) =>
        (types?.has(candidate.type) ?? values !== null) &&
        (values === null || values.includes(candidate.value)),
    );
    if (fits) return candidate;
  }
  const isUntyped = alternatives.some(({ types, values }) => types === null && values === null);
  return isUntyped ? { value: scalar.value } : null;
}

/** All readings of a scalar, preferred first. Text comes first, because it keeps every character. */
function* candidates(scalar: SourceScalar): Generator<{ type: string; value: unknown }> {
  const { source } = scalar;
  if (scalar.isPlain && scalar.value === null) yield { type: 'null', value: null };
  yield { type: 'string', value: source };
  const number = numberFrom(scalar);
  if (number !== null) {
    if (Number.isInteger(number)) yield { type: 'integer', value: number };
    yield { type: 'number', value: number };
  }
  const word = source.trim().toLowerCase();
  if (word === 'true' || word === 'false') yield { type: 'boolean', value: word === 'true' };
  if (word === '' || word === 'null' || word === '~') yield { type: 'null', value: null };
  const parsed = parseJson(source);
  if (Array.isArray(parsed)) yield { type: 'array', value: parsed };
  else if (typeof parsed === 'object' && parsed !== null) yield { type: 'object', value: parsed };
}

/** Its value as a number, if a double holds it exactly. */
function numberFrom({ source, value, isPlain }: SourceScalar): number | null {
  const text = source.trim();
  const isDecimal = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text);
  // Hexadecimal and octal are numbers only where YAML reads them so.
  const number = isDecimal
    ? Number(text)
    : isPlain && typeof value === 'number'
      ? value
      : Number.NaN;
  if (!Number.isFinite(number)) return null;
  const isWhole = /^[-+]?\d+$/.test(text) || !isDecimal;
  return isWhole && !Number.isSafeInteger(number) ? null : number;
}

function parseJson(source: string): unknown {
  if (!/^\s*[[{]/.test(source)) return undefined;
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}
