import { Component } from './component.ts';
import { RenderedNote, type RenderOptions } from './render-note.ts';
import { textUnder } from './sections.ts';
import type { TFile, Vault } from './vault.ts';
import type { Workspace } from './workspace.ts';

interface EmbedPorts {
  readonly vault: Vault;
  readonly workspace: Workspace;
  readonly render: Omit<RenderOptions, 'sourcePath' | 'owner'>;
}

/** Another note, or a part of it, within a note; it is drawn again whenever that other note changes. */
export class EmbeddedNote extends Component {
  readonly #rendered: RenderedNote;
  readonly #file: TFile;
  readonly #heading: string | undefined;
  readonly #ports: EmbedPorts;

  constructor(el: HTMLElement, file: TFile, heading: string | undefined, ports: EmbedPorts) {
    super();
    this.#rendered = new RenderedNote(el);
    this.#file = file;
    this.#heading = heading;
    this.#ports = ports;
    el.className = 'markdown-embed';
  }

  override onload(): void {
    const { vault, workspace } = this.#ports;
    const read = async () => this.#draw(await vault.cachedRead(this.#file));
    this.registerEvent(
      vault.watch('modify', (changed: TFile) => changed === this.#file && void read()),
    );
    this.registerEvent(
      workspace.watch('quick-preview', (changed: TFile, text: string) => {
        if (changed === this.#file) this.#draw(text);
      }),
    );
    this.register(() => this.#rendered.end());
    void read();
  }

  #draw(text: string): void {
    if (!this.isLoaded) return;
    const part = this.#heading === undefined ? text : textUnder(text, this.#heading);
    const options = { ...this.#ports.render, sourcePath: this.#file.path, owner: this };
    this.#rendered.draw(part, options);
  }
}
