import { type OutputOptions, rolldown } from 'rolldown';
import pluginBundle from '../../rolldown.config.ts';

/** Builds what a release consists of into a folder, as `npm run build` does. */
export async function buildRelease(folder: string): Promise<void> {
  const { output, ...plugin } = pluginBundle;
  await using bundle = await rolldown(plugin);
  await bundle.write({ ...(output as OutputOptions), dir: folder });
}
