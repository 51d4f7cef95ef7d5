import type { Component } from '../component.ts';
import type { SettingItem } from './setting-item.ts';

/** A tab of the settings as Obsidian had it before 1.13: it draws itself. */
export class DrawnSettingTab {
  icon = '';
  readonly app: object;
  readonly containerEl = document.createElement('div');

  constructor(app: object, _plugin: Component) {
    this.app = app;
  }

  display(): void {}

  hide(): void {
    this.containerEl.replaceChildren();
  }
}

/** A tab as it is since 1.13: it says what it consists of, and Obsidian draws it. */
export class DescribedSettingTab extends DrawnSettingTab {
  settingItems: readonly SettingItem[] = [];
  /** What the window does when the definitions are others. */
  onUpdate: (() => void) | undefined;

  getSettingDefinitions(): readonly SettingItem[] {
    return [];
  }

  update(): void {
    this.settingItems = this.getSettingDefinitions();
    this.onUpdate?.();
  }
}
