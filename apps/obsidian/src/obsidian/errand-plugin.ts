import { faultNotice } from '@errand/host';
import { openSettingsFile, type SettingsFile } from '@errand/machine/node';
import { Activity } from '@errand/workspace/activity';
import { NoteAnswers } from '@errand/workspace/conversations';
import { QuestionQueue, TrustQuestions } from '@errand/workspace/questions';
import { NoteBlocks, NoteRuns, NoteScans } from '@errand/workspace/runs';
import { readStoredSettings } from '@errand/workspace/settings';
import { FileSystemAdapter, Plugin, type TFile } from 'obsidian';
import { openVault } from '../open-vault.ts';
import { SettingsController } from '../settings/settings-controller.ts';
import { inObsidian } from '../text/advice.ts';
import { askTrust } from './ask-trust.ts';
import { addAssistant } from './assistant/add-assistant.ts';
import { addCards } from './blocks/add-cards.ts';
import { chooseSettings } from './choose-settings.ts';
import { addCommandLine } from './command-line/add-command-line.ts';
import { addMail } from './mail/add-mail.ts';
import { addRunMarks } from './marks/add-run-marks.ts';
import { NoteChanges } from './note-changes.ts';
import { notices, showFailure } from './notices.ts';
import type { OpenPlugin } from './open-plugin.ts';
import { addResults } from './results/add-results.ts';
import { addCommands } from './running/add-commands.ts';
import { addNotices } from './running/add-notices.ts';
import { addSessions } from './running/add-sessions.ts';
import { openSecretStorage } from './secret-storage.ts';
import { addSections } from './sections/add-sections.ts';
import { addSettings } from './settings/add-settings.ts';
import { addSideView } from './side-view/add-side-view.ts';
import { addStatusBar } from './side-view/add-status-bar.ts';
import { undoSteps } from './undo-steps.ts';
import { addWriting } from './writing/add-writing.ts';

/** Errand in Obsidian. */
export class ErrandPlugin extends Plugin {
  readonly #scans = new NoteScans();
  #vault: OpenedVault | undefined;
  #open: OpenPlugin | undefined;
  #controller: SettingsController | undefined;
  #tellSettings: () => Promise<void> = async () => {};
  #closing: Promise<void> | undefined;
  readonly #leaving = new AbortController();
  #settled: Promise<void> = Promise.resolve();

