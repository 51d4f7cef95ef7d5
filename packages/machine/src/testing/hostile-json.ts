import type { Random } from '@errand/document/testing';

type Json = Readonly<Record<string, unknown>>;

/** A message as somebody writes it who means harm or has a defect; it has no line breaks. */
export function hostileJson(random: Random, message: Json, others: readonly unknown[]): Buffer {
  let value: unknown = message;
  for (let change = random.below(4); change > 0; change -= 1) value = changed(random, value);
  if (random.oneIn(20)) value = [value, changed(random, message), ...others];
  let text = writeNested(JSON.stringify(value) ?? '');
  if (random.oneIn(4)) text = text.replace(/"id":[^,}]*/, `"id":${random.pick(oddTexts)}`);
  if (random.oneIn(4)) text = text.replace(/:[^:,{}[\]]*(?=[,}])/, `:${random.pick(oddTexts)}`);
  // The same member twice.
  if (random.oneIn(10)) text = text.replace(/\{("\w+"):/, `{$1:${random.pick(oddTexts)},$1:`);
  const bytes = Buffer.from(text.replaceAll('\n', ' '));
  return random.oneIn(4) ? damaged(random, bytes) : bytes;
}

/** A value with something in it left out, added, or replaced by what nobody expects there. */
function changed(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random.oneIn(6)) return odd(random);
  if (Array.isArray(value)) {
    const at = random.below(value.length + 1);
    return value.toSpliced(at, 1, changed(random, value[at]));
  }
  const keys = Object.keys(value);
  const key = random.oneIn(8) || keys.length === 0 ? random.pick(oddKeys) : random.pick(keys);
  const { [key]: part, ...others } = value as Json;
  if (random.oneIn(6)) return others;
  return Object.fromEntries([...Object.entries(others), [key, changed(random, part)]]);
}

const oddKeys = ['__proto__', 'constructor', 'toString', 'then', 'toJSON', 'length', '', 'id'];
const oddValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  '',
  ' ',
  '\ud800',
  '\u0000\t\u202e',
  '1000000001',
  [],
  {},
  [null, [null], 'x', 5],
  { toString: 1, valueOf: 2 },
  { type: 'text', text: 5 },
  { type: 'image', data: {}, mimeType: [] },
  { type: 'resource', resource: { blob: 5, uri: [] } },
  { type: 'resource_link' },
  { resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } } },
  { code: 'x', message: {} },
];

function odd(random: Random): unknown {
  if (random.oneIn(60)) return nested(random.pick([150, 250, 5_000, 20_000]), random.oneIn(2));
  if (random.oneIn(60)) return 'x'.repeat(random.below(200_000));
  if (random.oneIn(200)) return Array(random.below(20_000)).fill(random.pick(oddValues));
  return random.pick(oddValues);
}

/** Stands for a value of so many levels; such an object could not be made JSON of. */
function nested(levels: number, isList: boolean): string {
  return `\u{e000}${isList ? 'list' : 'object'} ${levels}`;
}

function writeNested(text: string): string {
  return text.replace(/"\u{e000}(\w+) (\d+)"/gu, (_, kind: string, levels: string) => {
    const [open, close] = kind === 'list' ? ['[', ']'] : ['{"a":', '}'];
    return `${open.repeat(Number(levels))}0${close.repeat(Number(levels))}`;
  });
}

const oddTexts = [
  '01',
  '-0',
  '1e999',
  '-1e-999',
  '9'.repeat(400),
  '"a\tb"',
  '"\\ud800"',
  '"\\x"',
  '[[[[1]]]]',
  '{"toString":1}',
  'null',
  'true',
  'undefined',
  'NaN',
  '"',
  '\\',
  '[',
  '}',
];

/** Bytes that were cut off, left out, changed or put in. */
function damaged(random: Random, bytes: Buffer): Buffer {
  const at = random.below(bytes.length + 1);
  const noise = Buffer.from(Array.from({ length: random.below(5) }, () => random.below(256)));
  const rest = random.oneIn(4) ? Buffer.alloc(0) : bytes.subarray(at + random.below(4));
  const all = Buffer.concat([bytes.subarray(0, at), noise, rest]);
  // A line of its own, so that it spoils no other.
  return Buffer.from(all.map((byte) => (byte === 0x0a ? 0x20 : byte)));
}
