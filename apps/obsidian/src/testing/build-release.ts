import { type OutputOptions, type RolldownOptions, rolldown } from 'rolldown';
import pluginBundle from '../../rolldown.config.ts';

/** Builds what a release consists of into a folder, as `npm run build` does; a test may change how. */
export async function buildRelease(folder: string, changes: RolldownOptions = {}): Promise<void> {
  const { output, ...plugin } = { ...pluginBundle, ...changes };
  await using bundle = await rolldown(plugin);
  await bundle.write({ ...(output as OutputOptions), dir: folder });
}
