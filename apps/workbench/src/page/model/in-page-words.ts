import { adviceWords } from '@errand/document/display';

/** A message whose advice is a command, with the place of the page that does the same. */
export function inPageWords(message: string): string {
  return adviceWords(message, {
    servers: 'in Servers',
    secrets: 'in Settings',
    replace: 'Run the block by itself: you are asked whether to keep or to replace it.',
  });
}
