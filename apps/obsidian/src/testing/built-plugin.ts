import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { buildRelease } from './build-release.ts';

let built: Promise<string> | undefined;

/** The folder with the plugin as it is released, and the page it is tried in; built once in each process. */
export function builtPlugin(): Promise<string> {
  built ??= build();
  return built;
}

async function build(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'errand-plugin-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await buildRelease(folder);
  const input = join(import.meta.dirname, 'page/start.ts');
  await using page = await rolldown({ input, platform: 'browser' });
  await page.write({ file: join(folder, 'page.js'), format: 'iife' });
  const theme = readFileSync(join(import.meta.dirname, 'theme.css'), 'utf8');
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><style>${theme}</style><link rel="stylesheet" href="/styles.css"><script src="/page.js"></script>`,
  );
  return folder;
}
