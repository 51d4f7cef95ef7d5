import { adviceWords } from '@errand/document/display';

/** A message of the host, with the place in Obsidian where that is done which it advises. */
export function inObsidianWords(message: string): string {
  return adviceWords(message, {
    servers: 'in the settings of Errand',
    secrets: 'in the settings of Errand',
    replace: 'Press "Replace the edited result" to lose it.',
  });
}
