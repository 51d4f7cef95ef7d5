import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { buildRelease } from './build-release.ts';

const home = import.meta.dirname;
const scripts = { 'start.ts': 'page.js', 'line-worker.ts': 'line-worker.js' } as const;

/** Builds the plugin as it is released into a folder, and the page that it is tried in. */
export async function buildHarness(folder: string): Promise<void> {
  await buildRelease(folder);
  for (const [source, name] of Object.entries(scripts)) {
    await using script = await rolldown({ input: join(home, 'page', source), platform: 'browser' });
    await script.write({ file: join(folder, name), format: 'iife' });
  }
  const theme = readFileSync(join(home, 'theme.css'), 'utf8');
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><style>${theme}</style><link rel="stylesheet" href="/styles.css"><script src="/page.js"></script>`,
  );
}
