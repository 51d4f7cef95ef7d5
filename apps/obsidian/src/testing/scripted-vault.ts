import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type JournalLine,
  journalled,
  readJournal,
  scriptedServerConfig,
} from '@errand/host/testing';
import { type ObsidianOptions, type OpenObsidian, openObsidian } from './open-obsidian.ts';

/** Longer than anything takes here, also on a busy machine. */
const patience = 20_000;

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
    options: ObsidianOptions & { readonly data?: string } = {},
  ): Promise<ScriptedVault> {
    const vault = await openObsidian(options, (home) => {
      writeFileSync(join(home, 'journal'), '');
      const text = typeof note === 'string' ? note : note(join(home, 'gate'));
      const server = scriptedServerConfig({ journal: join(home, 'journal') });
      const data = options.data ?? JSON.stringify({ version: 1, mcpServers: [server] });
      return { notes: { 'note.md': text }, data };
    });
    return new ScriptedVault(vault);
  }

  get journal(): readonly JournalLine[] {
    return readJournal(this.#journal);
  }

  async show(mode: 'source' | 'preview'): Promise<void> {
    await this.obsidian.harness.evaluate((each, as) => each.open('note.md', as), mode);
  }

  async press(name: string): Promise<void> {
    await this.obsidian.page.getByRole('button', { name, exact: true }).click();
  }

  async agreeAndRun(): Promise<void> {
    await this.press('Run');
    await this.press('Agree and run');
  }

  async hasState(state: string): Promise<void> {
    await this.obsidian.page.locator(`.errand-card[data-state="${state}"]:visible`).waitFor();
  }

  /** Waits until the server was called, or told of a cancel. */
  heard(kind: JournalLine['kind']): Promise<JournalLine> {
    const signal = AbortSignal.timeout(patience);
    return journalled(this.#journal, (line) => line.kind === kind, signal);
  }

  openGate(): void {
    writeFileSync(this.gate, '');
  }

  closeGate(): void {
    rmSync(this.gate);
  }

  /** Complaints of the page are failures of the test. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.obsidian[Symbol.asyncDispose]();
    const [complaint] = this.obsidian.complaints;
    if (complaint !== undefined) throw new Error(`The page complained: ${complaint}`);
  }
}
