import {
  type Plugin,
  PluginSettingTab,
  requireApiVersion,
  Setting,
  type SettingDefinitionItem,
} from 'obsidian';
import { describeGroups } from './describe-groups.ts';
import { drawGroups } from './draw-groups.ts';
import { type SettingsGroup, type SettingsPage, shapeOf } from './settings-group.ts';

/** What the tab shows. */
export interface SettingsContent {
  /** Decided from what is known already: nothing is read or asked for it. */
  groups(): readonly SettingsGroup[];
  /** Calls back when the groups may be others. */
  onChange(listener: () => void): () => void;
  /** Called when somebody begins to look. */
  onShow(): void;
  /** A field has the focus: a redraw would lose the cursor. */
  readonly isTyping: boolean;
}

/** How long ago something was is said in minutes. */
const refreshMs = 30_000;

/** Errand's settings: described since 1.13, drawn before; the same rows either way. */
export class ErrandSettingTab extends PluginSettingTab {
  readonly #content: SettingsContent;
  #shape = '';
  #rows = 0;
  #unfollow: (() => void) | undefined;
  #erase: () => void = () => {};
  /** The pages that are open, one inside the other; only when we draw them ourselves. */
  #path: readonly string[] = [];
  #isDrawn = false;

  constructor(plugin: Plugin, content: SettingsContent) {
    super(plugin.app, plugin);
    this.#content = content;
  }

  override getSettingDefinitions(): SettingDefinitionItem[] {
    const groups = this.#content.groups();
    this.#shape = shapeOf(groups);
    return describeGroups(groups, () => this.#rowShown());
  }

  /** Only Obsidian before 1.13 calls it. */
  override display(): void {
    this.#isDrawn = true;
    this.#draw();
    this.#follow();
  }

  override hide(): void {
    this.#erase();
    this.#isDrawn = false;
    this.#path = [];
    this.#unfollow?.();
    super.hide();
  }

  #rowShown(): () => void {
    this.#rows += 1;
    this.#follow();
    return () => {
      this.#rows -= 1;
      // Rows that are drawn anew go and come in one step.
      queueMicrotask(() => {
        if (this.#rows === 0) this.#unfollow?.();
      });
    };
  }

  #follow(): void {
    if (this.#unfollow !== undefined) return;
    const look = () => this.#refresh();
    const stop = this.#content.onChange(look);
    const timer = window.setInterval(look, refreshMs);
    this.#unfollow = () => {
      stop();
      window.clearInterval(timer);
      this.#unfollow = undefined;
    };
    this.#content.onShow();
  }

  #refresh(): void {
    if (this.#content.isTyping || shapeOf(this.#content.groups()) === this.#shape) return;
    if (this.#isDrawn) this.#draw();
    else if (requireApiVersion('1.13.0')) this.update();
  }

  #draw(): void {
    this.#erase();
    const { containerEl } = this;
    const { scrollTop } = containerEl;
    containerEl.empty();
    const groups = this.#content.groups();
    this.#shape = shapeOf(groups);
    const pages: SettingsPage[] = [];
    for (const name of this.#path) {
      const page = pagesOf(pages.at(-1)?.groups ?? groups).find((each) => each.name === name);
      if (page === undefined) break;
      pages.push(page);
    }
    this.#path = pages.map(({ name }) => name);
    const page = pages.at(-1);
    if (page !== undefined) this.#drawTitle(page);
    this.#erase = drawGroups(containerEl, page?.groups ?? groups, ({ name }) =>
      this.#go([...this.#path, name]),
    );
    containerEl.scrollTop = scrollTop;
  }

  #drawTitle({ name }: SettingsPage): void {
    new Setting(this.containerEl)
      .setHeading()
      .setName(name)
      .addExtraButton((button) =>
        button
          .setIcon('arrow-left')
          .setTooltip('Back')
          .onClick(() => this.#go(this.#path.slice(0, -1))),
      );
  }

  #go(path: readonly string[]): void {
    this.#path = path;
    this.#draw();
    this.containerEl.scrollTop = 0;
  }
}

function pagesOf(groups: readonly SettingsGroup[]): readonly SettingsPage[] {
  return groups.flatMap(({ rows }) => rows.filter((row) => row.kind === 'page'));
}
