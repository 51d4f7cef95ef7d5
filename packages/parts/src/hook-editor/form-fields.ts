/** One field of a form whose fields are data. */
export interface FieldSpec {
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  readonly hint?: string;
  readonly isRequired?: boolean;
  /** Of a `choice` or `choices`: values with their labels. */
  readonly options?: readonly (readonly [value: string, label: string])[];
  readonly placeholder?: string;
}

export type FieldKind =
  | 'text'
  /** Text of several lines. */
  | 'area'
  | 'choice'
  /** Any number of the options. */
  | 'choices'
  | 'flag'
  /** A list, written one item a line. */
  | 'lines'
  /** A mapping, written as NAME=VALUE a line. */
  | 'pairs'
  /** A list, written with commas. */
  | 'list'
  | 'number'
  /** Milliseconds, written as seconds. */
  | 'seconds';

/** What is typed into fields, by name. */
export type FieldValues = Readonly<Record<string, FieldValue>>;
export type FieldValue = string | boolean | readonly string[];

/** What is typed as JSON; what is empty is left out unless it is required. */
export function readFields(
  specs: readonly FieldSpec[],
  values: FieldValues,
): Readonly<Record<string, unknown>> {
  const entries = specs.flatMap((spec) => {
    const value = readField(spec, typedIn(values, spec.name));
    const isEmpty = value === '' || value === false || (Array.isArray(value) && value.length === 0);
    if (value === undefined || (isEmpty && !spec.isRequired)) return [];
    return [[spec.name, value] as const];
  });
  return Object.fromEntries(entries);
}

/** JSON as it would have been typed. */
export function fillFields(
  specs: readonly FieldSpec[],
  json: Readonly<Record<string, unknown>>,
): FieldValues {
  const entries = specs.flatMap((spec) => {
    const value = Object.hasOwn(json, spec.name) ? json[spec.name] : undefined;
    return value === undefined ? [] : [[spec.name, fillField(spec.kind, value)] as const];
  });
  return Object.fromEntries(entries);
}

function typedIn(values: FieldValues, name: string): FieldValue | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function readField(
  { kind, options, isRequired = false }: FieldSpec,
  value: FieldValue | undefined,
): unknown {
  const text = typeof value === 'string' ? value : '';
  switch (kind) {
    case 'text':
    case 'area':
      return text;
    case 'choice':
      // A required choice shows its first option before anything is chosen.
      return text === '' && isRequired ? options?.[0]?.[0] : text;
    case 'choices':
      return Array.isArray(value) ? value : [];
    case 'flag':
      return value === true;
    case 'lines':
      return text.split('\n').filter((line) => line.trim() !== '');
    case 'list':
      return text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');
    case 'pairs': {
      const pairs = text.split('\n').filter((line) => line.trim() !== '');
      if (pairs.length === 0) return undefined;
      return Object.fromEntries(
        pairs.map((line) => {
          const [name = '', ...rest] = line.split('=');
          return [name.trim(), rest.join('=')];
        }),
      );
    }
    case 'number':
    case 'seconds': {
      if (text.trim() === '') return undefined;
      const number = Number(text);
      // What is no number is sent as it is, to be refused with a reason.
      if (Number.isNaN(number)) return text;
      return kind === 'seconds' ? Math.round(number * 1_000) : number;
    }
  }
}

function fillField(kind: FieldKind, value: unknown): FieldValue {
  switch (kind) {
    case 'flag':
      return value === true;
    case 'choices':
      return Array.isArray(value) ? value.map(String) : [];
    case 'lines':
      return Array.isArray(value) ? value.join('\n') : String(value);
    case 'list':
      return Array.isArray(value) ? value.join(', ') : String(value);
    case 'pairs':
      return typeof value === 'object' && value !== null
        ? Object.entries(value)
            .map(([name, part]) => `${name}=${part}`)
            .join('\n')
        : '';
    case 'seconds':
      return typeof value === 'number' ? String(value / 1_000) : String(value);
    default:
      return String(value);
  }
}
