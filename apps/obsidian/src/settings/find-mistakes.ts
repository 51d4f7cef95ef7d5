import type { Settings } from '@errand/host';
import { findRefused } from '@errand/workspace/settings';
import { inObsidian } from '../text/advice.ts';

/** Problems of a form, by field. */
export type Mistakes = Readonly<Partial<Record<string, string>>>;

/** What is wrong with a change of the settings, by field; nothing is stored. */
export function findMistakes(
  change: (settings: Settings) => Settings,
  fallback: string,
): Mistakes | undefined {
  const refused = findRefused(change, fallback);
  return refused && { [refused.path]: inObsidian(refused) };
}
