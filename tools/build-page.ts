import { cpSync, existsSync, globSync, rmSync, statSync } from 'node:fs';
import { build } from 'vite';
import { checkFirstLoad } from './first-load.ts';

const workbench = 'apps/workbench';
const built = `${workbench}/dist/page`;

/** Builds the workbench's page. */
export async function buildPage(): Promise<void> {
  await build({ configFile: `${workbench}/vite.config.ts`, logLevel: 'warn' });
}

/** Whether the page was never built, or one of its files is newer. */
export function isPageOld(): boolean {
  const page = `${built}/index.html`;
  if (!existsSync(page)) return true;
  const { mtimeMs } = statSync(page);
  const sources = [
    `${workbench}/{src/{page,contract}/**,src/contract.ts,*.ts,*.json}`,
    'packages/{document,host,parts,wire,workspace}/src/**',
  ];
  return globSync(sources).some((path) => statSync(path).mtimeMs > mtimeMs);
}

// Run as a program, it also puts the page beside the command line that ships with it.
if (import.meta.main) {
  await buildPage();
  console.log(checkFirstLoad(built));
  rmSync('apps/cli/dist/page', { recursive: true, force: true });
  cpSync(built, 'apps/cli/dist/page', { recursive: true });
}
