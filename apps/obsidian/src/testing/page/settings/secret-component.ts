import type { SecretStorage } from '../secret-storage.ts';
import { BaseComponent } from './components.ts';

/** Chooses a secret by its name, among those that Obsidian keeps, or makes one; its value is never handed out. */
export class SecretComponent extends BaseComponent {
  readonly #input = document.createElement('select');
  readonly #secrets: SecretStorage;

  constructor(app: object, parent: HTMLElement) {
    super();
    this.#secrets = (app as { readonly secretStorage: SecretStorage }).secretStorage;
    this.#input.className = 'secret-select';
    parent.append(this.#input);
    this.setValue('');
  }

  setValue(value: string): this {
    const names = new Set(['', ...this.#secrets.listSecrets(), value]);
    const options = [...names].map((name) => new Option(name || 'Choose a secret', name));
    this.#input.replaceChildren(...options);
    this.#input.value = value;
    return this;
  }

  onChange(listener: (value: string) => unknown): this {
    this.#input.addEventListener('change', () => listener(this.#input.value));
    return this;
  }
}
