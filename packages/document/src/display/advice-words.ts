/** Where a face has what messages name by a command of the shell. */
export interface AdvicePlaces {
  /** `in Servers` */
  readonly servers: string;
  readonly secrets: string;
  /** A whole sentence: how an edited result is replaced. */
  readonly replace: string;
}

/** A message whose advice is a command, in the words of a face that has none. */
export function adviceWords(message: string, places: AdvicePlaces): string {
  return wordsFor(places).reduce(
    (words, [command, instead]) => words.replace(command, instead),
    message,
  );
}

function wordsFor({
  servers,
  secrets,
  replace,
}: AdvicePlaces): readonly (readonly [RegExp, string])[] {
  return [
    [
      /See each step, and what it wrote last, with: errand servers test [\w-]+/,
      `Test it ${servers} to see each step and what it wrote last.`,
    ],
    [
      /When that is mended: errand servers enable [\w-]+/,
      `When that is mended, enable it ${servers}.`,
    ],
    [/ with: errand (?:servers(?: add| (?:edit|enable) [\w-]+)?|trust)$/, ` ${servers}.`],
    [/ with: errand secrets set [\w-]+$/, ` ${secrets}.`],
    [/(keep it as a secret): errand secrets set [\w-]+, and/i, `$1 ${secrets}, and`],
    [/Delete it, or run (?:again )?with --force to replace it\./, replace],
  ];
}
