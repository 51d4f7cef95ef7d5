import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openHookTrust, parseHooks } from '@errand/hooks';
import { openTrust, type ServerConfig, type Settings, userFolders } from '@errand/host';
import { currentPlatform, openTrustFile, vaultLaunchFiles } from '@errand/machine/node';
import {
  type JournalLine,
  journalled,
  readJournal,
  scriptedServerConfig,
} from '@errand/machine/testing';
import { type OpenEditor, type OpenEditorOptions, openEditor } from './open-editor.ts';

/** Longer than anything takes here, also on a busy machine. */
const patience = 30_000;

/** The places of a vault whose servers write down what happens to them. */
interface Places {
  readonly folder: string;
  readonly journal: string;
  /** What the tool `wait` waits for. */
  readonly gate: string;
}

export interface ScriptedOptions extends OpenEditorOptions {
  readonly notes?: (places: Places) => Readonly<Record<string, string>>;
  readonly settings?: Partial<Settings>;
  /** Without it only `scripted`. */
  readonly servers?: (places: Places) => readonly ServerConfig[];
  /** The entries of `.errand/hooks.json`; without it, there is no such file. */
  readonly hooks?: (places: Places) => readonly object[];
  /** Whether the person has agreed to all servers and hooks before. */
  readonly isAgreed?: boolean;
}

/** The real editor on a vault whose one server, `scripted`, writes down what happens to it. */
export class ScriptedEditor implements AsyncDisposable {
  readonly editor: OpenEditor;
  readonly #places: Places;

  private constructor(editor: OpenEditor, places: Places) {
    this.editor = editor;
    this.#places = places;
  }

  static async open(options: ScriptedOptions = {}): Promise<ScriptedEditor> {
    const { isAgreed = true } = options;
    let places: Places | undefined;
    const editor = await openEditor(async (folder, home) => {
      places = placesOf(folder);
      writeFileSync(places.journal, '');
      const { journal } = places;
      const { servers = () => [scriptedServerConfig({ journal })], notes } = options;
      const mcpServers = servers(places);
      const hooks = options.hooks?.(places);
      if (isAgreed) await agree(home, folder, mcpServers, hooks ?? []);
      return {
        ...notes?.(places),
        ...(hooks && { '.errand/hooks.json': hooksText(hooks) }),
        '.errand/settings.json': JSON.stringify({ version: 1, ...options.settings, mcpServers }),
      };
    }, options);
    return new ScriptedEditor(editor, places ?? placesOf(editor.folder));
  }

  /** What the tool `wait` waits for. */
  get gate(): string {
    return this.#places.gate;
  }

  /** Opens the views of the extension. */
  async showViews(): Promise<void> {
    await this.editor.page.locator('.activitybar [aria-label="Errand"]').first().click();
  }

  get journal(): readonly JournalLine[] {
    return readJournal(this.#places.journal);
  }

  /** Waits until a tool of the server was called. */
  called(tool: string): Promise<JournalLine> {
    const isIt = (line: JournalLine) => line.kind === 'call' && line.tool === tool;
    return journalled(this.#places.journal, isIt, AbortSignal.timeout(patience));
  }

  /** Waits until the server was told of something. */
  heard(kind: JournalLine['kind']): Promise<JournalLine> {
    const signal = AbortSignal.timeout(patience);
    return journalled(this.#places.journal, (line) => line.kind === kind, signal);
  }

  openGate(): void {
    writeFileSync(this.#places.gate, '');
  }

  closeGate(): void {
    rmSync(this.#places.gate, { force: true });
  }

  /** Opens a note in an editor. */
  async show(path = 'note.md'): Promise<void> {
    await this.editor.inHost(
      async (vscode, file) => void (await vscode.window.showTextDocument(vscode.Uri.file(file))),
      join(this.editor.folder, path),
    );
  }

  /** Runs a command of the editor, as the palette does; with `isWaited`, until it has ended. */
  async command(id: string, ...args: readonly unknown[]): Promise<void> {
    await this.editor.inHost(
      async (vscode, name, given) => void (await vscode.commands.executeCommand(name, ...given)),
      id,
      args,
    );
  }

  /** Clicks a lens of the first block on the screen until the lenses say what is expected of them. */
  async pressLens(label: string, expected: RegExp): Promise<void> {
    const lenses = this.editor.page.locator('.codelens-decoration').first();
    const deadline = performance.now() + 45_000;
    // A click that meets the lenses while they are drawn anew is lost. One that was not lost is shown late on a busy
    // machine: the editor begins to ask for lenses anew whenever something changes, so that clicks in between delay it.
    for (;;) {
      const text = await lenses.textContent({ timeout: patience });
      if (expected.test(text ?? '')) return;
      if (performance.now() > deadline) throw new Error(`The lenses still say "${text}".`);
      const lens = lenses.getByText(label, { exact: true });
      if (await lens.isVisible()) await lens.click({ timeout: 1_000 }).catch(() => {});
      await lenses
        .getByText(label, { exact: true })
        .waitFor({ state: 'hidden', timeout: 5_000 })
        .catch(() => {});
    }
  }

  /** The text of a note as the editor has it, saved or not. */
  text(path = 'note.md'): Promise<string> {
    return this.editor.inHost(
      async (vscode, file) => (await vscode.workspace.openTextDocument(file)).getText(),
      join(this.editor.folder, path),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.editor[Symbol.asyncDispose]();
  }
}

function placesOf(folder: string): Places {
  return { folder, journal: `${folder}.journal`, gate: `${folder}.gate` };
}

function hooksText(hooks: readonly object[]): string {
  return JSON.stringify({ version: 1, hooks }, undefined, 2);
}

/** Agrees to the servers of a vault, as its person did before. */
export async function agree(
  home: string,
  folder: string,
  servers: readonly ServerConfig[],
  hooks: readonly object[],
) {
  const { state } = userFolders({
    ...currentPlatform(),
    env: { HOME: home, XDG_STATE_HOME: join(home, 'state') },
  });
  const neutralFolder = join(state, 'empty');
  const launchFiles = vaultLaunchFiles({ vaultFolder: folder, neutralFolder, env: {} });
  const trust = await openTrust(await openTrustFile(state, folder), { launchFiles });
  await trust.agree(servers);
  trust.close();
  const hookTrust = await openHookTrust(await openTrustFile(state, folder));
  await hookTrust.agree(parseHooks(hooksText(hooks)).hooks);
  hookTrust.close();
}
