import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { openContext, yieldPages } from '@errand/machine/testing/browser';
import type { JSHandle, Page } from 'playwright-core';
import manifest from '../../manifest.json' with { type: 'json' };
import { builtPlugin } from './built-plugin.ts';
import type { Harness } from './page/harness.ts';

export interface ObsidianOptions {
  /** Languages that other plugins have taken before. */
  readonly taken?: readonly string[];
  /** What the environment of Obsidian has besides. */
  readonly env?: Readonly<Record<string, string>>;
  /** As before 1.12.2: without a command line. */
  readonly isOld?: boolean;
  /** An Obsidian before 1.13, whose plugins draw their settings themselves. */
  readonly drawsTabs?: boolean;
}

export interface TestVault {
  /** Texts by path. */
  readonly notes: Readonly<Record<string, string>>;
  /** The text of the plugin's data file. */
  readonly data: string;
}

/** The built plugin in a browser, in a vault of its own. */
export interface OpenObsidian extends AsyncDisposable {
  readonly page: Page;
  readonly harness: JSHandle<Harness>;
  /** A folder that is gone with it; the vault is in it. */
  readonly home: string;
  readonly complaints: readonly string[];
  text(pane?: number): Promise<string>;
  file(path: string): string;
}

/** Opens a vault with the plugin loaded. */
export async function openObsidian(
  { taken = [], env = {}, isOld = false, drawsTabs = false }: ObsidianOptions,
  fill: (home: string) => TestVault | Promise<TestVault>,
): Promise<OpenObsidian> {
  const built = await builtPlugin();
  await using opening = new AsyncDisposableStack();
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'errand-obsidian-')));
  opening.defer(() => rmSync(home, { recursive: true, force: true }));
  const { notes, data } = await fill(home);
  const folder = join(home, 'vault');
  const dir = `.obsidian/plugins/${manifest.id}`;
  const files = { ...notes, [`${dir}/data.json`]: data };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const bridge = startBridge(home, env, {
    '/': join(built, 'index.html'),
    '/line-worker.js': join(built, 'line-worker.js'),
    '/main.js': join(built, 'main.js'),
    '/page.js': join(built, 'page.js'),
    '/styles.css': join(built, 'styles.css'),
  });
  opening.defer(async () => {
    // Its page is gone, perhaps in the middle of a turn: it may wait and hear nothing else.
    if (bridge.kill('SIGKILL')) await once(bridge, 'exit');
  });
  const context = await openContext();
  opening.defer(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.stack ?? String(error)));
  await page.goto(await addressOf(bridge));
  await yieldPages(context);
  const start = {
    folder,
    notes: Object.keys(notes),
    manifest: { ...manifest, dir },
    taken,
    isOld,
    drawsTabs,
  };
  const harness = await page.evaluateHandle((each) => window.startHarness(each), start);
  await harness.evaluate((each) => each.load());
  // The plugin does not let Obsidian wait until it has joined the programs on the vault.
  const startedBy = performance.now() + 20_000;
  while (!(await harness.evaluate((each) => each.hasStarted))) {
    if (performance.now() > startedBy) throw new Error('The plugin does not start.');
    await sleep(50);
  }
  const opened = opening.move();
  return {
    page,
    harness,
    home,
    complaints,
    text: (pane = 0) => harness.evaluate((each, index) => each.pane(index).getViewData(), pane),
    file: (path) => readFileSync(join(folder, path), 'utf8'),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** A Node of its own, with a home of its own: what the plugin remembers about this machine goes there. */
function startBridge(
  home: string,
  env: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>>,
): ChildProcess {
  const program = join(import.meta.dirname, 'bridge/bridge-program.ts');
  return spawn(process.execPath, [program, JSON.stringify(files)], {
    env: { ...process.env, HOME: home, XDG_STATE_HOME: join(home, 'state'), ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('The bridge has no output.');
  for await (const line of createInterface({ input: stdout })) return line;
  throw new Error('The bridge ended before it had an address.');
}
