export { joinCommand } from './command-line.ts';
export { proposeName } from './propose-name.ts';
export {
  draftOfForm,
  emptyDraft,
  formOfDraft,
  type Pair,
  type ServerDraft,
} from './server-draft.ts';
export { entryFrom, formOf, type LaunchForm, type ServerForm } from './server-form.ts';
export { type FieldMistake, serverMistake } from './server-mistake.ts';
