import {
  mayHoldBindings,
  type NoteContext,
  type NoteScan,
  resolveSections,
  shownAt,
} from '@errand/document';
import { describeBinding } from './describe-binding.ts';

/** Which server a part of a note may call, and why; shown at a line of the note. */
export interface SectionBadge {
  readonly line: number;
  readonly text: string;
  /** Its calls are refused, or there is a mistake in a binding. */
  readonly isBroken: boolean;
}

/** The badges of a note in the order of its lines; parts that no binding reaches have none. */
export function sectionBadges(scan: NoteScan, context: NoteContext): readonly SectionBadge[] {
  const { sections, problems } = resolveSections(scan, context);
  const headings = new Set(
    sections.filter(({ kind }) => kind === 'heading').map(({ line }) => line),
  );
  const badges = sections.flatMap((section): SectionBadge[] => {
    const { kind } = section;
    const binding = describeBinding(section, context);
    if (binding === undefined) return [];
    const line = shownAt(scan, section);
    // The badge of the heading that the note begins with already says it.
    if (kind === 'note' && headings.has(line)) return [];
    const { server, why, state } = binding;
    const said = state === 'disabled' ? `${server} is disabled` : (server ?? 'No server');
    const part = kind === 'block' || kind === 'lines' ? `${capitalized(section.title)}: ` : '';
    return [{ line, text: `${part}${said} · ${why}`, isBroken: state !== 'usable' }];
  });
  // A mistake that affects no section is shown at the start of the note.
  const [whole] = sections;
  const line = whole === undefined ? 1 : shownAt(scan, whole);
  const unseen = problems.filter(
    ({ message }) => !badges.some(({ text }) => text.includes(message)),
  );
  const remarks = unseen.map(({ message }) => ({ line, text: message, isBroken: true }));
  return [...remarks, ...badges].sort((one, other) => one.line - other.line);
}

/** A cheap filter: false when no binding can reach a note, so that it need not be scanned for badges. */
export function mayBeBound(text: string, { servers, brokenBindings }: NoteContext): boolean {
  return (
    brokenBindings.length > 0 ||
    servers.some(({ sectionBindings }) => sectionBindings.length > 0) ||
    // The line that opens the properties may have been mistyped, or not be the first one.
    (/^\s*\S?-|^(?:-{3}|\.{3})/m.test(text.slice(0, mostProperties)) &&
      mayHoldBindings(text.slice(0, mostProperties)))
  );
}

/** How many characters of a note are searched for properties; longer properties hold no bindings. */
export const mostProperties = 65_536;

function capitalized(text: string): string {
  return text.replace(/^./, (first) => first.toUpperCase());
}
