import type { Plugin } from 'obsidian';
import { ErrandSettings, type SettingsSource } from './settings-content.ts';
import { ErrandSettingTab } from './settings-tab.ts';

/** Adds Errand's tab to the settings, also while the settings cannot be read; returns what to tell when that changes. */
export function addSettings(plugin: Plugin, source: SettingsSource): () => Promise<void> {
  const content = new ErrandSettings(plugin.app, source);
  plugin.addSettingTab(new ErrandSettingTab(plugin, content));
  return () => content.hasChanged();
}
