/** A message whose advice is a shell command, with the place in Obsidian that does the same. */
export function inObsidianWords(message: string): string {
  return places.reduce((words, [command, place]) => words.replace(command, place), message);
}

const places: readonly (readonly [RegExp, string])[] = [
  [
    /See each step, and what it wrote last, with: errand servers test [\w-]+/,
    'Press Test connection in the settings of Errand to see each step.',
  ],
  [
    /When that is mended: errand servers enable [\w-]+/,
    'When that is mended, enable it in the settings of Errand.',
  ],
  [
    / with: errand (?:servers(?: add| (?:edit|enable) [\w-]+)?|trust)\.?$/,
    ' in the settings of Errand.',
  ],
  [
    /Keep it as a secret: errand secrets set NAME, and/,
    "Keep it in Obsidian's secret storage, and",
  ],
  [
    /Keep it with: errand secrets set \S+, and write "key": \S+$/,
    "Choose one of Obsidian's secrets.",
  ],
  [/ with: errand secrets set [\w-]+/, ' under Secrets in the settings of Errand.'],
];
