import type { ServerConfig, ToolDescription } from '@errand/host';
import { type App, type FuzzyMatch, FuzzySuggestModal } from 'obsidian';
import { drawRow } from '../draw-row.ts';

/** A tool to choose, or a server whose tools are not known before it is started. */
export interface OfferedTool {
  readonly server: ServerConfig;
  readonly tool?: ToolDescription;
}

/** Searches tools by server, name and description. What is found later appears while it is open. */
export class ToolModal extends FuzzySuggestModal<OfferedTool> {
  readonly #offered: () => readonly OfferedTool[];
  readonly #onChoose: (chosen: OfferedTool) => void;

  constructor(
    app: App,
    offered: () => readonly OfferedTool[],
    onChoose: (chosen: OfferedTool) => void,
  ) {
    super(app);
    this.#offered = offered;
    this.#onChoose = onChoose;
    this.setPlaceholder('Search for a tool');
    this.emptyStateText = 'No tool found. Add or enable a server in the settings of Errand.';
  }

  /** Shows what is there now. */
  refresh(): void {
    this.inputEl.dispatchEvent(new Event('input'));
  }

  override getItems(): OfferedTool[] {
    return [...this.#offered()];
  }

  override getItemText({ server, tool }: OfferedTool): string {
    return tool === undefined
      ? `${server.name} ${toStart}`
      : `${server.name} ${tool.name} ${tool.description ?? ''}`;
  }

  override renderSuggestion(
    { item: { server, tool } }: FuzzyMatch<OfferedTool>,
    el: HTMLElement,
  ): void {
    const description = (tool?.description ?? tool?.title ?? '').split('\n', 1)[0] ?? '';
    drawRow(el, { label: tool?.name ?? toStart, detail: server.name, description });
  }

  override onChooseItem(chosen: OfferedTool): void {
    this.#onChoose(chosen);
  }
}

const toStart = 'Start the server to see its tools';
