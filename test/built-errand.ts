import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { builtOnce } from '@errand/machine/testing';

const home = join(import.meta.dirname, '..');

/** The `errand` program as it is shipped, from the sources as they are now. */
export async function builtErrand(): Promise<string> {
  const folder = await builtOnce({
    home,
    name: 'test-errand',
    sources: [
      '{apps,packages}/*/src/**/*.{ts,tsx}',
      '{apps/cli,packages/launcher}/**/*.{cjs,json}',
      'rolldown.config.ts',
      'package-lock.json',
    ],
    build: async (own) => {
      // The bundler is only loaded when there is something to build.
      const [{ rolldown }, { commandLine }] = await Promise.all([
        import('rolldown'),
        import('../rolldown.config.ts'),
      ]);
      for (const { output, ...input } of commandLine(join(own, 'dist'))) {
        await using bundle = await rolldown(input);
        await bundle.write(output);
      }
      for (const part of ['bin', 'package.json']) {
        cpSync(join(home, 'apps/cli', part), join(own, part), { recursive: true });
      }
    },
  });
  return join(folder, 'bin/errand.cjs');
}
