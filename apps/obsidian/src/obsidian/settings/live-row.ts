import type { Setting } from 'obsidian';
import type { SettingsController } from '../../settings/settings-controller.ts';
import type { SettingsRow } from './settings-group.ts';

/** A row that redraws itself when its content changes. */
export function liveRow<Look>(
  controller: SettingsController,
  name: string,
  look: () => Look,
  draw: (setting: Setting, look: Look) => void,
): SettingsRow {
  return {
    kind: 'row',
    name,
    draw: (setting) => {
      let shown: string | undefined;
      const show = () => {
        const now = look();
        const text = JSON.stringify(now) ?? '';
        if (text === shown) return;
        shown = text;
        setting.clear();
        draw(setting.setName(name), now);
      };
      show();
      return controller.onChange(show);
    },
  };
}

/** Shows lines in the description of a row. */
export function setLines(setting: Setting, lines: readonly string[], cls = ''): void {
  const { descEl } = setting;
  descEl.empty();
  for (const text of lines) descEl.createDiv({ cls, text });
}
