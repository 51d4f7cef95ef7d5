import type { ServerConfig } from '@errand/host';
import type { App } from 'obsidian';
import { type BindingDraft, checkBinding, emptyBinding } from '../../settings/binding-draft.ts';
import type { SettingsController } from '../../settings/settings-controller.ts';
import { Field } from './field.ts';
import { FormModal } from './form-modal.ts';

type Form = FormModal<BindingDraft>;

/** Binds a part of notes to a server. */
export function openBindingForm(
  app: App,
  controller: SettingsController,
  server: ServerConfig,
): void {
  const form = new FormModal<BindingDraft>(app, {
    title: `Bind a section to "${server.name}"`,
    draft: emptyBinding,
    save: 'Bind it',
    draw: drawFields,
    check: (draft) => checkBinding(draft, server).mistakes,
    async store(draft) {
      const { binding } = checkBinding(draft, server);
      if (binding === undefined) return;
      const isThere = await controller.change(server.id, (now) => ({
        ...now,
        sectionBindings: [...now.sectionBindings, binding],
      }));
      if (!isThere) throw new Error(`Server "${server.name}" was removed from the settings.`);
      form.close();
    },
  });
  form.open();
}

function drawFields(form: Form, el: HTMLElement): void {
  const { sectionType } = form.draft;
  const kinds = { heading: 'A heading', block: 'A block', range: 'Lines' };
  form.addChoice(el, 'sectionType', 'What is bound', kinds);
  if (sectionType === 'heading') {
    const texts = { name: 'Heading', desc: 'As it is written.', placeholder: '## Tools' };
    form.addText(el, 'headingText', texts);
  }
  if (sectionType === 'block') {
    form.addText(el, 'blockId', { name: 'Block id', placeholder: '^id' });
  }
  if (sectionType === 'range') {
    form.addText(el, 'startLine', { name: 'First line', placeholder: '1' });
    form.addText(el, 'endLine', { name: 'Last line', placeholder: '20' });
  }
  const desc = 'A note, or a pattern of notes. Empty: every note.';
  form.addText(el, 'documentPath', { name: 'Notes', desc, placeholder: 'Projects/**' });
  if (sectionType !== 'heading') return;
  const below = 'Also what stands below smaller headings of the section.';
  new Field(el, { name: 'With sections inside', desc: below }).setting.addToggle((toggle) =>
    toggle
      .setTooltip('With sections inside')
      .setValue(form.draft.inheritToChildren)
      .onChange((inheritToChildren) => form.change({ inheritToChildren })),
  );
}
