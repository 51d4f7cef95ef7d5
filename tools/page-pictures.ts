import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium, type Page } from 'playwright-core';
import { lookAtMachine } from './provision/look-at-machine.ts';
import { browsers } from './provision/plan.ts';

/** More than this is too much to load for a look. */
const mostBytes = 150_000;
const size = { width: 1280, height: 800 };
const errand = join(import.meta.dirname, '../apps/cli/bin/errand.cjs');

/** What is run before the pictures are taken: answers, a refusal, and mistakes. */
const runs = ['Weekly review.md', 'Reading list.md', 'Mistakes.md', 'Welcome.md'];

const pictures = [
  { name: 'notes', route: '/notes/Welcome.md', wait: 'truncated' },
  { name: 'servers', route: '/servers', wait: 'vault' },
  { name: 'calls', route: '/calls', wait: 'list_notes' },
  { name: 'settings', route: '/settings', wait: 'Time for a call' },
  { name: 'notes-dark', route: '/notes/Welcome.md', wait: 'truncated', isDark: true },
] as const;

/** A picture of each place of the workbench, on a copy of the example vault, in a real browser. */
export async function makePagePictures(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await using served = await serveExamples();
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars'],
  });
  try {
    const page = await browser.newPage({ viewport: size });
    await page.goto(served.url);
    await page.waitForURL(({ pathname }) => pathname === '/');
    for (const note of runs) await page.evaluate(runNote, note);
    for (const { name, route, wait, ...look } of pictures) {
      await page.emulateMedia({ colorScheme: 'isDark' in look ? 'dark' : 'light' });
      await page.goto(`${new URL(served.url).origin}/#${route}`);
      await take(page, wait, join(folder, `${name}.png`));
    }
  } finally {
    await browser.close();
  }
}

function findBrowser(): string {
  const { programs, given } = lookAtMachine(process.env);
  const found = given.chromium ?? browsers.map((name) => programs[name]).find(Boolean);
  if (found !== undefined) return found;
  throw new Error('The pictures need Chromium. Install it, or name it in ERRAND_TEST_CHROMIUM.');
}

async function take(page: Page, wait: string, path: string): Promise<void> {
  await page.getByRole('main').getByText(wait).first().waitFor();
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  const { size: bytes } = statSync(path);
  if (bytes > mostBytes) throw new Error(`${path} has ${bytes} bytes; ${mostBytes} are allowed.`);
  console.log(`${path}: ${Math.round(bytes / 1_000)} KB`);
}

/** Runs a note and waits until nothing runs any more. Runs in the browser. */
async function runNote(path: string): Promise<void> {
  const events = new EventSource('/api/events');
  await new Promise((resolve) => {
    events.onopen = resolve;
  });
  const ended = new Promise<void>((resolve) => {
    events.onmessage = ({ data }) => {
      const event = JSON.parse(data);
      if (event.kind === 'run-ended' && event.path === path) resolve();
    };
  });
  await fetch(`/api/note/run?path=${encodeURIComponent(path)}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  });
  await ended;
  events.close();
}

/** `errand serve` on a copy of the example vault, with nothing of this user around it. */
async function serveExamples(): Promise<AsyncDisposable & { readonly url: string }> {
  const home = mkdtempSync(join(tmpdir(), 'errand-pictures-'));
  const vault = join(home, 'My notes');
  cpSync('examples/vault', vault, { recursive: true });
  const env = { ...process.env, HOME: home, XDG_STATE_HOME: '', XDG_CACHE_HOME: '' };
  const args = [errand, 'serve', '--json', '--vault', vault];
  // The usual port where it is free, so that the picture of the settings shows it.
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    closed.then(() => Promise.reject(new Error('errand serve ended before it served.'))),
  ]);
  const { url } = JSON.parse(line) as { url: string };
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await closed;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
