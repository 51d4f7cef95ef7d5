import type { Setting } from 'obsidian';

/** A row: what it draws is drawn by the same function whichever way the settings are shown. */
export interface SettingsRow {
  readonly kind: 'row';
  readonly name: string;
  readonly desc?: string;
  /** Returns what ends it when the row goes. */
  readonly draw?: (setting: Setting) => (() => void) | undefined;
}

/** A row that leads to a page of its own. */
export interface SettingsPage {
  readonly kind: 'page';
  readonly name: string;
  readonly desc?: string;
  /** How what is on the page is, in a few words. */
  readonly value: string;
  readonly needsAttention: boolean;
  readonly groups: readonly SettingsGroup[];
}

export interface SettingsGroup {
  readonly heading?: string;
  readonly rows: readonly (SettingsRow | SettingsPage)[];
  /** A list that can grow. */
  readonly list?: {
    readonly empty: string;
    readonly add: string;
    readonly onAdd: () => void;
  };
}

/** A key of the groups that changes when they must be redrawn; live rows are left out. */
export function shapeOf(groups: readonly SettingsGroup[]): string {
  const rowShape = (row: SettingsRow | SettingsPage): unknown =>
    row.kind === 'row'
      ? [row.name, row.desc]
      : [row.name, row.desc, row.value, row.needsAttention, shapeOf(row.groups)];
  return JSON.stringify(groups.map(({ heading, rows }) => [heading, rows.map(rowShape)]));
}
