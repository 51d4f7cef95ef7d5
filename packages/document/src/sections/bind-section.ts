import { applyEdits, type TextEdit } from '../edits.ts';
import type { NoteContext } from '../note-context.ts';
import { countLineEnds } from '../scan/lines.ts';
import type { NoteScan } from '../scan/note-scan.ts';
import { scan as scanText } from '../scan/scan.ts';
import type { Binding, BindingTarget } from './binding.ts';
import { bindingEdits, type NotePart, type WantedBinding } from './binding-edits.ts';
import { frontmatterBindings } from './frontmatter-bindings.ts';
import { parseFrontmatter } from './frontmatter-yaml.ts';
import { matchHeading } from './match-heading.ts';
import { headingTitle, type OutlineSection, outlineOf, sectionAt, sectionPath } from './outline.ts';
import { unknownServer } from './unknown-server.ts';

/** The edits that write a binding to the frontmatter, or why there are none. */
type BindingEdit =
  | { readonly kind: 'edits'; readonly edits: readonly TextEdit[] }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly message: string };

/** The part of a note to bind: the section that contains a line, or a block by its id. */
export type SectionReference =
  | { readonly kind: 'section'; readonly line: number }
  | { readonly kind: 'block'; readonly id: string };

/**
 * Binds a part of a note to a server, in the frontmatter, or removes its binding. The section of a line
 * above the first heading is the whole note. Everything else stays byte for byte, except that line ranges
 * follow the text when the frontmatter grows or shrinks.
 */
export function bindSection(
  scan: NoteScan,
  context: NoteContext,
  section: SectionReference,
  wanted: WantedBinding | null,
): BindingEdit {
  if (wanted !== null && !context.servers.some(({ name }) => name === wanted.server)) {
    return refused(unknownServer(wanted.server, context));
  }
  const { bindings, fault } = frontmatterBindings(scan, context);
  const yaml = fault === null ? parseFrontmatter(scan) : null;
  const mistake = fault ?? yaml?.error?.message;
  if (mistake) return refused(`Fix the frontmatter first. ${mistake}`);

  const part =
    section.kind === 'block' ? blockPart(scan, section.id) : partAt(outlineOf(scan), section.line);
  if (typeof part === 'string') return refused(part);
  const own = bindings.filter(({ target }) => isTarget(part, target));
  const [mine] = own;
  if (own.length > 1) return refused('The section has two bindings. Remove one of them by hand.');
  const inherit = part.kind !== 'heading' || (wanted?.inherit ?? mine?.inherit ?? true);
  const isSo =
    mine === undefined
      ? wanted === null
      : !mine.fault && mine.server === wanted?.server && mine.inherit === inherit;
  if (isSo) return { kind: 'unchanged' };

  const edits = bindingEdits(scan, yaml, part, wanted);
  const added = edits.reduce((lines, edit) => lines + addedLines(scan.text, edit), 0);
  const others = bindings.filter((binding) => binding !== mine);
  const target = mine?.target ?? targetOf(part);
  const expected =
    wanted === null ? others : [...others, { target, server: wanted.server, inherit }];
  const now = frontmatterBindings(scanText(applyEdits(scan.text, edits)), context);
  // YAML has more ways to write this than the edits cover; then a person must change it.
  if (now.fault !== null || listing(now.bindings, 0) !== listing(expected, added)) {
    return refused('The frontmatter is written in an unusual way. Change "mcp" in it by hand.');
  }
  return { kind: 'edits', edits };
}

function refused(message: string): BindingEdit {
  return { kind: 'refused', message };
}

/** The section at a line under a name that means only it, or why there is no such name. */
function partAt(outline: readonly OutlineSection[], line: number): NotePart | string {
  const section = sectionAt(outline, line);
  if (section === null) return { kind: 'note', name: '', isNamed: () => true };
  const isNamed = (text: string) => matchHeading(outline, text).includes(section);
  const titles = sectionPath(section).map(headingTitle);
  const name = titles
    .map((_, index) => titles.slice(titles.length - 1 - index).join(' > '))
    .find((text) => isNamed(text) && matchHeading(outline, text).length === 1);
  if (name === undefined) return 'Another heading has the same name. Rename one of the two.';
  return { kind: 'heading', name, isNamed };
}

function blockPart({ blockIds }: NoteScan, id: string): NotePart | string {
  const count = blockIds.filter((each) => each.id === id && each.within === null).length;
  if (count === 0) return `The note has no block ^${id}.`;
  if (count > 1) return `The note has the block id ^${id} twice. Rename one of the two.`;
  return { kind: 'block', name: id, isNamed: (name) => name.replace(/^\^/, '') === id };
}

function isTarget({ kind, isNamed }: NotePart, target: BindingTarget): boolean {
  if (target.kind !== kind) return false;
  if (target.kind === 'heading') return isNamed(target.text);
  return target.kind === 'block' ? isNamed(target.id) : true;
}

function targetOf({ kind, name }: NotePart): BindingTarget {
  if (kind === 'note') return { kind };
  return kind === 'block' ? { kind, id: name } : { kind, text: name };
}

function addedLines(text: string, { range: [from, to], text: inserted }: TextEdit): number {
  return countLineEnds(inserted, 0, inserted.length) - countLineEnds(text, from, to);
}

/** Bindings as comparable text, independent of their order, with their line ranges shifted. */
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
