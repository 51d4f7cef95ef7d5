import { resultParts } from '@errand/document/display';
import { type App, MarkdownRenderChild } from 'obsidian';
import { parseJson, type ShownResult } from '../../blocks/find-result.ts';
import { adviceForErrorCode } from '../../text/advice.ts';
import { nameArea } from '../name-area.ts';
import { addCopyButton } from './copy-button.ts';
import { addFoldedText } from './folded-text.ts';
import { addJsonTree } from './json-tree.ts';
import { addFileLinks, addPicture } from './vault-files.ts';

export interface ResultOptions {
  readonly app: App;
  readonly result: ShownResult;
}

/** An answer by its type. Whatever stands in it is text: nothing is run, fetched or linked but files of the vault. */
export class ResultView extends MarkdownRenderChild {
  readonly #options: ResultOptions;

  constructor(el: HTMLElement, options: ResultOptions) {
    super(el);
    this.#options = options;
  }

  override onload(): void {
    const { result } = this.#options;
    const isError = result.status === 'error';
    const attr = {
      role: 'group',
      'data-status': result.status,
      'data-type': result.type ?? 'text',
      'data-display': result.display ?? 'block',
    };
    const el = this.containerEl.createDiv({ cls: 'errand-result', attr });
    nameArea(el, isError ? 'Error' : 'Answer');
    addCopyButton(this, el, result.payload);
    if (isError && result.code !== null) {
      el.createDiv({ cls: 'errand-result-code', text: result.code });
    }
    this.#addContent(isError ? el : this.#foldable(el));
    const advice = isError && result.code !== null ? adviceForErrorCode(result.code) : '';
    if (advice !== '') el.createDiv({ cls: 'errand-result-advice', text: advice });
  }

  /** Folded when the author of the block asked for that. */
  #foldable(el: HTMLElement): HTMLElement {
    if (this.#options.result.display !== 'collapsed') return el;
    const details = el.createEl('details');
    details.createEl('summary', { text: 'Answer' });
    return details;
  }

  #addContent(el: HTMLElement): void {
    const { app, result } = this.#options;
    const { text, pictures, files } = resultParts(result);
    for (const path of pictures) addPicture(this, el, app, path);
    const value = result.type === 'json' ? parseJson(text) : undefined;
    if (value !== undefined) addJsonTree(el, value);
    else if (text !== '') addFoldedText(el, text);
    else if (pictures.length === 0 && files.length === 0) {
      el.createDiv({ cls: 'errand-result-empty', text: emptyText(result) });
    }
    addFileLinks(el, app, files);
  }
}

function emptyText({ payload }: ShownResult): string {
  // A result that calls itself a picture and names none is shown as it stands.
  return payload === '' ? 'The tool returned nothing.' : payload;
}
