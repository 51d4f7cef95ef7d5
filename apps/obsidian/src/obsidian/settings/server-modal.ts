import { newServer, type ServerConfig, sameEntry } from '@errand/host';
import { draftOf, emptyDraft, readServerDraft, type ServerDraft } from '@errand/workspace/servers';
import type { App } from 'obsidian';
import type { SettingsController } from '../../settings/settings-controller.ts';
import { FormModal } from './form-modal.ts';
import { drawServerFields } from './server-fields.ts';
import { showStored } from './stored-server.ts';

type Form = FormModal<ServerDraft>;

/** Adds a server, or changes the one that is given; it is enabled by a good test when that was wanted or it is new. */
export function openServerForm(
  app: App,
  controller: SettingsController,
  kind: ServerDraft['kind'] | ServerConfig,
  { enables = false }: { readonly enables?: boolean } = {},
): void {
  const isNew = typeof kind === 'string';
  const id = isNew ? crypto.randomUUID() : kind.id;
  let basis = isNew ? undefined : kind;
  const read = (draft: ServerDraft, before = controller.server(id) ?? basis) =>
    readServerDraft(draft, { id, before, servers: controller.settings.mcpServers });
  const form = new FormModal<ServerDraft>(app, {
    title: isNew ? 'Add a server' : `Edit server "${kind.name}"`,
    draft: isNew ? { ...emptyDraft, kind } : draftOf(kind),
    save: isNew ? 'Add and test' : 'Save and test',
    draw: (drawn, el) => drawServerFields(drawn, el, controller),
    check: (draft) => read(draft).problems,
    async store(draft) {
      const { entry } = read(draft);
      if (entry === undefined) return;
      const changed = (now: ServerConfig) => read(draft, now).entry ?? entry;
      const isAdded = isNew || !(await controller.change(id, changed));
      if (isAdded) await controller.add([newServer(entry, id)]);
      form.close();
      const shallEnable = enables || isAdded;
      const onEdit = (now: ServerConfig) =>
        openServerForm(app, controller, now, { enables: shallEnable });
      showStored(app, controller, id, { enables: shallEnable, onEdit });
    },
  });
  if (basis !== undefined) {
    form.register(
      controller.onChange(() => {
        basis = tellConflict(form, controller.server(id), basis as ServerConfig);
      }),
    );
  }
  form.open();
}

/** Says that the entry was changed elsewhere; what was typed stays. Returns what the form is based on. */
function tellConflict(
  form: Form,
  now: ServerConfig | undefined,
  basis: ServerConfig,
): ServerConfig {
  if (now === undefined) {
    form.note('This server was removed in the meantime. Saving adds it again.');
    return basis;
  }
  if (sameEntry({ ...now, enabled: true }, { ...basis, enabled: true })) return basis;
  form.note('This server was changed in the meantime. Saving replaces what was written there.', {
    label: 'Load the stored version',
    onClick: () => {
      form.draft = draftOf(now);
      form.note('');
      form.drawFields();
    },
  });
  return now;
}
