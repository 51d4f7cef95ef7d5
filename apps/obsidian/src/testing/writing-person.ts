import type { ScriptedVault } from './scripted-vault.ts';

/** A person who types into the note that is open. */
export class WritingPerson {
  readonly #vault: ScriptedVault;

  constructor(vault: ScriptedVault) {
    this.#vault = vault;
  }

  /** Puts the cursor behind a text of the note, or at its end. */
  async goTo(behind?: string): Promise<void> {
    await this.#vault.obsidian.harness.evaluate((each, text) => {
      const { editor } = each.pane(0);
      const value = editor.getValue();
      const at = text === undefined ? value.length : value.indexOf(text) + text.length;
      editor.setCursor(editor.offsetToPos(at));
      editor.focus();
    }, behind);
  }

  /** Types as on a keyboard; a line end is Enter. */
  async type(text: string): Promise<void> {
    const { keyboard } = this.#vault.obsidian.page;
    for (const letter of text) await keyboard.press(letter === '\n' ? 'Enter' : letter);
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#vault.obsidian.page.keyboard.press(key);
  }

  /** What is offered, the marked one with a star. */
  suggestions(): Promise<readonly string[]> {
    return this.#vault.obsidian.page.locator('.suggestion-item').evaluateAll((items) =>
      items.map((item) => {
        const label = item.querySelector('.errand-row-label') ?? item;
        return `${item.classList.contains('is-selected') ? '*' : ''}${label.textContent}`;
      }),
    );
  }

  async undo(): Promise<void> {
    await this.#vault.obsidian.harness.evaluate((each) => each.pane(0).editor.undo());
  }

  runCommand(name: string): Promise<void> {
    return this.#vault.obsidian.harness.evaluate(
      (each, wanted) => each.commands.run(`Errand: ${wanted}`),
      name,
    );
  }
}
