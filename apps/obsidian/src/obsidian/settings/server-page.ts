import type { ApprovalRule, ServerConfig } from '@errand/host';
import { type ServerApproval, serverApproval } from '@errand/workspace/servers';
import type { App } from 'obsidian';
import { describeBinding, withoutBinding } from '../../settings/binding-draft.ts';
import type { SettingsController } from '../../settings/settings-controller.ts';
import { testLines } from '../../settings/test-lines.ts';
import { showFailure } from '../notices.ts';
import { openBindingForm } from './binding-modal.ts';
import { confirm } from './confirm.ts';
import { liveRow, setLines } from './live-row.ts';
import { openServerForm } from './server-modal.ts';
import type { SettingsGroup, SettingsPage, SettingsRow } from './settings-group.ts';

/** A server's page: how it is, what can be done with it, and what it may do. */
export function serverPage(
  app: App,
  controller: SettingsController,
  server: ServerConfig,
): SettingsPage {
  const { id, name } = server;
  const { value = '', needsAttention = false } = controller.summary(id) ?? {};
  const rows = [
    stateRow(app, controller, id),
    enabledRow(controller, id),
    testRow(controller, id),
    launchRow(app, controller, id),
    approvalRow(controller, id),
  ];
  const groups = [
    { rows },
    bindingsGroup(app, controller, server),
    { rows: [removeRow(app, controller, server)] },
  ];
  return { kind: 'page', name, value, needsAttention, groups };
}

function stateRow(app: App, controller: SettingsController, id: string): SettingsRow {
  const look = () => {
    const view = controller.snapshot(id);
    const { mayStart = false, claims = [] } = approvalOf(controller, id) ?? {};
    return {
      lines: [
        ...(controller.summary(id)?.lines ?? ['This server is no longer in the settings.']),
        ...(claims.length > 0 ? ['Its tools claim more than when you agreed to it.'] : []),
      ],
      hasClaims: claims.length > 0,
      asks: view !== undefined && !mayStart,
      mayTry: mayStart && view?.enabled === true && view.connectionState !== 'connected',
      isConnecting: view?.connectionState === 'connecting',
    };
  };
  return liveRow(controller, 'State', look, (setting, shown) => {
    const { lines, asks, hasClaims, mayTry, isConnecting } = shown;
    setLines(setting, lines);
    if (hasClaims) {
      setting.addButton((button) =>
        button
          .setButtonText('Look at its tools …')
          .onClick(() => void believe(app, controller, id).catch(showFailure)),
      );
    }
    if (asks) {
      setting.addButton((button) =>
        button
          .setButtonText('Agree …')
          .setCta()
          .onClick(() => void agree(app, controller, id).catch(showFailure)),
      );
    }
    if (mayTry) {
      setting.addButton((button) =>
        button
          .setButtonText('Try now')
          .setDisabled(isConnecting)
          .onClick(() => controller.vault.host.servers.tryNow(id)),
      );
    }
  });
}

async function agree(app: App, controller: SettingsController, id: string): Promise<void> {
  const server = controller.server(id);
  if (server === undefined) return;
  const shown = controller.vault.trust.show(server);
  const isConfirmed = await confirm(app, {
    title: `Start server "${server.name}"?`,
    text: 'Nobody on this computer has agreed to it yet, or it was changed since. It:',
    lines: shown.does,
    yes: 'Agree',
    no: 'Cancel',
    isHarmful: false,
  });
  if (isConfirmed) await controller.agree(shown);
}

function approvalOf(controller: SettingsController, id: string): ServerApproval | undefined {
  const server = controller.server(id);
  return server && serverApproval(controller.vault, server);
}

async function believe(app: App, controller: SettingsController, id: string): Promise<void> {
  const server = controller.server(id);
  if (server === undefined) return;
  const isConfirmed = await confirm(app, {
    title: `Do you believe the tools of "${server.name}"?`,
    text: 'They claim more than when you agreed to the server. Until you agree, an assistant that calls them asks you first:',
    lines: serverApproval(controller.vault, server).claims,
    yes: 'Agree',
    no: 'Cancel',
    isHarmful: false,
  });
  if (!isConfirmed) return;
  await controller.vault.host.hints.agree([server]);
  controller.tell();
}

