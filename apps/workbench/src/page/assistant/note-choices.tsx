import { CheckField } from '@errand/parts/controls';
import type { Section } from '../../contract.ts';
import { goTo } from '../model/route.ts';
import type { OpenNote } from '../notes/model/open-note.ts';
import { nameOf } from './chosen-section.ts';
import type { OpenConversation } from './model/open-conversation.ts';

export interface NoteChoicesProps {
  readonly opened: OpenConversation;
  readonly note: OpenNote;
  readonly section: Section | undefined;
}

/** Whether the conversation is written into the note, and which section's tools it has. */
export function NoteChoices({ opened, note, section }: NoteChoicesProps) {
  const { isKept } = opened.place;
  const headings = (note.note.value?.sections ?? []).filter(({ kind }) => kind === 'heading');
  const go = (kept: boolean, name: string) =>
    goTo('assistant', note.path, {
      ...(name !== '' && { section: name }),
      ...(!kept && { free: 1 }),
    });
  const name = section === undefined ? '' : nameOf(section);
  return (
    <>
      {headings.length > 0 && (
        <select
          class="control small"
          aria-label="Section"
          title="Uses its tools and continues its conversation"
          value={name}
          onChange={(event) => go(isKept, event.currentTarget.value)}
        >
          <option value="">Whole note</option>
          {headings.map((heading) => (
            <option key={heading.line} value={nameOf(heading)}>
              {heading.title}
            </option>
          ))}
        </select>
      )}
      <CheckField
        label="Keep in the note"
        isChecked={isKept}
        onChange={(isChecked) => go(isChecked, name)}
      />
    </>
  );
}
