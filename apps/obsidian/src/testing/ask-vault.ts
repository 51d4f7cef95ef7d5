import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModelServer, type Script } from '@errand/assistant/testing';
import { type AssistantConfig, openTrust, type ServerConfig, type Settings } from '@errand/host';
import { openTrustFile } from '@errand/machine/node';
import { scriptedServerConfig } from '@errand/machine/testing';
import { type OpenObsidian, openObsidian } from './open-obsidian.ts';
import { ScriptedVault } from './scripted-vault.ts';

export interface AskVaultOptions {
  readonly script?: readonly Script[];
  /** More notes than the first, by path. */
  readonly notes?: Readonly<Record<string, string>>;
  readonly server?: Partial<ServerConfig>;
  readonly assistants?: (model: ModelServer) => readonly AssistantConfig[];
  /** Whether somebody has agreed to the assistants before. */
  readonly isTrusted?: boolean;
  readonly settings?: Partial<Settings>;
}

/** A vault with a scripted server and a scripted model, Claude, whose key is kept as the secret `key`. */
export class AskVault extends ScriptedVault {
  readonly model: ModelServer;

  constructor(obsidian: OpenObsidian, model: ModelServer) {
    super(obsidian);
    this.model = model;
  }

  static async of(note: string, options: AskVaultOptions = {}): Promise<AskVault> {
    const { script = [], server: change, isTrusted = true } = options;
    const model = await ModelServer.open(...script);
    const assistants = options.assistants?.(model) ?? [model.assistant('anthropic')];
    const obsidian = await openObsidian({}, async (home) => {
      const journal = join(home, 'journal');
      writeFileSync(journal, '');
      mkdirSync(join(home, 'vault'));
      const server = scriptedServerConfig({ journal }, change);
      const trust = await openTrust(
        await openTrustFile(join(home, 'state/errand'), join(home, 'vault')),
      );
      await trust.agree([server], isTrusted ? assistants : []);
      trust.close();
      const { settings } = options;
      const data = JSON.stringify({ version: 1, mcpServers: [server], assistants, ...settings });
      return { notes: { 'note.md': note, ...options.notes }, data };
    });
    await obsidian.harness.evaluate((each) => each.secrets.setSecret('key', 'sk-very-secret'));
    return new AskVault(obsidian, model);
  }

  /** Opens the note for editing, with the cursor behind these words. */
  async edit(words: string): Promise<void> {
    await this.show('source');
    await this.obsidian.harness.evaluate((each, behind) => {
      const { editor } = each.pane(0);
      const at = editor.getValue().indexOf(behind) + behind.length;
      editor.setCursor(editor.offsetToPos(at));
      editor.focus();
    }, words);
  }

  ask(): Promise<void> {
    return this.command('Ask the assistant here');
  }

  /** Waits until no answer is being written any more. */
  async answered(): Promise<void> {
    await this.obsidian.page
      .getByRole('button', { name: 'Stop', exact: true })
      .waitFor({ state: 'detached' });
  }

  /** Waits until the note on the screen has these words. */
  async shows(words: string): Promise<void> {
    await this.obsidian.page.waitForFunction(
      ([harness, wanted]) => harness.pane(0).getViewData().includes(wanted),
      [this.obsidian.harness, words] as const,
      { timeout: 50_000 },
    );
  }

  /** The text after a step of undo. */
  async undone(): Promise<string> {
    await this.undo();
    return this.obsidian.text();
  }

  async redone(): Promise<string> {
    await this.redo();
    return this.obsidian.text();
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await this.model[Symbol.asyncDispose]();
    await super[Symbol.asyncDispose]();
  }
}

/** A note without the hashes of its results. */
export function masked(note: string): string {
  return note.replace(/(req|sum)=[0-9a-f]{10}/g, '$1=…');
}
