import { changeSettings, type Settings } from '@errand/host';
import { refusedSetting } from '@errand/workspace/settings';
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
    const refused = refusedSetting(error);
    if (refused === undefined) throw error;
    const field = /\.(\w+)$/.exec(refused.path)?.[1] ?? fallback;
    return { [field]: inObsidian(refused) };
  }
}
