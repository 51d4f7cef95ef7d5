import { bindSection, type NoteContext, scan } from '@errand/document';
import { type BindingChoice, bindingChoices } from '@errand/workspace/sections';
import { type App, type Editor, type FuzzyMatch, FuzzySuggestModal } from 'obsidian';
import { drawRow } from '../draw-row.ts';
import { notices } from '../notices.ts';
import { changeInEditor, ensureWholeNote } from '../open-notes.ts';
import type { OpenPlugin } from '../open-plugin.ts';

/** Adds the command that binds the section at the cursor, in the note's own properties. */
export function addBindCommand({ plugin, vault }: OpenPlugin): void {
  let shown: BindingModal | undefined;
  plugin.register(() => shown?.close());
  plugin.addCommand({
    id: 'bind-section',
    name: 'Bind section to a server',
    editorCallback(editor, { file }) {
      if (!ensureWholeNote(plugin.app, editor, file)) return;
      const context = () => vault.host.servers.noteContext(file?.path ?? '');
      const choices = bindingChoices(scan(editor.getValue()), context(), lineOf(editor));
      shown = new BindingModal(plugin.app, choices, (choice) => bind(editor, context(), choice));
      shown.open();
    },
  });
}

function lineOf(editor: Editor): number {
  return editor.getCursor().line + 1;
}

function bind(editor: Editor, context: NoteContext, { part, wanted }: BindingChoice): void {
  // The note may have been changed since; the cursor has gone along with its text.
  const now = part.kind === 'section' ? ({ kind: 'section', line: lineOf(editor) } as const) : part;
  const bound = bindSection(scan(editor.getValue()), context, now, wanted);
  if (bound.kind === 'edits') changeInEditor(editor, bound.edits);
  if (bound.kind === 'refused') {
    notices.notify({
      level: 'error',
      message: 'The section was not bound.',
      detail: bound.message,
    });
  }
  if (bound.kind === 'unchanged') {
    notices.notify({
      level: 'info',
      message: 'The note already has this binding. Nothing was changed.',
    });
  }
}

class BindingModal extends FuzzySuggestModal<BindingChoice> {
  readonly #choices: readonly BindingChoice[];
  readonly #onChoose: (choice: BindingChoice) => void;

  constructor(
    app: App,
    choices: readonly BindingChoice[],
    onChoose: (choice: BindingChoice) => void,
  ) {
    super(app);
    this.#choices = choices;
    this.#onChoose = onChoose;
    this.setPlaceholder('Choose the server that this section may call');
    this.emptyStateText = 'No server found. Add one in the settings of Errand.';
  }

  override getItems(): BindingChoice[] {
    return [...this.#choices];
  }

  override getItemText({ label, detail }: BindingChoice): string {
    return `${label} ${detail}`;
  }

  override renderSuggestion({ item }: FuzzyMatch<BindingChoice>, el: HTMLElement): void {
    drawRow(el, item);
  }

  override onChooseItem(choice: BindingChoice): void {
    this.#onChoose(choice);
  }
}
