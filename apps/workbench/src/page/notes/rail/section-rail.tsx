import type { Note, Section } from '../../../contract.ts';
import { hrefTo } from '../../model/route.ts';
import { useWorkbench } from '../../model/use-workbench.ts';
import '../../parts/field.css';
import { Icon } from '../../parts/icon.tsx';
import type { OpenNote } from '../model/open-note.ts';
import './section-rail.css';

export interface SectionRailProps {
  readonly opened: OpenNote;
  readonly note: Note;
}

/** Which server each part of the note may ask, why, and how to change it. */
export function SectionRail({ opened, note }: SectionRailProps) {
  const { path, sections, problems } = note;
  return (
    <>
      <ul class="sections">
        {sections.map((section) => (
          <li key={`${section.kind} ${section.line} ${section.title}`}>
            <SectionEntry opened={opened} path={path} section={section} />
          </li>
        ))}
      </ul>
      {problems.map(({ message }) => (
        <p key={message} class="section-problem small">
          <Icon name="warning" />
          <span>{message}</span>
        </p>
      ))}
    </>
  );
}

interface SectionEntryProps {
  readonly opened: OpenNote;
  readonly path: string;
  readonly section: Section;
}

function SectionEntry({ opened, path, section }: SectionEntryProps) {
  const { kind, title, line, explanation, isRefused, server } = section;
  const name = kind === 'note' ? 'Whole note' : title;
  return (
    <div class="section-entry" title={explanation}>
      {kind === 'heading' ? (
        <a class="section-title" href={hrefTo('notes', path, { line })}>
          {name}
        </a>
      ) : (
        <span class="section-title">{name}</span>
      )}
      {section.bindLine === null ? (
        <span class="small soft">
          {server ?? (isRefused ? 'refuses every call' : 'any server')}
        </span>
      ) : (
        <ServerChoice opened={opened} section={section} name={name} line={section.bindLine} />
      )}
      <span class={isRefused ? 'section-why small is-refused' : 'section-why small soft'}>
        {whyOf(section)}
      </span>
    </div>
  );
}

interface ServerChoiceProps {
  readonly opened: OpenNote;
  readonly section: Section;
  readonly name: string;
  readonly line: number;
}

function ServerChoice({ opened, section, name, line }: ServerChoiceProps) {
  const names = useWorkbench().servers.value.map((server) => server.name);
  const { server, inheritedFrom, origin, isRefused } = section;
  const isOwn = server !== null && inheritedFrom === null && origin === 'frontmatter';
  const inherited = server === null || isOwn ? 'Any server' : `${server} (as above)`;
  const own = isOwn && !names.includes(server) ? [...names, server] : names;
  return (
    <select
      class="control"
      aria-label={`Server of ${name}`}
      value={isOwn ? server : ''}
      onChange={({ currentTarget }) => {
        const chosen = currentTarget.value || null;
        // What is shown is what the note says; the answer brings the new choice.
        currentTarget.value = isOwn ? server : '';
        void opened.bind(line, chosen);
      }}
    >
      <option value="">
        {isRefused ? 'None: see below' : isOwn ? 'As above, or any' : inherited}
      </option>
      {own.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  );
}

/** The reason in `## Weather -> weather (frontmatter line 4)`. */
function whyOf({ explanation }: Section): string {
  return /\((.*)\)$/s.exec(explanation)?.[1] ?? explanation;
}
