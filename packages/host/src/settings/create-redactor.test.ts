import { expect, test } from 'vitest';
import { createRedactor } from './create-redactor.ts';

const name = `\${secret:crm}`;
const value = `k?y/"<&>~ö'é>>${'Z'.repeat(5)}`;
const redact = createRedactor(new Map([[name, value]]));

/** A value's own letters are found wherever they are; what is left of a longer encoding is not told apart. */
function expectHidden(text: string): void {
  const hidden = redact(text);
  expect(hidden).toContain(name);
  expect(hidden.length).toBeLessThan(name.length + 8);
}

test('hides base64 of a value, of either alphabet, with and without padding', () => {
  const bytes = Buffer.from(value);
  for (const text of [
    bytes.toString('base64'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    encodeURIComponent(bytes.toString('base64')),
  ]) {
    expect(redact(`token ${text}.`)).toMatch(/^token \$\{secret:crm\}(={0,2}|(%3D){0,2})\.$/);
  }
});

test.each(['u', 'me', 'you', 'user'])('hides a value behind "%s:" in base64', (user) => {
  const pair = Buffer.from(`${user}:${value}`);
  const pairWithMore = Buffer.from(`${user}:${value}@host`);
  for (const bytes of [pair, pairWithMore]) {
    for (const alphabet of ['base64', 'base64url'] as const) {
      const hidden = redact(`Basic ${bytes.toString(alphabet)}`);
      expect(hidden).toContain(name);
      const left = hidden.replace(name, '');
      expect(left.length).toBeLessThan('Basic '.length + 24);
    }
  }
});

test('hides hexadecimal digits in upper and lower case', () => {
  const hex = Buffer.from(value).toString('hex');
  expect(redact(`${hex} ${hex.toUpperCase()}`)).toBe(`${name} ${name}`);
});

test.each([
  ['JSON', JSON.stringify(value).slice(1, -1)],
  ['JSON in JSON', JSON.stringify(JSON.stringify(value)).slice(3, -3)],
  ['JSON of ASCII alone', 'k?y/\\"<&>~\\u00f6\'\\u00e9>>ZZZZZ'],
  ['JSON with escaped slashes', JSON.stringify(value).slice(1, -1).replaceAll('/', '\\/')],
  ['an address', encodeURIComponent(value)],
  [
    'an address with small digits',
    encodeURIComponent(value).toLowerCase().replace('zzzzz', 'ZZZZZ'),
  ],
  ['a form', new URLSearchParams({ a: value }).toString().slice(2)],
  ['HTML', 'k?y/&quot;&lt;&amp;&gt;~ö&#39;é&gt;&gt;ZZZZZ'],
  ['HTML with other digits', 'k?y/&quot;&lt;&amp;&gt;~ö&#x27;é&gt;&gt;ZZZZZ'],
  ['HTML with plain quotes', 'k?y/"&lt;&amp;&gt;~ö\'é&gt;&gt;ZZZZZ'],
])('hides a value that is escaped for %s', (_, text) => {
  expectHidden(text);
  expect(redact(`a ${text} b`)).toBe(`a ${name} b`);
});

test('hides no ordinary text for the sake of a short value', () => {
  const short = createRedactor(new Map([['short', 'abcd']]));
  expect(short('abcd YWJjZA==')).toBe('short short');
  const words = 'The letters JjZ, FiY2 and hYmNk stand in many pictures.';
  expect(short(words)).toBe(words);
});

test('takes a linear time for large texts and many values', () => {
  const values = Array.from(
    { length: 100 },
    (_, n) => [`n${n}`, `ghp_${n}${'Ab9/'.repeat(9)}`] as const,
  );
  const many = createRedactor(new Map(values));
  const text = 'ghp_Ab9/ Z2hwXzAb '.repeat(200_000);
  // A hang detector: it takes some 50 ms.
  const started = performance.now();
  expect(many(text)).toBe(text);
  expect(performance.now() - started).toBeLessThan(20_000);
});