  override async onload(): Promise<void> {
    const { adapter } = this.app.vault;
    if (!(adapter instanceof FileSystemAdapter)) return;
    const folder = adapter.getBasePath();
    const settings = openSettingsFile(folder, { dataFile: `${this.manifest.dir}/data.json` });
    this.#vault = { folder, settings };
    addResults(this, this.#scans);
    this.registerEditorExtension(undoSteps);
    this.#addSettings(settings);
    this.registerEvent(this.app.workspace.on('quit', (tasks) => tasks.addPromise(this.#close())));
    // The window may close without asking anybody.
    this.registerDomEvent(window, 'beforeunload', () => void this.#close());
    // Report broken settings, and try again once they are fixed.
    this.register(settings.watch(() => void this.onExternalSettingsChange()));
    await soon(this.onExternalSettingsChange());
  }

  async #start({ folder, settings }: OpenedVault): Promise<void> {
    const vault = await openVault(
      {
        folder,
        version: this.manifest.version,
        settings,
        secrets: openSecretStorage(this.app.secretStorage),
        notifier: notices,
      },
      this.#leaving.signal,
    );
    // The plugin was disabled in the meantime, so a registration would never be undone.
    if (this.#closing !== undefined) return vault[Symbol.asyncDispose]();
    const blocks = new NoteBlocks((path) => vault.host.servers.noteContext(path), this.#scans);
    const changes = new NoteChanges();
    const onFault = (error: unknown) =>
      notices.notify(faultNotice('A change of a call was not shown', error));
    const activity = new Activity(vault.host, { onFault });
    const runs = new NoteRuns({ ...vault, sessions: activity.sessions, onFault });
    const answers = new NoteAnswers<TFile>();
    const questions = new QuestionQueue();
    const trustQuestions = new TrustQuestions(vault.trust, questions, (servers, agree) =>
      askTrust(this, servers, agree),
    );
    const parts = { activity, runs, answers, blocks, changes, questions, trustQuestions };
    const open = { plugin: this, vault, ...parts };
    this.#open = open;
    this.#controller = new SettingsController(vault);
    runs.subscribe(({ path }) => changes.tell(path));
    this.#followNotes(open);
    addCards(open);
    addAssistant(open);
    addCommandLine(open);
    addCommands(open);
    addMail(open);
    addNotices(open);
    addRunMarks(open);
    addSections(open);
    addSessions(open);
    addSideView(open);
    addStatusBar(open);
    addWriting(open);
    this.app.workspace.onLayoutReady(() => {
      if (this.#closing !== undefined) return;
      vault.host.servers.start();
      void questions.ask(() => chooseSettings(this, settings));
    });
  }

  override onunload(): void {
    void this.#close();
  }

  override onExternalSettingsChange(): Promise<void> {
    // One after the other, or two changes would start two hosts.
    this.#settled = this.#settled
      .then(() => this.#takeOver())
      .catch((error: unknown) => {
        if (this.#closing === undefined) showFailure(error);
      })
      .then(() => this.#tellSettings())
      // What follows this, the closing too, must not be kept from it.
      .catch(showFailure);
    return this.#settled;
  }

  async #takeOver(): Promise<void> {
    if (this.#closing !== undefined || this.#vault === undefined) return;
    if (this.#open === undefined) await this.#start(this.#vault);
  }

  #close(): Promise<void> {
    this.#leaving.abort();
    this.#closing ??= (async () => {
      await this.#settled;
      if (this.#open !== undefined) tellInterrupted(this.#open.runs.count());
      this.#open?.changes[Symbol.dispose]();
      await this.#open?.answers[Symbol.asyncDispose]();
      await this.#open?.runs[Symbol.asyncDispose]();
      this.#open?.activity[Symbol.dispose]();
      await this.#open?.vault[Symbol.asyncDispose]();
    })();
    return this.#closing;
  }

  #addSettings(settings: SettingsFile): void {
    const controller = () => this.#controller;
    this.#tellSettings = addSettings(this, {
      get controller() {
        return controller();
      },
      get file() {
        return settings.name;
      },
      problems: async () => (await readStoredSettings(settings)).problems.map(inObsidian),
      reread: () => this.onExternalSettingsChange(),
    });
  }

  #followNotes({ activity: { sessions }, changes, blocks, runs }: OpenPlugin): void {
    const { vault, workspace } = this.app;
    this.registerEvent(
      workspace.on('editor-change', (_, { file }) => {
        if (file !== null) changes.tell(file.path);
      }),
    );
    this.registerEvent(vault.on('modify', ({ path }) => changes.tell(path)));
    this.registerEvent(
      vault.on('delete', ({ path }) => {
        blocks.forget(path);
        runs.forget(path);
        sessions.closeNote(path);
      }),
    );
    this.registerEvent(
      vault.on('rename', ({ path }, from) => {
        blocks.forget(from);
        runs.rename(from, path);
        sessions.renameNote(from, path);
        changes.renamed(from, path);
      }),
    );
  }
}

/** Nobody asked for these calls to end, and what they did cannot be taken back. */
function tellInterrupted(blocks: number): void {
  if (blocks === 0) return;
  const [what, them] = blocks === 1 ? ['a block', 'it'] : [`${blocks} blocks`, 'them'];
  notices.notify({
    level: 'warning',
    message: `Errand was unloaded while ${what} ran. The calls were cancelled, and may have taken effect.`,
    detail: `See what they did before you run ${them} again.`,
  });
}

/** How long Obsidian waits for the plugin: the program that owns the vault may take long to answer. */
const patienceMs = 1_000;

async function soon(work: Promise<void>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = window.setTimeout(resolve, patienceMs);
  await Promise.race([work, late]);
  window.clearTimeout(timer);
}

/** Where the vault and its settings are. */
interface OpenedVault {
  readonly folder: string;
  readonly settings: SettingsFile;
}
