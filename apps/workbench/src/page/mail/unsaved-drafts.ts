import { type Signal, signal } from '@preact/signals';

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

type ById<Value> = Readonly<Record<string, Value>>;

/** Unsaved edits by the id of the draft, kept while other mails and places are shown. */
const edits = signal<ById<UnsavedDraft>>({});

/** Answers to what the model asked, by the id of the mail, until the model is told. */
const answers = signal<ById<string>>({});

export function unsavedDraft(id: string): UnsavedDraft | undefined {
  return edits.value[id];
}

/** Undefined forgets it. */
export function keepUnsaved(id: string, edit: UnsavedDraft | undefined): void {
  keep(edits, id, edit);
}

/** Empty when there is none. */
export function unsavedAnswer(id: string): string {
  return answers.value[id] ?? '';
}

/** An empty one is forgotten. */
export function keepAnswer(id: string, answer: string): void {
  keep(answers, id, answer === '' ? undefined : answer);
}

function keep<Value>(kept: Signal<ById<Value>>, id: string, value: Value | undefined): void {
  const { [id]: _, ...others } = kept.value;
  kept.value = value === undefined ? others : { ...others, [id]: value };
  const isEmpty = [edits, answers].every((each) => Object.keys(each.value).length === 0);
  if (isEmpty) removeEventListener('beforeunload', askToStay);
  else addEventListener('beforeunload', askToStay);
}

/** Makes the browser ask before the page is closed or loaded again. */
function askToStay(event: Event): void {
  event.preventDefault();
}
