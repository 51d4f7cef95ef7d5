import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { redactSecrets } from '../../packages/mailroom/src/redact-secrets.ts';
import { htmlToText } from '../../servers/gmail/src/mime/html-to-text.ts';

/** Lines of `phrases/NAME.txt`: each is a text, with its secrets between ⟦ and ⟧. */
function phrasesOf(name: string): readonly string[] {
  const text = readFileSync(join(import.meta.dirname, 'phrases', `${name}.txt`), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(`"${line.replaceAll('"', String.raw`\"`)}"`));
}

const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const lines = (text: string, line: (text: string) => string) => text.split('\n').map(line).join('');

/** How mails bring a text. */
const forms: Readonly<Record<string, (text: string) => string>> = {
  alone: (text) => text,
  'between paragraphs': (text) =>
    `Hi Tom, thank you for your call.\n\n${text}\n\nBest regards\nAda`,
  'with the line ends of mails': (text) => `${text.replaceAll('\n', '\r\n')}\r\nBye`,
  'in a quoted reply': (text) => lines(text, (line) => `\n>> ${line}`),
  'in HTML with line breaks': (text) => htmlToText(escaped(text).replaceAll('\n', '<br>')),
  'in paragraphs': (text) => htmlToText(lines(text, (line) => `<p>${escaped(line)}</p>`)),
  'in a table': (text) =>
    htmlToText(
      lines(text, (line) => `<tr><td>${escaped(line).replaceAll(': ', ':</td><td>')}</td></tr>`),
    ),
  'in boxes': (text) =>
    htmlToText(
      lines(text, (line) => `<div>${escaped(line).replaceAll(': ', ':</div><div>')}</div>`),
    ),
};

test.each(['en', 'de', 'fr', 'es', 'it'])(
  'takes the secrets out of what people write (%s)',
  (name) => {
    const phrases = phrasesOf(name);
    expect(phrases.length).toBeGreaterThan(80);
    const leaks = phrases.flatMap((phrase) => {
      const secrets = [...phrase.matchAll(/⟦([^⟧]*)⟧/g)].map(([, secret = '']) => shown(secret));
      return Object.entries(forms).flatMap(([form, write]) => {
        const { text } = redactSecrets(write(phrase.replace(/[⟦⟧]/g, '')));
        return secrets.filter((secret) => text.includes(secret)).map(() => `${form}: ${text}`);
      });
    });
    expect(leaks).toEqual([]);
  },
);

/** As the gate writes what it leaves. */
function shown(secret: string): string {
  return secret.normalize('NFKC').replace(/\u200b/g, '');
}

test('leaves dates, prices, telephone numbers, orders and meetings as they are', () => {
  const changed = phrasesOf('harmless').flatMap((text) => {
    const { text: left, redactions } = redactSecrets(text);
    return redactions.length > 0 ? [left] : [];
  });
  expect(changed).toEqual([]);
});
