import { findImportable } from '@errand/workspace/servers';
import type { App } from 'obsidian';
import type { SettingsController } from '../../settings/settings-controller.ts';
import { describeThrown } from '../../text/advice.ts';
import { showFailure } from '../notices.ts';
import { assistantsGroup } from './assistants-group.ts';
import { chooseServers } from './choose-servers.ts';
import { limitsGroups } from './limits-group.ts';
import { openPasteForm } from './paste-modal.ts';
import { secretsGroup } from './secrets-group.ts';
import { openServerForm } from './server-modal.ts';
import { serverPage } from './server-page.ts';
import type { SettingsGroup, SettingsRow } from './settings-group.ts';
import type { SettingsContent } from './settings-tab.ts';
import { TypedValues } from './typed-values.ts';

/** The plugin as the settings need it: they are also there when it could not start. */
export interface SettingsSource {
  /** Nothing while the settings cannot be read. */
  readonly controller: SettingsController | undefined;
  /** The path of the settings file in the vault. */
  readonly file: string;
  /** What is wrong in the settings file as it is on the disk now. */
  problems(): Promise<readonly string[]>;
  /** Reads the settings file again. */
  reread(): Promise<void>;
}

/** Everything in Errand's settings, from top to bottom. */
export class ErrandSettings implements SettingsContent {
  readonly #app: App;
  readonly #source: SettingsSource;
  readonly #typed = new TypedValues();
  readonly #listeners = new Set<() => void>();
  #problems: readonly string[] = [];
  #following: { readonly controller: SettingsController; readonly stop: () => void } | undefined;

  constructor(app: App, source: SettingsSource) {
    this.#app = app;
    this.#source = source;
  }

  get isTyping(): boolean {
    return this.#typed.isTyping;
  }

  groups(): readonly SettingsGroup[] {
    const { controller } = this.#source;
    const problems = this.#problems.length === 0 ? [] : [this.#problemsGroup()];
    if (controller === undefined) return problems.length === 0 ? [this.#startingGroup()] : problems;
    const secrets = secretsGroup(this.#app, controller);
    return [
      ...problems,
      this.#serversGroup(controller),
      { rows: this.#addOptions(controller) },
      assistantsGroup(this.#app, controller),
      ...(secrets === undefined ? [] : [secrets]),
      ...limitsGroups(controller, this.#typed),
    ];
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#follow();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#unfollow();
    };
  }

  onShow(): void {
    void this.hasChanged();
    void this.#source.controller?.readSecrets().catch(showFailure);
  }

  /** To be called when the settings file, or whether the plugin could start, is another. */
  async hasChanged(): Promise<void> {
    if (this.#listeners.size === 0) return;
    this.#follow();
    try {
      this.#problems = await this.#source.problems();
    } catch (error) {
      this.#problems = [describeThrown(error)];
    }
    this.#tell();
  }

  /** While somebody looks; the controller is another one when the plugin could start only later. */
  #follow(): void {
    const { controller } = this.#source;
    if (this.#listeners.size === 0 || controller === this.#following?.controller) return;
    this.#unfollow();
    if (controller === undefined) return;
    this.#following = { controller, stop: controller.onChange(() => this.#tell()) };
  }

  #unfollow(): void {
    this.#following?.stop();
    this.#following = undefined;
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #serversGroup(controller: SettingsController): SettingsGroup {
    return {
      heading: 'Servers',
      list: {
        empty: 'No server yet. Add one by a command, a Docker image or a URL.',
        add: 'Add a server',
        onAdd: () => openServerForm(this.#app, controller, 'command'),
      },
      rows: controller.settings.mcpServers.map((server) =>
        serverPage(this.#app, controller, server),
      ),
    };
  }

  #addOptions(controller: SettingsController): readonly SettingsRow[] {
    const look = async () => {
      const found = await findImportable(controller.vault.discovery, controller.vault);
      chooseServers(this.#app, controller, found, { showsOrigin: true });
    };
    return [
      buttonRow(
        'Paste servers',
        'JSON or TOML from the manual of a server, or of another program.',
        {
          label: 'Paste',
          onClick: () => openPasteForm(this.#app, controller),
        },
      ),
      buttonRow(
        'Servers of other programs',
        'Reads the configuration of Claude, VS Code, Cursor and others on this computer, and never changes it.',
        { label: 'Look', onClick: () => void look().catch(showFailure) },
      ),
    ];
  }

  #problemsGroup(): SettingsGroup {
    const { file, controller } = this.#source;
    const meanwhile =
      controller === undefined
        ? 'Nothing is written over it. Errand starts once it is fixed.'
        : 'Everything else is used. What is wrong is left as it is in the file.';
    return {
      heading: 'Needs attention',
      rows: [
        ...this.#problems.map((name): SettingsRow => ({ kind: 'row', name })),
        buttonRow(
          'Fix the file',
          `Open ${file} of this vault in a text editor, change what is named here, and save it. ${meanwhile}`,
          { label: 'Read it again', onClick: () => void this.#source.reread().catch(showFailure) },
        ),
      ],
    };
  }

  #startingGroup(): SettingsGroup {
    return { rows: [{ kind: 'row', name: 'Errand is starting.' }] };
  }
}

function buttonRow(
  name: string,
  desc: string,
  { label, onClick }: { readonly label: string; readonly onClick: () => void },
): SettingsRow {
  return {
    kind: 'row',
    name,
    desc,
    draw: (setting) => {
      setting
        .setName(name)
        .setDesc(desc)
        .addButton((button) => button.setButtonText(label).onClick(onClick));
      return undefined;
    },
  };
}
