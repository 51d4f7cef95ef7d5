import type { Draft } from './draft.ts';
import { fromLocalTime } from './local-time.ts';
import type { Schema } from './schema.ts';
import { type Bounds, type Shape, shapeOf } from './shape-of.ts';

/** The value of a draft (undefined: none) and its mistakes by dotted path. */
export interface DraftReading {
  readonly value: unknown;
  readonly mistakes: ReadonlyMap<string, string>;
}

/** Validates a form. Patterns are left to the host, since an untrusted one could run for ever. */
export function readDraft(draft: Draft, schema: unknown, root: Schema): DraftReading {
  const mistakes = new Map<string, string>();
  const value = read({ draft, schema, root, path: [], isRequired: true, mistakes });
  return { value, mistakes };
}

interface Reading {
  readonly draft: Draft;
  readonly schema: unknown;
  readonly root: Schema;
  readonly path: readonly (string | number)[];
  readonly isRequired: boolean;
  readonly mistakes: Map<string, string>;
}

function read(reading: Reading): unknown {
  const { draft, schema, root, isRequired } = reading;
  const wrong = (message: string) => void reading.mistakes.set(reading.path.join('.'), message);
  if (draft.kind === 'json') return readJson(draft.text, isRequired, wrong);
  const shape = shapeOf(schema, root);
  if (isEmpty(draft)) {
    if (shape.kind === 'fixed') return isRequired ? shape.value : undefined;
    if (!isRequired) return undefined;
    if (shape.isNullable) return null;
    return wrong(missing(shape));
  }
  switch (draft.kind) {
    case 'object':
      return shape.kind === 'object' ? readFields(draft.fields, shape.fields, reading) : undefined;
    case 'list':
      return shape.kind === 'list' ? readItems(draft.items, shape, reading) : undefined;
    case 'choices': {
      if (shape.kind !== 'choices') return undefined;
      const { least, most, choices } = shape;
      const mistake = wrongCount(draft.chosen.length, least, most);
      if (mistake !== undefined) return wrong(mistake);
      return draft.chosen.map((index) => choices[index]?.value);
    }
    case 'variant': {
      const variant = shape.kind === 'variants' ? shape.variants[draft.index] : undefined;
      return variant && read({ ...reading, draft: draft.draft, schema: variant.schema });
    }
    case 'text':
      return readText(draft.text, shape, isRequired, wrong);
  }
}

function isEmpty(draft: Draft): draft is Extract<Draft, { kind: 'none' }> {
  return draft.kind === 'none' || (draft.kind === 'text' && draft.text.trim() === '');
}

function missing({ kind }: Shape): string {
  switch (kind) {
    case 'choice':
      return 'Choose one.';
    case 'object':
    case 'list':
    case 'choices':
      return 'This is required: add it.';
    default:
      return 'This is required.';
  }
}

function readFields(
  drafts: ReadonlyMap<string, Draft>,
  fields: Extract<Shape, { kind: 'object' }>['fields'],
  reading: Reading,
): unknown {
  const entries = fields.map(({ name, schema, isRequired }) => {
    const draft = drafts.get(name) ?? { kind: 'none' as const };
    const path = [...reading.path, name];
    return [name, read({ ...reading, draft, schema, path, isRequired })] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function readItems(
  items: Extract<Draft, { kind: 'list' }>['items'],
  { item, least, most }: Extract<Shape, { kind: 'list' }>,
  reading: Reading,
): unknown {
  const mistake = wrongCount(items.length, least, most);
  if (mistake !== undefined) reading.mistakes.set(reading.path.join('.'), mistake);
  return items.map(({ draft }, index) =>
    read({ ...reading, draft, schema: item, path: [...reading.path, index], isRequired: true }),
  );
}

function wrongCount(count: number, least: number, most: number): string | undefined {
  if (count < least) return `At least ${least} ${least === 1 ? 'is' : 'are'} required.`;
  return count > most ? `At most ${most} ${most === 1 ? 'is' : 'are'} allowed.` : undefined;
}

type Wrong = (message: string) => undefined;

function readText(text: string, shape: Shape, isRequired: boolean, wrong: Wrong): unknown {
  switch (shape.kind) {
    case 'choice':
      return shape.choices[Number(text)]?.value;
    case 'fixed':
      return shape.value;
    case 'flag':
      return text === 'true';
    case 'number':
      return readNumber(text, shape, wrong);
    case 'text':
      return readString(text, shape, wrong);
    case 'json':
      return readJson(text, isRequired, wrong);
    default:
      return undefined;
  }
}

function readNumber(
  text: string,
  { isWhole, bounds }: Extract<Shape, { kind: 'number' }>,
  wrong: Wrong,
): unknown {
  const number = Number(text);
  if (!Number.isFinite(number)) return wrong('Not a number. Example: 12.');
  if (isWhole && !Number.isInteger(number)) return wrong('Use a whole number.');
  if (isWhole && !Number.isSafeInteger(number)) return wrong('This number is too large.');
  const { least, most, isLeastOut, isMostOut } = bounds;
  const isTooSmall = number < least || (isLeastOut && number === least);
  const isTooLarge = number > most || (isMostOut && number === most);
  return isTooSmall || isTooLarge ? wrong(describeBounds(bounds)) : number;
}

/** `From 1 to 10.`, `More than 0.` */
export function describeBounds({ least, most, isLeastOut, isMostOut }: Bounds): string {
  const low = least === -Infinity ? '' : `${isLeastOut ? 'more than' : 'from'} ${least}`;
  const high = most === Infinity ? '' : `${isMostOut ? 'less than' : 'up to'} ${most}`;
  const words = [low, high].filter(Boolean).join(' ');
  return words === '' ? '' : `${words[0]?.toUpperCase()}${words.slice(1)}.`;
}

function readString(
  text: string,
  { format, least, most }: Extract<Shape, { kind: 'text' }>,
  wrong: Wrong,
): unknown {
  if (format === 'date-time') {
    return fromLocalTime(text) ?? wrong('Choose a day and a time.');
  }
  if (format === 'email' && !/^[^\s@]+@[^\s@]+$/.test(text)) {
    return wrong('Not an e-mail address. Example: ada@host.example.');
  }
  if (format === 'uri' && !URL.canParse(text)) {
    return wrong('Not a URL. Write it in full, for example https://host.example/.');
  }
  // JSON Schema counts code points, not UTF-16 code units.
  const { length } = [...text];
  if (length < least) return wrong(`At least ${least} characters are required.`);
  return length > most ? wrong(`At most ${most} characters are allowed.`) : text;
}

function readJson(text: string, isRequired: boolean, wrong: Wrong): unknown {
  if (text.trim() === '') return isRequired ? wrong('This is required, as JSON.') : undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    return wrong(`Not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
}
