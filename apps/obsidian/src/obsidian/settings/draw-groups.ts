import { Setting } from 'obsidian';
import type { SettingsGroup, SettingsPage, SettingsRow } from './settings-group.ts';

/** Draws groups into an element, for Obsidian before 1.13; returns what ends them. */
export function drawGroups(
  el: HTMLElement,
  groups: readonly SettingsGroup[],
  onOpen: (page: SettingsPage) => void,
): () => void {
  const ends: (() => void)[] = [];
  for (const { heading, rows, list } of groups) {
    if (heading !== undefined || list !== undefined) {
      const head = new Setting(el).setHeading().setName(heading ?? '');
      if (list !== undefined) {
        head.addButton((button) => button.setButtonText(list.add).onClick(() => list.onAdd()));
      }
    }
    for (const row of rows) ends.push(drawRow(el, row, onOpen));
    if (rows.length === 0 && list !== undefined) new Setting(el).setDesc(list.empty);
  }
  return () => {
    for (const end of ends) end();
  };
}

function drawRow(
  el: HTMLElement,
  row: SettingsRow | SettingsPage,
  onOpen: (page: SettingsPage) => void,
): () => void {
  const setting = new Setting(el).setName(row.name).setDesc(row.desc ?? '');
  if (row.kind === 'row') return row.draw?.(setting) ?? (() => {});
  const { value, needsAttention, name } = row;
  const shown = setting.controlEl.createSpan({ cls: 'errand-value', text: value });
  if (needsAttention) shown.addClass('errand-needs-attention');
  setting.addExtraButton((button) =>
    button
      .setIcon('chevron-right')
      .setTooltip(`Open ${name}`)
      .onClick(() => onOpen(row)),
  );
  return () => {};
}
