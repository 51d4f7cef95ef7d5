import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { longestTask, scriptedServerConfig, taskCategories } from '@errand/machine/testing';
import { builtExtension } from './built-extension.ts';
import { startEditorServer } from './editor-server.ts';
import { type OpenEditor, openEditor } from './open-editor.ts';
import { agree } from './scripted-editor.ts';

/** How long an extension needs to become active, in milliseconds. */
export interface Activation {
  /** Of all threads of the extension host. */
  readonly processor: number;
  readonly clock: number;
}

export interface MeasuredActivation {
  readonly ours: readonly Activation[];
  /** An extension that does nothing, in the same extension host. */
  readonly empty: readonly Activation[];
  /** The code of the extension that the host has read after it. */
  readonly loadedBytes: number;
  /** All code of the extension host's side. */
  readonly allBytes: number;
}

/** Activates the extension beside an empty one, each time in a new extension host. */
export async function measureActivation(turns: number): Promise<MeasuredActivation> {
  const packages = ['errand.vsix', 'bridge.vsix', 'empty.vsix'];
  await using server = await startEditorServer({ trustsFolders: true, packages });
  await using editor = await openEditor(() => ({ 'a.txt': 'text\n' }), { server });
  const ours: Activation[] = [];
  const empty: Activation[] = [];
  let loadedBytes = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    if (turn > 0) await editor.reload();
    await untilIdle(editor);
    empty.push(await activate(editor, 'errand.test-empty'));
    ours.push(await activate(editor, 'errand.errand'));
    loadedBytes = (await loadedFiles(editor)).reduce((sum, file) => sum + statSync(file).size, 0);
  }
  const built = join(await builtExtension(), 'errand');
  const parts = globSync('{main,parts/*}.js', { cwd: built });
  const allBytes = parts.reduce((sum, name) => sum + statSync(join(built, name)).size, 0);
  return { ours, empty, loadedBytes, allBytes };
}

function activate({ inHost }: OpenEditor, id: string): Promise<Activation> {
  return inHost(async (vscode, name) => {
    const extension = vscode.extensions.getExtension(name);
    if (extension === undefined || extension.isActive) throw new Error(`${name} cannot be timed.`);
    const begun = performance.now();
    const used = process.cpuUsage();
    await extension.activate();
    const { user, system } = process.cpuUsage(used);
    return { processor: (user + system) / 1_000, clock: performance.now() - begun };
  }, id);
}

/** The files of the extension that its host has loaded. */
function loadedFiles({ inHost }: OpenEditor): Promise<readonly string[]> {
  return inHost((vscode) => {
    const { extensionPath = '' } = vscode.extensions.getExtension('errand.errand') ?? {};
    const modules = process.getBuiltinModule('node:module') as unknown as {
      readonly _cache: Readonly<Record<string, unknown>>;
    };
    return Object.keys(modules._cache).filter((path) => path.startsWith(extensionPath));
  });
}

/** The editor moves by about 50 pixels for each, so that some 75 blocks pass by. */
const wheelSteps = 400;

/** What a page and its extension host need while a person works in a note with many blocks. */
export interface MeasuredNote {
  readonly scrolling: MeasuredWork;
  readonly typing: MeasuredWork;
}

export interface MeasuredWork {
  /** Milliseconds of processor time of the longest task of the page. */
  readonly task: number;
  /** Milliseconds between two frames, at most. */
  readonly frame: number;
  /** Milliseconds of processor time of the extension host. */
  readonly host: number;
}

