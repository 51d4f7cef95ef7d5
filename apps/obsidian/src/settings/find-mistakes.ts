import { changeSettings, HostError, type Settings } from '@errand/host';
import { inObsidianWords } from '../words/in-obsidian-words.ts';

/** What is wrong in a form, by field. */
export type Mistakes = Readonly<Partial<Record<string, string>>>;

/**
 * What is wrong with a change of the settings, by the last name of its place: `model` for
 * `assistants[0].model`. Nothing is stored.
 */
export function findMistakes(
  change: (settings: Settings) => Settings,
  fallback: string,
): Mistakes | undefined {
  try {
    changeSettings(undefined, 'data.json', change);
    return undefined;
  } catch (error) {
    if (!(error instanceof HostError) || error.facts.path === undefined) throw error;
    const { path } = error.facts;
    const field = /\.(\w+)$/.exec(path)?.[1] ?? fallback;
    return { [field]: plain(error.message, path) };
  }
}

/** The message without its place and without what is said of files. */
function plain(message: string, path: string): string {
  const words = message
    .replace(`${path}: `, '')
    .replace(/Keep it with: errand secrets set .*$/, keyAdvice)
    .replace(/ (?:Until then .*? is used|Nothing was saved)\./g, '');
  return inObsidianWords(words);
}

const keyAdvice = 'Choose one of the secrets, or type the key to keep it as one.';
