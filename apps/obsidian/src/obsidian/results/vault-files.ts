import type { ResultFile } from '@errand/document/display';
import { type App, type Component, Keymap, TFile } from 'obsidian';
import { showFailure } from '../notices.ts';

/** Adds a picture of the vault; as long as its file is not there, that is said instead. */
export function addPicture(owner: Component, parent: HTMLElement, app: App, path: string): void {
  const place = parent.createDiv({ cls: 'errand-result-picture' });
  const show = (file: TFile) => {
    place.empty();
    const attr = { src: app.vault.getResourcePath(file), alt: file.name, loading: 'lazy' };
    const image = place.createEl('img', { attr });
    image.addEventListener('error', () => missing(`The picture ${path} cannot be shown.`));
  };
  const missing = (text: string) => {
    place.empty();
    place.createDiv({ cls: 'errand-result-missing', text });
  };
  const file = app.vault.getFileByPath(path);
  if (file !== null) {
    show(file);
    return;
  }
  missing(`The picture ${path} is not in this vault. Run the block again to get it back.`);
  // Obsidian notices a file that was written just now a moment later.
  owner.registerEvent(
    app.vault.on('create', (created) => {
      if (created instanceof TFile && created.path === path) show(created);
    }),
  );
}

/** Adds links to the files that an answer names. */
export function addFileLinks(parent: HTMLElement, app: App, files: readonly ResultFile[]): void {
  if (files.length === 0) return;
  const list = parent.createEl('ul', { cls: 'errand-result-files' });
  for (const { path, label } of files) {
    const link = list.createEl('li').createEl('a', { text: `Open ${label}`, href: '#' });
    link.setAttribute('title', path);
    link.addEventListener('click', (event) => {
      event.preventDefault();
      event.stopPropagation();
      void openFile(app, path, event).catch(showFailure);
    });
  }
}

async function openFile(app: App, path: string, event: MouseEvent): Promise<void> {
  const file = app.vault.getFileByPath(path);
  if (file === null) {
    throw new Error(`${path} is not in this vault. Run the block again to get it back.`);
  }
  await app.workspace.getLeaf(Keymap.isModEvent(event)).openFile(file);
}
