import { Icon } from '@errand/parts/controls';
import type { Note, Section } from '../../../contract.ts';
import { hrefTo } from '../../model/route.ts';
import { useWorkbench } from '../../model/use-workbench.ts';
import type { OpenNote } from '../model/open-note.ts';
import { useElementCache } from '../model/use-element-cache.ts';
import './section-rail.css';

export interface SectionRailProps {
  readonly opened: OpenNote;
  readonly note: Note;
}

/** The server of each section, its reason, and a control to change it. */
export function SectionRail({ opened, note }: SectionRailProps) {
  const { sections, problems } = note;
  const keep = useElementCache(opened);
  return (
    <>
      <ul class="sections">
        {sections.map((each, index) => {
          // A mistake is told once, below.
          const isTold = problems.some(({ message }) => message === each.why);
          const section = isTold ? { ...each, why: null } : each;
          // A stable key keeps the focus when the binding changes.
          const name = `${index} ${section.title}`;
          return keep(`${name} ${JSON.stringify(section, withoutLines)}`, () => (
            <li key={name}>
              <SectionEntry opened={opened} section={section} index={index} />
            </li>
          ));
        })}
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

/** Ignores line numbers, which move whenever a result is written; entries look them up. */
function withoutLines(name: string, value: unknown): unknown {
  return typeof value === 'number' && /line$/i.test(name) ? 0 : value;
}

interface SectionEntryProps {
  readonly opened: OpenNote;
  readonly section: Section;
  /** Among the note's sections. */
  readonly index: number;
}

function SectionEntry({ opened, section, index }: SectionEntryProps) {
  const { kind, title, explanation, isRefused, isServerDisabled, server, why } = section;
  const name = kind === 'note' ? 'Whole note' : title;
  return (
    <div class="section-entry" title={explanation}>
      {kind === 'heading' ? (
        <a
          class="section-title"
          href={hrefTo('notes', opened.path, { heading: title.replace(/^#+ /, '') })}
        >
          {name}
        </a>
      ) : (
        <span class="section-title">{name}</span>
      )}
      {section.bindLine === null ? (
        <span class="small soft">{server ?? (isRefused ? 'refuses all calls' : 'any server')}</span>
      ) : (
        <ServerChoice opened={opened} section={section} name={name} index={index} />
      )}
      {why !== null && (
        <span
          class={
            isRefused || isServerDisabled
              ? 'section-why small is-refused'
              : 'section-why small soft'
          }
        >
          {isServerDisabled ? `disabled, ${why}` : why}
        </span>
      )}
    </div>
  );
}

interface ServerChoiceProps extends SectionEntryProps {
  readonly name: string;
}

function ServerChoice({ opened, section, name, index }: ServerChoiceProps) {
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
        // Show the stored binding until the API has confirmed the new one.
        currentTarget.value = isOwn ? server : '';
        const line = opened.note.value?.sections[index]?.bindLine;
        if (line != null) void opened.bind(line, chosen);
      }}
    >
      <option value="">
        {isRefused ? 'None: see below' : isOwn ? 'Not bound here' : inherited}
      </option>
      {own.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  );
}
