import type { Setting } from './setting.ts';

interface RowItem {
  readonly type?: undefined;
  readonly name: string;
  readonly desc?: string;
  readonly render?: (setting: Setting, group: object) => undefined | (() => void);
}

export interface PageItem {
  readonly type: 'page';
  readonly name: string;
  readonly desc?: string;
  readonly displayValue?: string | (() => string);
  readonly status?: 'warning' | null | (() => 'warning' | null);
  readonly items: readonly SettingItem[];
}

interface GroupItem {
  readonly type: 'group' | 'list';
  readonly heading?: string;
  readonly items?: readonly (RowItem | PageItem)[];
  readonly emptyState?: string;
  readonly addItem?: { readonly name: string; readonly action: (el: HTMLElement) => void };
}

export type SettingItem = RowItem | PageItem | GroupItem;

const known: Readonly<Record<string, readonly string[]>> = {
  row: ['name', 'desc', 'render', 'aliases', 'searchable'],
  page: ['type', 'name', 'desc', 'displayValue', 'status', 'items'],
  group: ['type', 'heading', 'items'],
  list: ['type', 'heading', 'items', 'emptyState', 'addItem'],
};

/** What the stand-in does not draw must not pass for drawn. */
export function refuseUnknownParts(item: SettingItem): void {
  const kind = item.type ?? 'row';
  const other = Object.keys(item).find((key) => !known[kind]?.includes(key));
  if (other !== undefined) {
    throw new Error(`HARNESS: "${other}" of a ${kind} in the settings is not part of the shim.`);
  }
}