function enabledRow(controller: SettingsController, id: string): SettingsRow {
  const look = () => {
    const view = controller.snapshot(id);
    return { isOn: view?.enabled === true && !view.autoDisabled, isThere: view !== undefined };
  };
  return liveRow(controller, 'Enabled', look, (setting, { isOn, isThere }) => {
    setting.setDesc('Its blocks can be run, and models may use its tools.').addToggle((toggle) =>
      toggle
        .setTooltip('Enabled')
        .setValue(isOn)
        .setDisabled(!isThere)
        .onChange((wanted) => {
          void controller.vault.host.servers
            .setEnabled(id, wanted)
            .catch(showFailure)
            .finally(() => controller.tell());
        }),
    );
  });
}

function testRow(controller: SettingsController, id: string): SettingsRow {
  const look = () => ({
    lines: testLines(controller.test(id)),
    isRunning: controller.test(id)?.isRunning === true,
    mayTest: controller.snapshot(id)?.trust === 'trusted',
  });
  return liveRow(controller, 'Test connection', look, (setting, { lines, isRunning, mayTest }) => {
    const about = 'Connects once, reads its tools, and leaves. Nothing is called.';
    setLines(setting, lines.length === 0 ? [about] : lines);
    setting.addButton((button) =>
      button
        .setButtonText(isRunning ? 'Testing …' : 'Test connection')
        .setDisabled(isRunning || !mayTest)
        .onClick(() => {
          const server = controller.server(id);
          if (server !== undefined) void controller.vault.tests.begin(server).catch(showFailure);
        }),
    );
  });
}

function launchRow(app: App, controller: SettingsController, id: string): SettingsRow {
  const look = () => {
    const server = controller.server(id);
    return server === undefined ? [] : controller.vault.trust.show(server).does;
  };
  return liveRow(controller, 'What it does', look, (setting, lines) => {
    setLines(setting, lines, 'errand-launch');
    setting.addButton((button) =>
      button.setButtonText('Edit').onClick(() => {
        const server = controller.server(id);
        if (server !== undefined) openServerForm(app, controller, server);
      }),
    );
  });
}

function approvalRow(controller: SettingsController, id: string): SettingsRow {
  const look = () => controller.server(id)?.approval ?? 'ask';
  return liveRow(controller, 'When a model wants to use it', look, (setting, approval) => {
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
            void controller.change(id, change).catch(showFailure);
          });
      });
  });
}

function bindingsGroup(
  app: App,
  controller: SettingsController,
  server: ServerConfig,
): SettingsGroup {
  const { id, sectionBindings } = server;
  return {
    heading: 'Sections bound to it',
    list: {
      empty: 'No section is bound here. Notes can bind sections themselves, in their frontmatter.',
      add: 'Bind a section',
      onAdd: () => openBindingForm(app, controller, controller.server(id) ?? server),
    },
    rows: sectionBindings.map((binding) => {
      const words = describeBinding(binding);
      const remove = () =>
        controller.change(id, (now) => ({
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
              .onClick(() => void remove().catch(showFailure)),
          );
          return undefined;
        },
      };
    }),
  };
}

function removeRow(
  app: App,
  controller: SettingsController,
  { id, name }: ServerConfig,
): SettingsRow {
  const remove = async () => {
    const isConfirmed = await confirm(app, {
      title: `Remove server "${name}"?`,
      text: 'Its entry is removed from the settings. Notes keep their blocks and results, but blocks that name it no longer run. Its secrets stay in Obsidian.',
      yes: 'Remove',
      no: 'Keep it',
      isHarmful: true,
    });
    if (isConfirmed) await controller.remove(id);
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
            .onClick(() => void remove().catch(showFailure)),
        );
      return undefined;
    },
  };
}
