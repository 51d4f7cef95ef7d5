import type { Settings } from '@errand/host';
import type { Locator } from 'playwright-core';
import { ScriptedVault } from './scripted-vault.ts';

/** For polling: longer than anything takes here, also on a busy machine. */
export const patience = { timeout: 30_000 };

/** For tests that start servers, on a machine that does other things too. */
export const long = { timeout: 120_000 };

/** The two ways in which Obsidian shows the settings of a plugin. */
export const ways = [
  { way: 'described, since 1.13', drawsTabs: false },
  { way: 'drawn, before 1.13', drawsTabs: true },
] as const;

/** Drives Errand's settings as a user does. */
export class SettingsDriver implements AsyncDisposable {
  readonly vault: ScriptedVault;
  readonly #drawsTabs: boolean;

  constructor(vault: ScriptedVault, drawsTabs: boolean) {
    this.vault = vault;
    this.#drawsTabs = drawsTabs;
  }

  /** Opens a vault with this data file and, in it, the settings. */
  static async open(
    data: string | object | undefined,
    { drawsTabs = false }: { readonly drawsTabs?: boolean } = {},
  ): Promise<SettingsDriver> {
    const text = typeof data === 'object' ? JSON.stringify(data) : data;
    const vault = await ScriptedVault.open('Text.\n', {
      drawsTabs,
      ...(text !== undefined && { data: text }),
    });
    const driver = new SettingsDriver(vault, drawsTabs);
    await driver.show();
    return driver;
  }

  async show(): Promise<void> {
    await this.vault.obsidian.harness.evaluate((each) => each.settings.open());
  }

  async close(): Promise<void> {
    await this.vault.obsidian.harness.evaluate((each) => each.settings.close());
  }

  /** The data file, as text. */
  get text(): string {
    return this.vault.obsidian.file('.obsidian/plugins/errand/data.json');
  }

  get data(): Settings {
    return JSON.parse(this.text) as Settings;
  }

  /** What another program writes into the data file. */
  async writeData(data: string | object): Promise<void> {
    const text = typeof data === 'object' ? JSON.stringify(data) : data;
    await this.vault.obsidian.harness.evaluate((each, it) => each.writeData(it), text);
  }

  row(name: string): Locator {
    const { page } = this.vault.obsidian;
    const named = page.locator('.setting-item-name', {
      hasText: new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`),
    });
    return page.locator('.setting-item', { has: named });
  }

  async openPage(name: string): Promise<void> {
    if (this.#drawsTabs) await this.press(`Open ${name}`);
    else await this.row(name).click();
    await this.row('State').waitFor();
  }

  /** What stands beside the entry of a page. */
  value(name: string): Locator {
    return this.row(name).locator('.setting-item-value, .errand-value');
  }

  button(name: string): Locator {
    return this.vault.obsidian.page.getByRole('button', { name, exact: true });
  }

  async press(name: string): Promise<void> {
    await this.button(name).click();
  }

  field(label: string): Locator {
    return this.vault.obsidian.page.getByLabel(label, { exact: true });
  }

  async type(label: string, text: string): Promise<void> {
    await this.field(label).fill(text);
  }

  async choose(label: string, option: string): Promise<void> {
    await this.field(label).selectOption(option);
  }

  async toggle(label: string): Promise<void> {
    await this.vault.obsidian.page.locator(`.checkbox-container[aria-label="${label}"]`).click();
  }

  /** What is said to be wrong at a field. */
  mistake(name: string): Locator {
    return this.row(name).locator('.errand-field-error');
  }

  /** Waits until a text is on the page. */
  async sees(text: string | RegExp): Promise<void> {
    await this.vault.obsidian.page.getByText(text).first().waitFor();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.vault[Symbol.asyncDispose]();
  }
}
