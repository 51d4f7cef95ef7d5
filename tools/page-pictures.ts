import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveInBackground } from './serve-vault.ts';
import { launchBrowser, pictureSize, takePicture } from './take-picture.ts';

/** What is run before the pictures are taken: answers, a refusal, and mistakes. */
const runs = ['Weekly review.md', 'Reading list.md', 'Mistakes.md', 'Welcome.md'];

const vaultServer = '6f1c6f0e-0d0a-4d5c-9a3e-8f6f0d1b7a10';
const append = (content: string) => ({
  type: 'mcp',
  parameters: {
    serverId: vaultServer,
    toolName: 'append_to_note',
    parameterMappings: [
      { toolParam: 'path', source: 'literal', value: 'Log.md' },
      { toolParam: 'content', source: 'template', value: content },
      { toolParam: 'create', source: 'literal', value: 'true' },
    ],
  },
});

/** The first is run and opened in the editor. */
const hooks = [
  {
    name: 'Note when a plan is ready',
    trigger: { kind: 'agent-operation', agent: 'speckit', operation: 'plan', timing: 'after' },
    actions: [append('- {{ timestamp | date: "%H:%M" }} the plan is ready')],
  },
  {
    name: 'Commit notes every evening',
    trigger: { kind: 'schedule', cron: '0 20 * * *', missed: 'once' },
    actions: [
      {
        type: 'git',
        parameters: { operation: 'commit', messageTemplate: 'notes: {{ timestamp }}' },
      },
    ],
  },
  {
    name: 'List failed calls',
    trigger: { kind: 'call', status: ['error', 'timeout'] },
    conditions: [{ field: 'call.source', equals: 'hook', not: true }],
    actions: [append('- {{ call.server }}/{{ call.tool }} failed')],
  },
];
const madeHook = 'MADE';

const pictures = [
  { name: 'notes', route: '/notes/Welcome.md', wait: 'truncated' },
  { name: 'servers', route: '/servers', wait: 'vault' },
  { name: 'calls', route: '/calls', wait: 'list_notes' },
  { name: 'hooks', route: '/hooks', wait: 'Succeeded' },
  { name: 'hooks-editor', route: `/hooks/${madeHook}?edit=1`, wait: 'It would run' },
  { name: 'settings', route: '/settings', wait: 'Time for a call' },
  { name: 'notes-dark', route: '/notes/Welcome.md', wait: 'truncated', isDark: true },
] as const;

/** A picture of each place of the workbench, on a copy of the example vault, in a real browser. */
export async function makePagePictures(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await using served = await serveExamples();
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: pictureSize });
    await page.goto(served.url);
    await page.waitForURL(({ pathname }) => pathname === '/');
    for (const note of runs) await page.evaluate(runNote, note);
    const made = await page.evaluate(makeHooks, hooks);
    for (const { name, route, wait, ...look } of pictures) {
      await page.emulateMedia({ colorScheme: 'isDark' in look ? 'dark' : 'light' });
      const target = route.replace(madeHook, made);
      await page.goto(`${new URL(served.url).origin}/#${target}`);
      await takePicture(page, wait, join(folder, `${name}.png`));
    }
  } finally {
    await browser.close();
  }
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

interface Answered {
  readonly id?: string;
  readonly status?: string;
  readonly hook?: { readonly id: string };
}

/** Adds hooks, runs the first and waits for it; answers with its id. Runs in the browser. */
async function makeHooks(wanted: readonly object[]): Promise<string> {
  const ask = async (path: string, body?: object): Promise<Answered> => {
    const post = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
    const init = body && { ...post, body: JSON.stringify(body) };
    return (await fetch(`/api/hooks${path}`, init)).json() as Promise<Answered>;
  };
  const ids: string[] = [];
  for (const hook of wanted) ids.push((await ask('', { hook })).hook?.id ?? '');
  const [first = ''] = ids;
  const { id } = await ask(`/entry/${first}/run`, {});
  for (;;) {
    const { status } = await ask(`/runs/${id}`);
    if (status !== 'running' && status !== 'queued') return first;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** `errand serve` on a copy of the example vault, with nothing of this user around it. */
async function serveExamples(): Promise<AsyncDisposable & { readonly url: string }> {
  const home = mkdtempSync(join(tmpdir(), 'errand-pictures-'));
  const vault = join(home, 'My notes');
  cpSync('examples/vault', vault, { recursive: true });
  // The usual port where it is free, so that the picture of the settings shows it.
  const served = await serveInBackground(vault, { home });
  return {
    url: served.url,
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
