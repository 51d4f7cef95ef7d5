import {
  type Decision,
  mayHoldBindings,
  type NoteContext,
  type NoteScan,
  resolveSections,
  type Section,
  shownAt,
} from '@errand/document';

/** Which server a part of a note may ask, and why; shown at a line of the note. */
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
    const { kind, decision } = section;
    if (decision.kind === 'unbound') return [];
    const line = shownAt(scan, section);
    // The heading that a note begins with says it already.
    if (kind === 'note' && headings.has(line)) return [];
    const { server, why, isBroken } = describe(section, decision, context);
    const part = kind === 'block' || kind === 'lines' ? `${capitalized(section.title)}: ` : '';
    return [{ line, text: `${part}${server} · ${why}`, isBroken }];
  });
  // A mistake that forbids nothing is seen at the start of the note.
  const [whole] = sections;
  const line = whole === undefined ? 1 : shownAt(scan, whole);
  const unseen = problems.filter(
    ({ message }) => !badges.some(({ text }) => text.includes(message)),
  );
  const remarks = unseen.map(({ message }) => ({ line, text: message, isBroken: true }));
  return [...remarks, ...badges].sort((one, other) => one.line - other.line);
}

/** Whether bindings may reach a note at all; most notes need not be read for their badges. */
export function mayBeBound(text: string, { servers, brokenBindings }: NoteContext): boolean {
  return (
    brokenBindings.length > 0 ||
    servers.some(({ sectionBindings }) => sectionBindings.length > 0) ||
    // The line that opens the properties may have been mistyped, or not be the first one.
    (/^\s*\S?-|^(?:-{3}|\.{3})/m.test(text.slice(0, mostProperties)) &&
      mayHoldBindings(text.slice(0, mostProperties)))
  );
}

/** How much of a note is looked at for that; properties that are longer are not read for bindings. */
export const mostProperties = 65_536;

function describe(
  { kind }: Section,
  decision: Exclude<Decision, { readonly kind: 'unbound' }>,
  { servers }: NoteContext,
): { readonly server: string; readonly why: string; readonly isBroken: boolean } {
  if (decision.kind === 'refused') {
    return { server: 'No server', why: decision.message, isBroken: true };
  }
  const { server, inheritedFrom, binding } = decision;
  const { origin, target } = binding;
  const isEnabled = servers.some(({ name, enabled }) => name === server && enabled);
  const where =
    origin.kind === 'frontmatter'
      ? "this note's properties"
      : origin.documentPath === null
        ? 'settings'
        : `settings for ${origin.documentPath}`;
  const why =
    inheritedFrom !== null
      ? `inherited from ${inheritedFrom}`
      : target.kind === 'note' && kind === 'heading'
        ? `for the whole note, from ${where}`
        : `from ${where}`;
  return isEnabled
    ? { server, why, isBroken: false }
    : { server: `${server} is disabled`, why, isBroken: true };
}

function capitalized(text: string): string {
  return text.replace(/^./, (first) => first.toUpperCase());
}
