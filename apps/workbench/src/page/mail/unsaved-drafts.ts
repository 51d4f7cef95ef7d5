import { signal } from '@preact/signals';

/** What a person may change in a draft. */
export interface DraftFields {
  readonly to: string;
  readonly cc: string;
  readonly bcc: string;
  readonly subject: string;
  readonly body: string;
}

/** An edit that is not saved, and the version of the draft that it began with. */
export interface UnsavedDraft {
  readonly fields: DraftFields;
  readonly seen: string;
}

/** Unsaved edits by the id of the draft, kept while other mails and places are shown. */
const unsaved = signal<Readonly<Record<string, UnsavedDraft>>>({});

export function unsavedDraft(id: string): UnsavedDraft | undefined {
  return unsaved.value[id];
}

/** Undefined forgets it. */
export function keepUnsaved(id: string, edit: UnsavedDraft | undefined): void {
  const { [id]: _, ...others } = unsaved.value;
  unsaved.value = edit === undefined ? others : { ...others, [id]: edit };
}
