import type { ApprovalRule, ServerConfig } from '@errand/host';
import type { App } from 'obsidian';
import { describeBinding, withoutBinding } from '../../settings/binding-draft.ts';
import type { SettingsDesk } from '../../settings/settings-desk.ts';
import { testLines } from '../../settings/test-lines.ts';
import { tellFailure } from '../notices.ts';
import { askYes } from './ask-yes.ts';
import { openBindingForm } from './binding-modal.ts';
import { liveRow, setLines } from './live-row.ts';
import { openServerForm } from './server-modal.ts';
import type { SettingsGroup, SettingsPage, SettingsRow } from './settings-group.ts';

/** A server's page: how it is, what can be done with it, and what it may do. */
export function serverPage(app: App, desk: SettingsDesk, server: ServerConfig): SettingsPage {
  const { id, name } = server;
  const { value = '', needsAttention = false } = desk.summary(id) ?? {};
  const rows = [
    stateRow(app, desk, id),
    enabledRow(desk, id),
    testRow(desk, id),
    launchRow(app, desk, id),
    approvalRow(desk, id),
  ];
  const groups = [
    { rows },
    bindingsGroup(app, desk, server),
    { rows: [removeRow(app, desk, server)] },
  ];
  return { kind: 'page', name, value, needsAttention, groups };
}

function stateRow(app: App, desk: SettingsDesk, id: string): SettingsRow {
  const look = () => {
    const view = desk.snapshot(id);
    const isTrusted = view?.trust === 'trusted';
    const mayTry = isTrusted && view.enabled && view.connectionState !== 'connected';
    const claims = claimsOf(desk, id);
    return {
      lines: [
        ...(desk.summary(id)?.lines ?? ['This server is no longer in the settings.']),
        ...(claims.length > 0 ? ['Its tools claim more than when you agreed to it.'] : []),
      ],
      hasClaims: claims.length > 0,
      asks: view !== undefined && !isTrusted,
      mayTry,
      isConnecting: view?.connectionState === 'connecting',
    };
  };
  return liveRow(desk, 'State', look, (setting, shown) => {
    const { lines, asks, hasClaims, mayTry, isConnecting } = shown;
    setLines(setting, lines);
    if (hasClaims) {
      setting.addButton((button) =>
        button
          .setButtonText('Look at its tools …')
          .onClick(() => void believe(app, desk, id).catch(tellFailure)),
      );
    }
    if (asks) {
      setting.addButton((button) =>
        button
          .setButtonText('Agree …')
          .setCta()
          .onClick(() => void agree(app, desk, id).catch(tellFailure)),
      );
    }
    if (mayTry) {
      setting.addButton((button) =>
        button
          .setButtonText('Try now')
          .setDisabled(isConnecting)
          .onClick(() => desk.vault.host.servers.tryNow(id)),
      );
    }
  });
}

async function agree(app: App, desk: SettingsDesk, id: string): Promise<void> {
  const server = desk.server(id);
  if (server === undefined) return;
  const shown = desk.vault.trust.show(server);
  const isYes = await askYes(app, {
    title: `Start server "${server.name}"?`,
    text: 'Nobody on this computer has agreed to it yet, or it was changed since. It:',
    lines: shown.does,
    yes: 'Agree',
    no: 'Cancel',
    isHarmful: false,
  });
  if (isYes) await desk.agree(shown);
}

function claimsOf(desk: SettingsDesk, id: string): readonly string[] {
  const server = desk.server(id);
  return server === undefined ? [] : desk.vault.host.hints.changes(server);
}

async function believe(app: App, desk: SettingsDesk, id: string): Promise<void> {
  const server = desk.server(id);
  if (server === undefined) return;
  const isYes = await askYes(app, {
    title: `Do you believe the tools of "${server.name}"?`,
    text: 'They claim more than when you agreed to the server. Until you agree, an assistant that calls them asks you first:',
    lines: claimsOf(desk, id),
    yes: 'Agree',
    no: 'Cancel',
    isHarmful: false,
  });
  if (!isYes) return;
  await desk.vault.host.hints.agree([server]);
  desk.tell();
}

function enabledRow(desk: SettingsDesk, id: string): SettingsRow {
  const look = () => {
    const view = desk.snapshot(id);
    return { isOn: view?.enabled === true && !view.autoDisabled, isThere: view !== undefined };
  };
  return liveRow(desk, 'Enabled', look, (setting, { isOn, isThere }) => {
    setting.setDesc('Its blocks can be run, and models may use its tools.').addToggle((toggle) =>
      toggle
        .setTooltip('Enabled')
        .setValue(isOn)
        .setDisabled(!isThere)
        .onChange((wanted) => {
          void desk.vault.host.servers
            .setEnabled(id, wanted)
            .catch(tellFailure)
            .finally(() => desk.tell());
        }),
    );
  });
}

