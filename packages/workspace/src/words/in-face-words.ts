/**
 * What a face says instead of a command for a terminal; each is the end of a sentence of its own, or
 * stands behind the words it is named for. Without one, the command stays.
 */
export interface FaceWords {
  /** `See each step, and what it wrote last, …` */
  readonly testServer: string;
  /** `When that is mended, …` and `Enable it …` */
  readonly enableServer: string;
  /** `See them …`, `Add one …`, `change what is wrong …` */
  readonly servers: string;
  /** `Look at it and agree …` */
  readonly trust: string;
  /** `Set it …` */
  readonly secrets: string;
  /** What to do instead of logging in: a whole sentence. */
  readonly login?: string;
  /** What to do about a result that was edited by hand: a whole sentence. */
  readonly editedResult: string;
  /** What to do about a session that has used all of its calls: a whole sentence. */
  readonly sessionLimit?: string;
}

/** A message whose advice is a command for a terminal, with what does the same in the face that shows it. */
export function inFaceWords(message: string, face: FaceWords): string {
  return advice.reduce((words, [command, say]) => {
    const said = say(face);
    return said === undefined ? words : words.replace(command, said);
  }, message);
}

/** Every command that messages of the host and the documents advise. */
const advice: readonly (readonly [RegExp, (face: FaceWords) => string | undefined])[] = [
  [
    /See each step, and what it wrote last, with: errand servers test [\w-]+/,
    ({ testServer }) => `See each step, and what it wrote last, ${testServer}.`,
  ],
  [
    /When that is mended: errand servers enable [\w-]+/,
    ({ enableServer }) => `When that is mended, enable it ${enableServer}.`,
  ],
  [
    /Log in with: errand servers login [\w-]+, or put a token/,
    ({ login }) => login && 'Put a token',
  ],
  [/Log in with: errand servers login [\w-]+/, ({ login }) => login],
  [/ with: errand servers enable [\w-]+$/, ({ enableServer }) => ` ${enableServer}.`],
  [/ with: errand servers(?: add| edit [\w-]+)?$/, ({ servers }) => ` ${servers}.`],
  [/ with: errand trust$/, ({ trust }) => ` ${trust}.`],
  [/ with: errand secrets set [\w-]+$/, ({ secrets }) => ` ${secrets}.`],
  [/Delete it, or run (?:again )?with --force to replace it\./, ({ editedResult }) => editedResult],
  [
    /Reset the session or raise mcpSessionLimit in the settings\./,
    ({ sessionLimit }) => sessionLimit,
  ],
];
