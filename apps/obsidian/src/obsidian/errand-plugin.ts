import { HostError } from '@errand/host';
import { FileSystemAdapter, type MarkdownPostProcessorContext, Plugin } from 'obsidian';
import { BlockRuns } from '../block-runs.ts';
import { findBlock } from '../find-block.ts';
import { NoteBlocks } from '../note-blocks.ts';
import { type OpenVault, openVault } from '../open-vault.ts';
import { askTrust } from './ask-trust.ts';
import { BlockCard, type CardDesk } from './block-card.ts';
import { NoteChanges } from './note-changes.ts';
import { notices } from './notices.ts';
import { noteOf, openText } from './open-notes.ts';
import { openPluginData, type PluginData } from './plugin-data.ts';
import { openSecretStorage } from './secret-storage.ts';
import { showResult } from './show-result.ts';

/** Errand in Obsidian. */
export class ErrandPlugin extends Plugin {
  #place: Place | undefined;
  #open: Opened | undefined;
  #closing: Promise<void> | undefined;
  #settled: Promise<void> = Promise.resolve();
  readonly #languages = new Set<string>();

  override async onload(): Promise<void> {
    const { adapter } = this.app.vault;
    if (!(adapter instanceof FileSystemAdapter)) return;
    const data = openPluginData(adapter, `${this.manifest.dir}/data.json`);
    this.#place = { folder: adapter.getBasePath(), data };
    this.#registerLanguage('mcp-result', (source, el) => showResult('success', source, el));
    this.#registerLanguage('mcp-error', (source, el) => showResult('error', source, el));
    this.registerEvent(this.app.workspace.on('quit', (tasks) => tasks.addPromise(this.#close())));
    // The window may close without asking anybody.
    this.registerDomEvent(window, 'beforeunload', () => void this.#close());
    // Broken settings are told, and tried again when they were mended.
    await this.onExternalSettingsChange();
  }

  async #start({ folder, data }: Place): Promise<void> {
    const vault = await openVault({
      folder,
      version: this.manifest.version,
      settings: data,
      secrets: openSecretStorage(this.app.secretStorage),
      notifier: notices,
    });
    // Disabled meanwhile: nobody would undo what is registered now.
    if (this.#closing !== undefined) return vault[Symbol.asyncDispose]();
    const { host } = vault;
    const runs = new BlockRuns(vault);
    const blocks = new NoteBlocks(() => host.servers.list());
    const changes = new NoteChanges();
    this.#open = { vault, runs, blocks, changes };
    runs.subscribe((path) => changes.tell(path));
    host.events.subscribe(({ kind }) => {
      if (kind !== 'settings-changed') return;
      this.#registerServers();
      changes.tellAll();
    });
    this.#registerServers();
    this.#followNotes(this.#open);
  }

  override onunload(): void {
    void this.#close();
  }

  override onExternalSettingsChange(): Promise<void> {
    // One after the other, or two changes would start two hosts.
    this.#settled = this.#settled.then(() => this.#takeOver()).catch(tellFailure);
    return this.#settled;
  }

  async #takeOver(): Promise<void> {
    if (this.#closing !== undefined || this.#place === undefined) return;
    if (this.#open === undefined) await this.#start(this.#place);
    else await this.#place.data.hasChanged();
  }

  #close(): Promise<void> {
    this.#closing ??= (async () => {
      await this.#settled;
      this.#open?.changes[Symbol.dispose]();
      await this.#open?.runs[Symbol.asyncDispose]();
      await this.#open?.vault[Symbol.asyncDispose]();
    })();
    return this.#closing;
  }

  #followNotes({ changes, blocks }: Opened): void {
    const { vault, workspace } = this.app;
    this.registerEvent(
      workspace.on('editor-change', (_, { file }) => {
        if (file !== null) changes.tell(file.path);
      }),
    );
    this.registerEvent(vault.on('modify', ({ path }) => changes.tell(path)));
    this.registerEvent(vault.on('delete', ({ path }) => blocks.forget(path)));
    this.registerEvent(vault.on('rename', (_, oldPath) => blocks.forget(oldPath)));
  }

  #registerServers(): void {
    for (const { name } of this.#open?.vault.host.servers.list() ?? []) {
      this.#registerLanguage(name, (body, el, context) => this.#addCard(name, body, el, context));
    }
    this.#registerLanguage('mcp', (body, el, context) => this.#addCard('mcp', body, el, context));
  }

  /** A language that another plugin has taken costs one server its cards, not the whole plugin. */
  #registerLanguage(
    language: string,
    show: (source: string, el: HTMLElement, context: MarkdownPostProcessorContext) => void,
  ): void {
    if (this.#languages.has(language)) return;
    this.#languages.add(language);
    try {
      this.registerMarkdownCodeBlockProcessor(language, show);
    } catch (cause) {
      const message = `Blocks of "${language}" are not shown as cards: another plugin shows blocks of this language.`;
      const detail = 'Rename the server in the settings of Errand, or write its blocks as mcp.';
      console.warn(message, cause);
      notices.notify({ level: 'warning', message, detail });
    }
  }

  #addCard(
    language: string,
    body: string,
    el: HTMLElement,
    context: MarkdownPostProcessorContext,
  ): void {
    const open = this.#open;
    if (open === undefined) return;
    const { sourcePath: path } = context;
    const find = () => {
      const info = context.getSectionInfo(el);
      const now = openText(this.app, path) ?? info?.text;
      if (now === undefined) return undefined;
      // The place belongs to the text that was shown; the request is then looked for in the text as it is now.
      const shown = findBlock(open.blocks.of(path, info?.text ?? now), body, info ?? undefined);
      return shown && open.blocks.of(path, now).find(({ key }) => key === shown.key);
    };
    const alone = () => open.blocks.alone(language, body);
    context.addChild(new BlockCard(el, { path, desk: this.#deskOf(open), find, alone }));
  }

  #deskOf(open: Opened): CardDesk {
    return {
      runs: open.runs,
      run: (path, key, options) => void this.#run(open, path, key, options).catch(tellFailure),
      onChange: (path, listener) => open.changes.subscribe(path, listener),
    };
  }

  async #run(
    { vault, blocks, runs }: Opened,
    path: string,
    key: string,
    { force }: { readonly force: boolean },
  ): Promise<void> {
    const file = this.app.vault.getFileByPath(path);
    if (file === null) throw new HostError('note_unreadable', `There is no note ${path}.`);
    const note = noteOf(this.app, file);
    const text = await note.read(path);
    const found = blocks.of(path, text).find((block) => block.key === key);
    if (found === undefined) {
      throw new HostError('note_changed', 'The note was changed and no longer holds this block.');
    }
    const server = vault.host.servers.find(found.block.server ?? '');
    if (server !== undefined && vault.trust.verdict(server) !== 'trusted') {
      if (!(await askTrust(this.app, server))) return;
      await vault.trust.agree([server]);
    }
    const end = await runs.run({ path, key, block: found.block, text, force }, note);
    // The card says it; when nobody sees the card any more, it is said here.
    const isSeen = openText(this.app, path) !== undefined;
    if (end?.error && !end.written && !isSeen) throw new Error(end.error.message);
  }
}

/** Where the vault and its settings are. */
interface Place {
  readonly folder: string;
  readonly data: PluginData;
}

interface Opened {
  readonly vault: OpenVault;
  readonly runs: BlockRuns;
  readonly blocks: NoteBlocks;
  readonly changes: NoteChanges;
}

function tellFailure(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  notices.notify({ level: 'error', message });
}
