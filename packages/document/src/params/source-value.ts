/** A parameter as it was written: scalars keep their text, so that a schema can decide their type. */
export type SourceValue = SourceScalar | SourceList | SourceMap;

export interface SourceScalar {
  readonly kind: 'scalar';
  /** Its text, without quotes. */
  readonly source: string;
  /** Its value without a schema. */
  readonly value: unknown;
  /** Written without quotes, so that it may be a number, a boolean or null. */
  readonly isPlain: boolean;
}

export interface SourceList {
  readonly kind: 'list';
  readonly items: readonly SourceValue[];
}

export interface SourceMap {
  readonly kind: 'map';
  readonly entries: readonly (readonly [name: string, value: SourceValue])[];
}

export const emptyMap: SourceMap = { kind: 'map', entries: [] };

/** The value that YAML itself gives, without any schema. */
export function plainValue(value: SourceValue): unknown {
  switch (value.kind) {
    case 'scalar':
      return value.value;
    case 'list':
      return value.items.map(plainValue);
    case 'map':
      return Object.fromEntries(value.entries.map(([name, entry]) => [name, plainValue(entry)]));
  }
}

/** Parameters that arrive as text, from a command line or a mapping. */
export function textParams(values: Readonly<Record<string, string>>): SourceMap {
  const entries = Object.entries(values).map(
    ([name, source]) => [name, { kind: 'scalar', source, value: source, isPlain: false }] as const,
  );
  return { kind: 'map', entries };
}
