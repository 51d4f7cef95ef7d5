import { FileSystemAdapter, Plugin } from 'obsidian';
import { BlockRuns } from '../block-runs.ts';
import { NoteBlocks } from '../note-blocks.ts';
import { openVault } from '../open-vault.ts';
import { SettingsDesk } from '../settings/settings-desk.ts';
import { addCards } from './blocks/add-cards.ts';
import { addResults } from './blocks/add-results.ts';
import { NoteChanges } from './note-changes.ts';
import { notices, tellFailure } from './notices.ts';
import type { OpenPlugin } from './open-plugin.ts';
import { openPluginData, type PluginData } from './plugin-data.ts';
import { openSecretStorage } from './secret-storage.ts';
import { addSettings } from './settings/add-settings.ts';

/** Errand in Obsidian. */
export class ErrandPlugin extends Plugin {
  #place: Place | undefined;
  #open: OpenPlugin | undefined;
  #desk: SettingsDesk | undefined;
  #tellSettings: () => Promise<void> = async () => {};
  #closing: Promise<void> | undefined;
  #settled: Promise<void> = Promise.resolve();

  override async onload(): Promise<void> {
    const { adapter } = this.app.vault;
    if (!(adapter instanceof FileSystemAdapter)) return;
    const data = openPluginData(adapter, `${this.manifest.dir}/data.json`);
    this.#place = { folder: adapter.getBasePath(), data };
    addResults(this);
    this.#addSettings(data);
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
    const runs = new BlockRuns(vault);
    const blocks = new NoteBlocks(() => vault.host.servers.list());
    const changes = new NoteChanges();
    const open = { plugin: this, vault, runs, blocks, changes };
    this.#open = open;
    this.#desk = new SettingsDesk(vault);
    runs.subscribe((path) => changes.tell(path));
    this.#followNotes(open);
    addCards(open);
  }

  override onunload(): void {
    void this.#close();
  }

  override onExternalSettingsChange(): Promise<void> {
    // One after the other, or two changes would start two hosts.
    this.#settled = this.#settled
      .then(() => this.#takeOver())
      .catch(tellFailure)
      .then(() => this.#tellSettings());
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

  #addSettings(data: PluginData): void {
    const desk = () => this.#desk;
    this.#tellSettings = addSettings(this, {
      get desk() {
        return desk();
      },
      file: `${this.manifest.dir}/data.json`,
      problems: () => data.problems(),
      reread: () => this.onExternalSettingsChange(),
    });
  }

  #followNotes({ changes, blocks }: OpenPlugin): void {
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
}

/** Where the vault and its settings are. */
interface Place {
  readonly folder: string;
  readonly data: PluginData;
}