/** Works in a note with many blocks, in an editor that has the extension or does not. */
export async function measureNote(blocks: number, isInstalled: boolean): Promise<MeasuredNote> {
  const packages = [...(isInstalled ? ['errand.vsix'] : []), 'bridge.vsix'];
  await using server = await startEditorServer({ trustsFolders: true, packages });
  const mcpServers = [scriptedServerConfig()];
  const open = async (folder: string, home: string) => {
    await agree(home, folder, mcpServers, []);
    return {
      'note.md': noteWith(blocks),
      '.errand/settings.json': JSON.stringify({ version: 1, mcpServers }),
    };
  };
  await using editor = await openEditor(open, { server });
  const { page, folder, inHost } = editor;
  page.setDefaultTimeout(120_000);
  await inHost(
    async (vscode, file) => void (await vscode.window.showTextDocument(vscode.Uri.file(file))),
    join(folder, 'note.md'),
  );
  await page.locator('.view-line', { hasText: 'Part 0' }).waitFor();
  if (isInstalled) await page.locator('.codelens-decoration').first().waitFor();
  // Over the note, whose own element is as high as all of its lines.
  await page.mouse.move(800, 400);
  await untilIdle(editor);
  const scrolling = await measureWork(editor, async () => {
    for (let step = 0; step < wheelSteps; step += 1) await page.mouse.wheel(0, 1_000);
  });
  if ((await page.locator('.view-line', { hasText: 'Some words before it.' }).count()) === 0)
    throw new Error('The note is not shown after scrolling.');
  if ((await page.locator('.view-line', { hasText: /^## Part \d$/ }).count()) > 0)
    throw new Error('The note was not scrolled.');
  await inHost(async (vscode) => {
    const shown = vscode.window.activeTextEditor;
    if (shown !== undefined) shown.selection = new vscode.Selection(4, 0, 4, 0);
    await vscode.commands.executeCommand('revealLine', { lineNumber: 1, at: 'top' });
  });
  await page
    .locator('.monaco-editor .native-edit-context, .monaco-editor textarea')
    .first()
    .focus();
  await untilIdle(editor);
  const typing = await measureWork(editor, () => page.keyboard.type('x'.repeat(60), { delay: 30 }));
  return { scrolling, typing };
}

async function measureWork(editor: OpenEditor, work: () => Promise<void>): Promise<MeasuredWork> {
  const { page, inHost } = editor;
  const browser = page.context().browser();
  if (browser === null) throw new Error('The page has no browser.');
  const usedByHost = () =>
    inHost(() => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    });
  const usedBefore = await usedByHost();
  await browser.startTracing(page, { categories: [...taskCategories] });
  const frames = await page.evaluateHandle(() => {
    const watched = { longest: 0, last: performance.now(), isEnded: false };
    const next = (now: number) => {
      watched.longest = Math.max(watched.longest, now - watched.last);
      watched.last = now;
      if (!watched.isEnded) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    return watched;
  });
  await work();
  const frame = await frames.evaluate((watched) => {
    watched.isEnded = true;
    return watched.longest;
  });
  const task = longestTask((await browser.stopTracing()).toString());
  await untilIdle(editor);
  return { task, frame, host: (await usedByHost()) - usedBefore };
}

/** Waits until the extension host has nothing to do, so that it is not measured what came before. */
async function untilIdle({ page, inHost }: OpenEditor): Promise<void> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const busy = await inHost(async () => {
      const begun = process.cpuUsage();
      await new Promise((resolve) => setTimeout(resolve, 500));
      const { user, system } = process.cpuUsage(begun);
      return (user + system) / 500_000;
    });
    if (busy < 0.1) break;
    if (performance.now() > deadline) throw new Error('The extension host does not come to rest.');
  }
  await page.evaluate(
    () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5_000 })),
  );
}

function noteWith(blocks: number): string {
  const each = (at: number) =>
    `## Part ${at}\n\nSome words before it.\n\n\`\`\`scripted\ntool: echo\ntext: block ${at}\n\`\`\`\n\n\`\`\`mcp-result req=0123456789 sum=0123456789 type=json\n{"at": ${at}, "list": [1, 2, 3]}\n\`\`\`\n`;
  // Bound, so that every heading has a hint.
  return `---\nmcp: {server: scripted}\n---\n# Many\n\n${Array.from({ length: blocks }, (_, at) => each(at)).join('\n')}\nEnd.\n`;
}
