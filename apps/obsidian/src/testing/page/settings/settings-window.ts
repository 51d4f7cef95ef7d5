import { Setting } from './setting.ts';
import { type PageItem, refuseUnknownParts, type SettingItem } from './setting-item.ts';
import { DescribedSettingTab, type DrawnSettingTab } from './setting-tab.ts';

/** Obsidian's settings: one tab is shown, drawn by itself or, since 1.13, from what it describes. */
export class SettingsWindow {
  readonly #el = document.createElement('div');
  readonly #tabs: DrawnSettingTab[] = [];
  readonly #cleanups: (() => void)[] = [];
  #shown: DrawnSettingTab | undefined;
  /** The names of the pages that were opened, one inside the other. */
  #path: string[] = [];

  constructor() {
    this.#el.className = 'settings-window';
  }

  /** Tabs are asked for their definitions at once, for the search. */
  add(tab: DrawnSettingTab): () => void {
    this.#tabs.push(tab);
    if (tab instanceof DescribedSettingTab) tab.update();
    return () => {
      if (this.#shown === tab) this.close();
      this.#tabs.splice(this.#tabs.indexOf(tab), 1);
    };
  }

  open(): void {
    const [tab] = this.#tabs;
    if (tab === undefined) throw new Error('No plugin has settings.');
    this.close();
    this.#shown = tab;
    document.body.append(this.#el);
    if (tab instanceof DescribedSettingTab) {
      tab.onUpdate = () => this.#draw(tab);
      tab.update();
      if (tab.settingItems.length > 0) return;
    }
    this.#el.append(tab.containerEl);
    tab.display();
  }

  close(): void {
    this.#clean();
    if (this.#shown instanceof DescribedSettingTab) this.#shown.onUpdate = undefined;
    this.#shown?.hide();
    this.#shown = undefined;
    this.#path = [];
    this.#el.replaceChildren();
    this.#el.remove();
  }

  #clean(): void {
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
  }

  /** Draws all of it anew: nothing that stood in a field or had the focus stays. */
  #draw(tab: DescribedSettingTab): void {
    this.#clean();
    this.#el.replaceChildren();
    let items = tab.settingItems;
    for (const [depth, name] of this.#path.entries()) {
      const page = pagesOf(items).find((each) => each.name === name);
      if (page === undefined) {
        this.#path = this.#path.slice(0, depth);
        break;
      }
      items = page.items;
    }
    if (this.#path.length > 0) this.#drawTitle(tab);
    for (const item of items) this.#drawItem(tab, item, this.#el);
  }

  #drawTitle(tab: DescribedSettingTab): void {
    const bar = this.#el.createDiv({ cls: 'settings-titlebar' });
    const back = bar.createEl('button', { text: '←', attr: { 'aria-label': 'Back' } });
    back.addEventListener('click', () => {
      this.#path.pop();
      this.#draw(tab);
    });
    bar.createEl('h2', { text: this.#path.at(-1) ?? '' });
  }

  #drawItem(tab: DescribedSettingTab, item: SettingItem, parent: HTMLElement): void {
    refuseUnknownParts(item);
    if (item.type === 'page') {
      this.#drawLink(tab, item, parent);
      return;
    }
    if (item.type === undefined) {
      const setting = new Setting(parent).setName(item.name).setDesc(item.desc ?? '');
      const cleanup = item.render?.(setting, {});
      if (cleanup !== undefined) this.#cleanups.push(cleanup);
      return;
    }
    const group = parent.createDiv({ cls: 'setting-group' });
    const { heading, addItem, emptyState, items = [] } = item;
    if (heading !== undefined || addItem !== undefined) {
      const head = new Setting(group).setHeading().setName(heading ?? '');
      if (addItem !== undefined) {
        head.addExtraButton((button) =>
          button
            .setIcon('plus')
            .setTooltip(addItem.name)
            .onClick(() => addItem.action(button.extraSettingsEl)),
        );
      }
    }
    const list = group.createDiv({ cls: 'setting-items' });
    for (const each of items) this.#drawItem(tab, each, list);
    if (items.length === 0 && emptyState !== undefined) {
      list.createDiv({ cls: 'setting-empty', text: emptyState });
    }
  }

  #drawLink(tab: DescribedSettingTab, page: PageItem, parent: HTMLElement): void {
    const { name, desc = '', displayValue = '', status = null } = page;
    const row = new Setting(parent).setName(name).setDesc(desc).setClass('setting-page-link');
    const value = typeof displayValue === 'string' ? displayValue : displayValue();
    const mark = typeof status === 'function' ? status() : status;
    const el = row.controlEl.createSpan({ cls: 'setting-item-value', text: value });
    if (mark !== null) el.setAttribute('data-status', mark);
    row.settingEl.addEventListener('click', () => {
      this.#path.push(name);
      this.#draw(tab);
    });
  }
}

function pagesOf(items: readonly SettingItem[]): readonly PageItem[] {
  return items.flatMap((item) => {
    if (item.type === 'page') return [item];
    return item.type === undefined ? [] : pagesOf(item.items ?? []);
  });
}
