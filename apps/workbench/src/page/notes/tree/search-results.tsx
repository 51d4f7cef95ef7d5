import { Icon } from '@errand/parts/controls';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Failure } from '../../../contract.ts';
import { type AnswerOf, api, failureOf } from '../../model/api.ts';
import { hrefTo } from '../../model/route.ts';
import './search-results.css';
import { matchesQuery, parentOf, titleOf } from './tree-rows.ts';

/** Maximum number of names listed. */
const mostNames = 50;
const typingMs = 200;

export interface SearchResultsProps {
  readonly query: string;
  readonly notes: readonly string[];
  readonly shown: string;
}

/** Notes that match by name at once, and by text when the API has answered. */
export function SearchResults({ query, notes, shown }: SearchResultsProps) {
  const named = useMemo(() => notes.filter((path) => matchesQuery(path, query)), [notes, query]);
  const { answer, failure } = useTextSearch(query);
  const texts = answer?.hits.filter(({ line }) => line !== null) ?? [];
  const isNothing = named.length === 0 && answer !== undefined && texts.length === 0;
  return (
    <div class="search-results">
      <ul aria-label="Notes by name">
        {named.slice(0, mostNames).map((path) => (
          <Hit key={path} path={path} isShown={path === shown} />
        ))}
      </ul>
      {named.length > mostNames && (
        <p class="notes-hint soft small">{`${named.length - mostNames} more. Type more to find them.`}</p>
      )}
      <ul aria-label="Notes by text">
        {texts.map(({ path, line, excerpt }) => (
          <Hit key={path} path={path} line={line} excerpt={excerpt} isShown={path === shown} />
        ))}
      </ul>
      <p class="notes-hint soft small" role="status">
        {failure
          ? failure.message
          : answer === undefined
            ? 'Searching text …'
            : isNothing
              ? 'No note matches.'
              : answer.isCut
                ? 'There are more. Type more to find them.'
                : ''}
      </p>
    </div>
  );
}

interface HitProps {
  readonly path: string;
  readonly line?: number | null;
  readonly excerpt?: string | null;
  readonly isShown: boolean;
}

function Hit({ path, line, excerpt, isShown }: HitProps) {
  const folder = parentOf(path);
  return (
    <li>
      <a
        href={hrefTo('notes', path, line == null ? {} : { line })}
        title={path}
        aria-current={isShown ? 'page' : undefined}
        onKeyDown={moveFocus}
      >
        <span class="hit-name">
          <Icon name="file" />
          <span class="tree-name">{titleOf(path)}</span>
          {line != null && <span class="soft small">{`line ${line}`}</span>}
        </span>
        {folder !== '' && <span class="hit-folder soft small">{folder}</span>}
        {excerpt && <span class="hit-excerpt soft small">{excerpt}</span>}
      </a>
    </li>
  );
}

interface SearchState {
  readonly answer?: AnswerOf<typeof api.notes.search.$get>;
  readonly failure?: Failure;
}

function useTextSearch(query: string) {
  const [found, setFound] = useState<SearchState>({});
  useEffect(() => {
    const leaving = new AbortController();
    setFound({});
    const timer = setTimeout(() => {
      api.notes.search
        .$get({ query: { query } }, leaving.signal)
        .then((answer) => setFound({ answer }))
        .catch((error) => {
          if (!leaving.signal.aborted) setFound({ failure: failureOf(error) });
        });
    }, typingMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [query]);
  return found;
}

/** Arrow keys move between hits, and from the first back to the search field. */
function moveFocus(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const link = event.currentTarget as HTMLElement;
  if (step === undefined) return;
  event.preventDefault();
  const pane = link.closest('.notes-pane');
  const links = [...(pane?.querySelectorAll<HTMLElement>('.search-results a') ?? [])];
  const next = links.indexOf(link) + step;
  const words = pane?.querySelector<HTMLElement>('input');
  (next < 0 ? words : links[next])?.focus();
}
