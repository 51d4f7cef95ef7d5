import type { SettingDefinitionItem, SettingGroupItem } from 'obsidian';
import type { SettingsGroup, SettingsPage, SettingsRow } from './settings-group.ts';

/** The groups in the form that Obsidian draws itself since 1.13; `shown` is called for every row that is drawn. */
export function describeGroups(
  groups: readonly SettingsGroup[],
  shown: () => () => void,
): SettingDefinitionItem[] {
  return groups.map(({ heading, rows, list }) => {
    const items = rows.map((row) => describeRow(row, shown));
    const head = heading === undefined ? {} : { heading };
    if (list === undefined) return { type: 'group', ...head, items };
    const addItem = { name: list.add, action: () => list.onAdd() };
    return { type: 'list', ...head, items, emptyState: list.empty, addItem };
  });
}

function describeRow(row: SettingsRow | SettingsPage, shown: () => () => void): SettingGroupItem {
  const { name } = row;
  const desc = row.desc === undefined ? {} : { desc: row.desc };
  if (row.kind === 'page') {
    const status = row.needsAttention ? ('warning' as const) : null;
    const items = describeGroups(row.groups, shown);
    return { type: 'page', name, ...desc, displayValue: row.value, status, items };
  }
  return {
    name,
    ...desc,
    render: (setting) => {
      const end = row.draw?.(setting);
      const hidden = shown();
      return () => {
        end?.();
        hidden();
      };
    },
  };
}
