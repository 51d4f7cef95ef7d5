import { ThemeColor, ThemeIcon } from 'vscode';

/** The icon of a row, by how things are. */
export function toneIcon(tone: keyof typeof icons): ThemeIcon {
  return new ThemeIcon(icons[tone], colors[tone]);
}

const icons = {
  neutral: 'circle-outline',
  accent: 'sync',
  good: 'pass-filled',
  warn: 'warning',
  bad: 'error',
} as const;

const colors = {
  neutral: undefined,
  accent: undefined,
  good: new ThemeColor('testing.iconPassed'),
  warn: new ThemeColor('list.warningForeground'),
  bad: new ThemeColor('list.errorForeground'),
} as const;
