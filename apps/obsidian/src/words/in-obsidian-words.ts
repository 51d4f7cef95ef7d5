import type { RunningTest } from '@errand/workspace/servers';
import { type FaceWords, inFaceWords } from '@errand/workspace/words';

/** A message whose advice is a command for a terminal, with what does the same in Obsidian. */
export function inObsidianWords(message: string): string {
  return inFaceWords(message, words);
}

/** Why the test of a server failed; nothing when it did not. */
export function failureInWords(test: RunningTest | undefined): string | undefined {
  if (test?.error === undefined) return undefined;
  const { error } = test;
  return error instanceof Error
    ? inObsidianWords(error.message)
    : 'It failed, and does not say why.';
}

const words: FaceWords = {
  testServer: 'by testing it in the side view of Errand',
  enableServer: 'in the side view of Errand',
  servers: 'in the settings of Errand',
  trust: 'when you run one of its blocks',
  secrets: 'in the settings of Errand',
  login:
    'Put a token into its "headers" in the settings of Errand: logging in needs Errand\'s command line.',
  editedResult: 'Delete it, or press “Replace the edited result” on the card of its block.',
  sessionLimit:
    'Run the command “Errand: Reset session limits”, or raise the limit in the settings of Errand.',
};
