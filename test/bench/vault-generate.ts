import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Makes a vault of notes that look like people's: about 3.3 KB each, common and rare words. */
export function generateVault(folder: string, count: number): void {
  const random = mulberry(count);
  const words = vocabulary(random, 20_000);
  const perFolder = 100;
  for (let index = 0; index < count; index++) {
    const parent = join(
      folder,
      `Area ${Math.floor(index / perFolder / 10)}`,
      `Topic ${Math.floor(index / perFolder)}`,
    );
    if (index % perFolder === 0) mkdirSync(parent, { recursive: true });
    writeFileSync(join(parent, `Note ${index}.md`), noteText(index, count, words, random));
  }
}

/** A word that the generated vault holds in only a few notes. */
export const rareWord = 'quixotry';

const statuses = ['pending', 'active', 'done', 'waiting', 'archived'];

function noteText(
  index: number,
  count: number,
  words: readonly string[],
  random: () => number,
): string {
  const pick = () => words[zipf(words.length, random)] ?? '';
  const sentence = () => {
    const text = Array.from({ length: 8 + Math.floor(random() * 10) }, pick).join(' ');
    return `${text[0]?.toUpperCase()}${text.slice(1)}.`;
  };
  const paragraph = () => Array.from({ length: 11 }, sentence).join(' ');
  const link = () => `[[Note ${Math.floor(random() * count)}]]`;
  return `---
# kept by hand
title: ${pick()} ${pick()} ${index}
status: ${statuses[Math.floor(random() * statuses.length)]}
created: 2026-0${1 + (index % 9)}-1${index % 10}
zip: 00${100 + (index % 900)}
tags: [${pick()}, topic/${index % 50}]
---
# ${sentence()}

${paragraph()} See ${link()} and ${link()}.

## ${pick()}

${paragraph()}

- ${sentence()} #${pick()}
- ${sentence()}${index % 2000 === 7 ? ` ${rareWord}` : ''}

## ${pick()}

${paragraph()}

${paragraph()} ${link()}
`;
}

/** Few words make up most of a text: the k-th most common one appears 1/k times as often. */
function zipf(size: number, random: () => number): number {
  return Math.min(size - 1, Math.floor(size ** random()) - 1);
}

function vocabulary(random: () => number, size: number): string[] {
  const onsets = 'b c d f g h j k l m n p r s t v w st tr pl br gr ch sh'.split(' ');
  const vowels = 'a e i o u ea ou ie'.split(' ');
  const codas = ['', '', '', 'n', 'r', 's', 't', 'l', 'm', 'nd', 'st', 'ck', 'ng'];
  const any = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? '';
  const words = new Set<string>();
  while (words.size < size) {
    const syllables = 1 + Math.floor(random() * 3.2);
    words.add(
      Array.from({ length: syllables }, () => any(onsets) + any(vowels) + any(codas)).join(''),
    );
  }
  return [...words].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

function mulberry(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
