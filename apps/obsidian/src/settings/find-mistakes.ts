import { changeSettings, HostError, type Settings } from '@errand/host';
import { inObsidian } from '../text/advice.ts';

/** Problems of a form, by field. */
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
    const { path, detail: message = error.message } = error.facts;
    const field = /\.(\w+)$/.exec(path)?.[1] ?? fallback;
    return { [field]: inObsidian({ message, advice: error.advice }) };
  }
}
