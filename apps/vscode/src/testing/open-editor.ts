import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { type EditorServer, startEditorServer } from './editor-server.ts';
import { HostLine, type InHost } from './in-host.ts';
import { SharedResource } from './shared-resource.ts';

/** A folder that is open in the real editor. */
export interface OpenEditor extends AsyncDisposable {
  readonly page: Page;
  readonly server: EditorServer;
  /** The folder that is open. */
  readonly folder: string;
  /** Of the extension host. */
  readonly hostPid: number;
  /** Runs a function in the extension host. It must not use names from around it. */
  inHost<Args extends readonly unknown[], Result>(
    work: InHost<Args, Result>,
    ...args: Args
  ): Promise<Result>;
  /** Loads the page again, with an extension host of its own. */
  reload(): Promise<void>;
  file(path: string): string;
  write(path: string, text: string): void;
}

export interface OpenEditorOptions {
  /** By default a server that trusts every folder, shared by all tests of this process. */
  readonly server?: EditorServer;
  /** Opens these folders below the new one in one window, instead of the new one itself. */
  readonly roots?: readonly string[];
}

/** Opens a new folder with these files in the real editor. */
export async function openEditor(
  fill: (
    folder: string,
    home: string,
  ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>,
  options: OpenEditorOptions = {},
): Promise<OpenEditor> {
  await using opening = new AsyncDisposableStack();
  const browser = await sharedBrowser.use(opening);
  const { server = await sharedServer.use(opening) } = options;
  const folder = mkdtempSync(join(server.home, 'vault-'));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, text] of Object.entries(await fill(folder, server.home))) write(path, text);
  const { roots } = options;
  const several = join(folder, 'several.code-workspace');
  if (roots !== undefined) {
    writeFileSync(several, JSON.stringify({ folders: roots.map((path) => ({ path })) }));
  }
  const opened = roots === undefined ? folder : several;
  // What the editor keeps in the browser, such as which view is open, must not reach the next test.
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  opening.defer(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(`${server.address}/?${roots === undefined ? 'folder' : 'workspace'}=${opened}`);
  let line = await HostLine.open(server.bridges, opened, []);
  opening.defer(() => line[Symbol.dispose]());
  await page.waitForSelector('.monaco-workbench .statusbar');
  const stack = opening.move();
  return {
    page,
    server,
    folder,
    get hostPid() {
      return line.pid;
    },
    inHost: (work, ...args) => line.run(work, ...args),
    async reload() {
      const { pid } = line;
      line[Symbol.dispose]();
      await page.reload();
      line = await HostLine.open(server.bridges, opened, [pid]);
      await page.waitForSelector('.monaco-workbench .statusbar');
    },
    file: (path) => readFileSync(join(folder, path), 'utf8'),
    write,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const sharedServer = new SharedResource(async () => {
  const server = await startEditorServer({ trustsFolders: true });
  // A process that ends has no time to wait for anything.
  const leave = () => server.kill();
  process.once('exit', leave);
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      process.off('exit', leave);
      await server[Symbol.asyncDispose]();
    },
  };
});

const sharedBrowser = new SharedResource(() =>
  chromium.launch({
    executablePath: process.env.ERRAND_TEST_CHROMIUM ?? 'chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-component-update'],
  }),
);
