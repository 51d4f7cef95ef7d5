import { type FaceWords, inFaceWords } from '@errand/workspace/words';

/** A message whose advice is a command, with the place of the page that does the same. */
export function inPageWords(message: string): string {
  return inFaceWords(message, words);
}

const words: FaceWords = {
  testServer: 'by testing it in Servers',
  enableServer: 'in Servers',
  servers: 'in Servers',
  trust: 'in Servers',
  secrets: 'in Settings',
  editedResult: 'Run the block by itself: you are asked whether to keep or to replace it.',
  sessionLimit: 'Reset the session in Calls, or raise the limit in Settings.',
};
