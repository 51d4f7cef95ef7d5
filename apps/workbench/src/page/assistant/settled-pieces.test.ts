import { expect, test } from 'vitest';
import { settledPieces } from './settled-pieces.ts';

const long = 'word '.repeat(100).trim();

test('only the last piece changes while text comes, and nothing is lost', () => {
  const text = Array.from({ length: 20 }, (_, index) => `${index} ${long}`).join('\n\n');
  const all = settledPieces(text);
  expect(all.length).toBeGreaterThan(10);
  for (let end = 0; end <= text.length; end += 97) {
    const pieces = settledPieces(text.slice(0, end));
    expect(pieces.map((piece) => piece.text).join('')).toBe(text.slice(0, end));
    for (const piece of pieces.slice(0, -1)) expect(all).toContainEqual(piece);
  }
});

test('a fence, a list, a quote and a short text stay in one piece', () => {
  for (const text of [
    `\`\`\`\n${long}\n\n${long}\n\`\`\``,
    `~~~~\n${long}\n\n~~~\n\n${long}`,
    `- ${long}\n\n- ${long}`,
    `1. ${long}\n\n   ${long}`,
    `> ${long}\n\n> ${long}`,
    'a\n\nb\n\nc',
  ]) {
    expect(settledPieces(text)).toEqual([{ at: 0, text }]);
  }
  expect(settledPieces(`\`\`\`\n${long}\n\`\`\`\n\nnext`)).toHaveLength(2);
});
