import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerConfig, Settings } from '@errand/host';
import {
  type JournalLine,
  journalled,
  readJournal,
  scriptedServerConfig,
} from '@errand/machine/testing';
import { type ObsidianOptions, type OpenObsidian, openObsidian } from './open-obsidian.ts';

/** Longer than anything takes here, also on a busy machine. */
const patience = 20_000;

export interface ScriptedOptions extends ObsidianOptions {
  /** The text of the data file, instead of one with the server. */
  readonly data?: string | ((home: string) => string);
  /** Other notes, by path. */
  readonly notes?: Readonly<Record<string, string>>;
  readonly settings?: Partial<Settings>;
  /** The servers, given the file that they write down everything in; without it only `scripted`. */
  readonly servers?: (journal: string) => readonly ServerConfig[];
  readonly changeServer?: (server: ServerConfig, home: string) => ServerConfig;
}

/** A vault whose one server, `scripted`, writes down what happens to it; and a person in front of it. */
export class ScriptedVault implements AsyncDisposable {
  readonly obsidian: OpenObsidian;
  readonly #journal: string;
  /** What the tool `wait` waits for. */
  readonly gate: string;

  constructor(obsidian: OpenObsidian) {
    this.obsidian = obsidian;
    this.#journal = join(obsidian.home, 'journal');
    this.gate = join(obsidian.home, 'gate');
  }

  /** Opens a vault with one note, `note.md`. */
  static async open(
    note: string | ((gate: string) => string),
    options: ScriptedOptions = {},
  ): Promise<ScriptedVault> {
    const vault = await openObsidian(options, (home) => {
      writeFileSync(join(home, 'journal'), '');
      const text = typeof note === 'string' ? note : note(join(home, 'gate'));
      const { servers = (journal: string) => [scriptedServerConfig({ journal })] } = options;
      const { changeServer = (server: ServerConfig) => server } = options;
      const mcpServers = servers(join(home, 'journal')).map((each) => changeServer(each, home));
      const { data = JSON.stringify({ version: 1, ...options.settings, mcpServers }) } = options;
      return {
        notes: { ...options.notes, 'note.md': text },
        data: typeof data === 'string' ? data : data(home),
      };
    });
    return new ScriptedVault(vault);
  }

  get journal(): readonly JournalLine[] {
    return readJournal(this.#journal);
  }

  async show(mode: 'source' | 'preview', path = 'note.md'): Promise<void> {
    await this.obsidian.harness.evaluate((each, [at, as]) => each.open(at, as), [
      path,
      mode,
    ] as const);
  }

  /** Types into a pane, before the first place where it says this. */
  async type(text: string, before: string, pane = 0): Promise<void> {
    await this.obsidian.harness.evaluate(
      (each, typed) => {
        const { editor } = each.pane(typed.pane);
        const from = editor.offsetToPos(editor.getValue().indexOf(typed.before));
        editor.transaction({ changes: [{ from, text: typed.text }] }, 'input.type');
      },
      { text, before, pane },
    );
  }

  async undo(pane = 0): Promise<void> {
    await this.obsidian.harness.evaluate((each, index) => each.pane(index).editor.undo(), pane);
  }

  async redo(pane = 0): Promise<void> {
    await this.obsidian.harness.evaluate((each, index) => each.pane(index).editor.redo(), pane);
  }

  async press(name: string): Promise<void> {
    await this.obsidian.page.getByRole('button', { name, exact: true }).click();
  }

  /** Chooses a command of the plugin in the command palette. */
  async command(name: string): Promise<void> {
    await this.obsidian.harness.evaluate(
      (each, full) => each.commands.run(full),
      `Errand: ${name}`,
    );
  }

  /** Waits for a notice with these words in it, and answers with all of its text. */
  async notice(words: string | RegExp): Promise<string> {
    const notice = this.obsidian.page.locator('.notice', { hasText: words }).first();
    await notice.waitFor({ timeout: 2 * patience }).catch(async (cause) => {
      const shown = await this.obsidian.harness.evaluate((each) => each.notices);
      throw new Error(`No notice says "${words}": ${JSON.stringify(shown)}`, { cause });
    });
    return (await notice.textContent()) ?? '';
  }

  async putCursor(line: number): Promise<void> {
    await this.obsidian.harness.evaluate(
      (each, at) => each.pane(0).editor.setCursor({ line: at - 1, ch: 0 }),
      line,
    );
  }

  async agreeAndRun(): Promise<void> {
    await this.press('Run');
    await this.press('Agree and run');
  }

  /** Waits until so many cards are in a state. */
  async hasState(state: string, count = 1): Promise<void> {
    const cards = this.obsidian.page.locator(`.errand-card[data-state="${state}"]:visible`);
    if (count > 0) await cards.nth(count - 1).waitFor();
  }

  /** Waits until no card or mark shows a running block: a run ends a moment after its answer is seen. */
  async isIdle(): Promise<void> {
    const running = this.obsidian.page.locator('[data-state="running"]:visible');
    await running.first().waitFor({ state: 'hidden' });
  }

  /** Waits until the server was called, or notified of a cancellation. */
  heard(kind: JournalLine['kind']): Promise<JournalLine> {
    const signal = AbortSignal.timeout(patience);
    return journalled(this.#journal, (line) => line.kind === kind, signal);
  }

  /** Waits until a tool of the server was called. */
  called(tool: string): Promise<JournalLine> {
    const isIt = (line: JournalLine) => line.kind === 'call' && line.tool === tool;
    return journalled(this.#journal, isIt, AbortSignal.timeout(patience));
  }

  openGate(): void {
    writeFileSync(this.gate, '');
  }

  closeGate(): void {
    rmSync(this.gate);
  }

  /** Errors of the page fail the test. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.obsidian[Symbol.asyncDispose]();
    const [complaint] = this.obsidian.complaints;
    if (complaint !== undefined) throw new Error(`The page complained: ${complaint}`);
  }
}
