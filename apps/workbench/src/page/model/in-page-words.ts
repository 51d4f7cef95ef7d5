/** A message whose advice is a command, with the place of the page that does the same. */
export function inPageWords(message: string): string {
  return places.reduce((words, [command, place]) => words.replace(command, place), message);
}

const places: readonly (readonly [RegExp, string])[] = [
  [
    /See each step, and what it wrote last, with: errand servers test [\w-]+/,
    'Test it in Servers to see each step and what it wrote last.',
  ],
  [
    /When that is mended: errand servers enable [\w-]+/,
    'When that is mended, enable it in Servers.',
  ],
  [/ with: errand (?:servers(?: add| (?:edit|enable) [\w-]+)?|trust)$/, ' in Servers.'],
  [/ with: errand secrets set [\w-]+$/, ' in Settings.'],
  [/Keep it as a secret: errand secrets set NAME, and/, 'Keep it as a secret in Settings, and'],
  [
    /Delete it, or run (?:again )?with --force to replace it\./,
    'Run the block by itself: you are asked whether to keep or to replace it.',
  ],
];
