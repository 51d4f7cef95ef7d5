import { join } from 'node:path';
import { builtOnce } from '@errand/machine/testing';
import { build } from 'vite';

const home = join(import.meta.dirname, '../../..');

/** The folder of the page built from the sources as they are now. */
export function builtPage(): Promise<string> {
  return builtOnce({
    home,
    name: 'test-page',
    sources: [
      'src/page/**',
      'src/contract/**',
      '../../packages/{document,host,mailroom,parts,wire,workspace}/src/**',
      '*.ts',
      'package.json',
    ],
    build: (outDir) =>
      build({ configFile: join(home, 'vite.config.ts'), logLevel: 'error', build: { outDir } }),
  });
}
