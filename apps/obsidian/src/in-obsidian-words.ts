import { type FaceWords, inFaceWords } from '@errand/host/words';

/** A message whose advice is a command for a terminal, with what does the same in Obsidian. */
export function inObsidianWords(message: string): string {
  return inFaceWords(message, words);
}

const words: FaceWords = {
  testServer: 'by testing it in the side view of Errand',
  enableServer: 'in the side view of Errand',
  servers: 'in the settings of Errand',
  trust: 'when you run one of its blocks',
  secrets: 'in the settings of Errand',
  editedResult: 'Delete it, or press “Replace the edited result” on the card of its block.',
  sessionLimit:
    'Run the command “Errand: Reset session limits”, or raise the limit in the settings of Errand.',
};