function testRow(desk: SettingsDesk, id: string): SettingsRow {
  const look = () => ({
    lines: testLines(desk.test(id)),
    isRunning: desk.test(id)?.isRunning === true,
    mayTest: desk.snapshot(id)?.trust === 'trusted',
  });
  return liveRow(desk, 'Test connection', look, (setting, { lines, isRunning, mayTest }) => {
    const about = 'Connects once, reads its tools, and leaves. Nothing is called.';
    setLines(setting, lines.length === 0 ? [about] : lines);
    setting.addButton((button) =>
      button
        .setButtonText(isRunning ? 'Testing …' : 'Test connection')
        .setDisabled(isRunning || !mayTest)
        .onClick(() => {
          const server = desk.server(id);
          if (server !== undefined) void desk.vault.tests.begin(server).catch(tellFailure);
        }),
    );
  });
}

function launchRow(app: App, desk: SettingsDesk, id: string): SettingsRow {
  const look = () => {
    const server = desk.server(id);
    return server === undefined ? [] : desk.vault.trust.show(server).does;
  };
  return liveRow(desk, 'What it does', look, (setting, lines) => {
    setLines(setting, lines, 'errand-launch');
    setting.addButton((button) =>
      button.setButtonText('Edit').onClick(() => {
        const server = desk.server(id);
        if (server !== undefined) openServerForm(app, desk, server);
      }),
    );
  });
}

function approvalRow(desk: SettingsDesk, id: string): SettingsRow {
  const look = () => desk.server(id)?.approval ?? 'ask';
  return liveRow(desk, 'When a model wants to use it', look, (setting, approval) => {
    setting
      .setDesc(
        'Tools that say they only read, and reach nothing outside, need no question unless you want one for every call.',
      )
      .addDropdown((dropdown) => {
        dropdown.selectEl.setAttr('aria-label', 'When a model wants to use it');
        dropdown
          .addOptions({ ask: 'Ask me', always: 'Ask me every time', allow: 'Allow', deny: 'Deny' })
          .setValue(approval)
          .onChange((wanted) => {
            const change = ({ approval: _, ...server }: ServerConfig): ServerConfig =>
              wanted === 'ask' ? server : { ...server, approval: wanted as ApprovalRule };
            void desk.change(id, change).catch(tellFailure);
          });
      });
  });
}

function bindingsGroup(app: App, desk: SettingsDesk, server: ServerConfig): SettingsGroup {
  const { id, sectionBindings } = server;
  return {
    heading: 'Sections bound to it',
    list: {
      empty: 'No section is bound here. Notes can bind sections themselves, in their frontmatter.',
      add: 'Bind a section',
      onAdd: () => openBindingForm(app, desk, desk.server(id) ?? server),
    },
    rows: sectionBindings.map((binding) => {
      const words = describeBinding(binding);
      const remove = () =>
        desk.change(id, (now) => ({
          ...now,
          sectionBindings: withoutBinding(now.sectionBindings, binding),
        }));
      return {
        kind: 'row',
        name: words,
        draw: (setting) => {
          setting.setName(words).addExtraButton((button) =>
            button
              .setIcon('trash')
              .setTooltip(`Unbind: ${words}`)
              .onClick(() => void remove().catch(tellFailure)),
          );
          return undefined;
        },
      };
    }),
  };
}

function removeRow(app: App, desk: SettingsDesk, { id, name }: ServerConfig): SettingsRow {
  const remove = async () => {
    const isYes = await askYes(app, {
      title: `Remove server "${name}"?`,
      text: 'Its entry leaves the settings. Notes keep their blocks and results, but blocks that name it no longer run. Its secrets stay in Obsidian.',
      yes: 'Remove',
      no: 'Keep it',
      isHarmful: true,
    });
    if (isYes) await desk.remove(id);
  };
  const desc = 'Notes keep their blocks and results.';
  return {
    kind: 'row',
    name: 'Remove this server',
    desc,
    draw: (setting) => {
      setting
        .setName('Remove this server')
        .setDesc(desc)
        .addButton((button) =>
          button
            .setButtonText('Remove')
            .setClass('mod-warning')
            .onClick(() => void remove().catch(tellFailure)),
        );
      return undefined;
    },
  };
}
