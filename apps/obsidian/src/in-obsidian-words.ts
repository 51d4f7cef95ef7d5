/** A message whose advice is a command of the command line, with what does the same in Obsidian. */
export function inObsidianWords(message: string): string {
  return places.reduce((words, [command, place]) => words.replace(command, place), message);
}

const settings = 'in the settings of Errand';

const places: readonly (readonly [RegExp, string])[] = [
  [
    /See each step, and what it wrote last, with: errand servers test [\w-]+/,
    `Test it ${settings} to see each step and what it wrote last.`,
  ],
  [
    /When that is mended: errand servers enable [\w-]+/,
    `When that is mended, enable it ${settings}.`,
  ],
  [/Log in with: errand servers login [\w-]+, or put a token/, 'Put a token'],
  [
    /Log in with: errand servers login [\w-]+/,
    `Put a token into its "headers" ${settings}: logging in needs Errand's command line.`,
  ],
  [/ with: errand (?:servers(?: add| (?:edit|enable) [\w-]+)?|trust)$/, ` ${settings}.`],
  [/ with: errand secrets set [\w-]+$/, ` ${settings}.`],
  [/keep it as a secret: errand secrets set [\w-]+, and/i, `keep it as a secret ${settings}, and`],
  [
    /Delete it, or run (?:again )?with --force to replace it\./,
    'Press "Replace the edited result" on its card, or delete it.',
  ],
];
