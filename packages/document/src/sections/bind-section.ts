import { applyEdits, type TextEdit } from '../edits.ts';
import type { NoteContext } from '../note-context.ts';
import { countLineEnds } from '../scan/lines.ts';
import type { NoteScan } from '../scan/note-scan.ts';
import { scan as scanText } from '../scan/scan.ts';
import type { Binding } from './binding.ts';
import { type BindingPlace, bindingEdits } from './binding-edits.ts';
import { frontmatterBindings } from './frontmatter-bindings.ts';
import { parseFrontmatter } from './frontmatter-yaml.ts';
import { matchHeading } from './match-heading.ts';
import { headingTitle, type OutlineSection, outlineOf, sectionAt, sectionPath } from './outline.ts';
import { unknownServer } from './unknown-server.ts';

/** How a binding gets into the frontmatter, or why it does not. */
export type BindingEdit =
  | { readonly kind: 'edits'; readonly edits: readonly TextEdit[] }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * Binds the section that a line stands in to a server, in the frontmatter, or removes its binding. Above
 * the first heading that is the whole note. Everything else stays byte for byte, except that line ranges
 * follow the text when the frontmatter grows or shrinks.
 */
export function bindSection(
  scan: NoteScan,
  context: NoteContext,
  line: number,
  server: string | null,
): BindingEdit {
  if (server !== null && !context.servers.some(({ name }) => name === server)) {
    return refused(unknownServer(server, context));
  }
  const { bindings, fault } = frontmatterBindings(scan, context);
  const yaml = fault === null ? parseFrontmatter(scan) : null;
  const mistake = fault ?? yaml?.document.errors[0]?.message;
  if (mistake) return refused(`The frontmatter must be mended first. ${mistake}`);

  const place = placeAt(outlineOf(scan), line);
  if (place === null) return refused('Another heading has the same name. Rename one of the two.');
  const own = bindings.filter(({ target }) =>
    target.kind === 'heading' ? place.isHeading(target.text) : target.kind === place.kind,
  );
  const [mine] = own;
  if (own.length > 1) return refused('The section has two bindings. Remove one of them by hand.');
  const isSo = mine === undefined ? server === null : !mine.fault && mine.server === server;
  if (isSo) return { kind: 'unchanged' };

  const edits = bindingEdits(scan, yaml, place, server);
  const added = edits.reduce((lines, edit) => lines + addedLines(scan.text, edit), 0);
  const others = bindings.filter((binding) => binding !== mine);
  const wanted = server === null ? others : [...others, { ...bindingOf(place), ...mine, server }];
  const now = frontmatterBindings(scanText(applyEdits(scan.text, edits)), context);
  // YAML can be written in ways that are not foreseen here; then a person must change it.
  if (now.fault !== null || listing(now.bindings, 0) !== listing(wanted, added)) {
    return refused('The frontmatter is written in an unusual way. Change "mcp" in it by hand.');
  }
  return { kind: 'edits', edits };
}

function refused(message: string): BindingEdit {
  return { kind: 'refused', message };
}

/** The section at a line as a binding names it; null when no name means it alone. */
function placeAt(outline: readonly OutlineSection[], line: number): BindingPlace | null {
  const section = sectionAt(outline, line);
  if (section === null) return { kind: 'note', name: '', isHeading: () => false };
  const isHeading = (text: string) => matchHeading(outline, text).includes(section);
  const titles = sectionPath(section).map(headingTitle);
  const name = titles
    .map((_, index) => titles.slice(titles.length - 1 - index).join(' > '))
    .find((text) => isHeading(text) && matchHeading(outline, text).length === 1);
  return name === undefined ? null : { kind: 'heading', name, isHeading };
}

function bindingOf({ kind, name }: BindingPlace): Pick<Binding, 'target' | 'inherit'> {
  return { target: kind === 'note' ? { kind } : { kind, text: name }, inherit: true };
}

function addedLines(text: string, { range: [from, to], text: inserted }: TextEdit): number {
  return countLineEnds(inserted, 0, inserted.length) - countLineEnds(text, from, to);
}

/** What bindings say, in no order, with their line ranges moved. */
function listing(
  bindings: readonly Pick<Binding, 'target' | 'server' | 'inherit'>[],
  moved: number,
): string {
  return bindings
    .map(({ target, server, inherit }) => {
      const { kind } = target;
      const range = kind === 'lines' ? [target.first + moved, target.last + moved] : [];
      return JSON.stringify([{ ...target, first: range[0], last: range[1] }, server, inherit]);
    })
    .sort()
    .join('\n');
}
