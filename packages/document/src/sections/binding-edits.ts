import { isMap, isNode, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import type { TextEdit } from '../edits.ts';
import { afterLineEnd, countLineEnds } from '../scan/lines.ts';
import type { Frontmatter, NoteScan } from '../scan/note-scan.ts';
import { FrontmatterEdits } from './frontmatter-edits.ts';
import { type FrontmatterYaml, textOf } from './frontmatter-yaml.ts';

/** The part of a note that is bound: the whole, or the section of a heading. */
export interface BindingPlace {
  readonly kind: 'note' | 'heading';
  /** How a binding names the heading. */
  readonly name: string;
  /** Whether a binding of that heading means this one. */
  isHeading(text: string): boolean;
}

/** The edits of the frontmatter that bind a place to a server, or to none. */
export function bindingEdits(
  { text, lineEnd, frontmatter }: NoteScan,
  yaml: FrontmatterYaml | null,
  place: BindingPlace,
  server: string | null,
): readonly TextEdit[] {
  if (frontmatter === null || yaml === null) {
    if (server === null) return [];
    const start = text.startsWith('\uFEFF') ? 1 : 0;
    const lines = ['---', ...mcpLines(place, server), '---', ''];
    return [{ range: [start, start], text: lines.join(lineEnd) }];
  }
  const editor = new FrontmatterEdits(text, frontmatter.bodyFrom, frontmatter.bodyTo, lineEnd);
  const edit =
    server === null
      ? removal(text, frontmatter, yaml, place, editor)
      : setting(yaml, place, server, editor);
  if (edit === null) return [];
  const [from, to] = edit.range;
  const added = countLineEnds(edit.text, 0, edit.text.length) - countLineEnds(text, from, to);
  return [edit, ...(added === 0 ? [] : movedRanges(yaml, editor, added))];
}

function setting(
  { mcp }: FrontmatterYaml,
  place: BindingPlace,
  server: string,
  editor: FrontmatterEdits,
): TextEdit | null {
  const own = ownMap(mcp, place);
  const value = own?.get('server', true);
  if (isScalar(value)) return editor.replaceScalar(value, server);
  if (own !== undefined) return editor.appendPair(own, [`server: ${server}`], `server: ${server}`);
  if (mcp === undefined) return editor.append(mcpLines(place, server));
  if (!isMap(mcp))
    return isNode(mcp) ? editor.appendBelow(mcp, mcpLines(place, server).slice(1)) : null;
  const entry = [`heading: ${JSON.stringify(place.name)}`, `server: ${server}`];
  const flow = `{ ${entry.join(', ')} }`;
  const sections = mcp.get('sections', true);
  if (isSeq(sections)) return editor.appendItem(sections, entry, flow);
  return editor.appendPair(mcp, sectionLines(place, server), `sections: [${flow}]`);
}

function mcpLines(place: BindingPlace, server: string): readonly string[] {
  const lines = place.kind === 'note' ? [`server: ${server}`] : sectionLines(place, server);
  return ['mcp:', ...lines.map((line) => `  ${line}`)];
}

function sectionLines({ name }: BindingPlace, server: string): readonly string[] {
  return ['sections:', `  - heading: ${JSON.stringify(name)}`, `    server: ${server}`];
}

/** Removes the binding, and what held nothing else: the list, the key, the frontmatter. */
function removal(
  text: string,
  { from, to }: Frontmatter,
  { document, mcp }: FrontmatterYaml,
  place: BindingPlace,
  editor: FrontmatterEdits,
): TextEdit | null {
  const root = document.contents;
  const own = ownMap(mcp, place);
  if (!isMap(root) || !isMap(mcp) || own === undefined) return null;
  const sections = mcp.get('sections', true);
  const steps: TextEdit[] = [];
  if (place.kind === 'note') steps.push(removePair(mcp, 'server', editor));
  else if (isSeq(sections)) {
    steps.push(editor.removeItem(sections, own));
    if (sections.items.length === 1) steps.push(removePair(mcp, 'sections', editor));
    else return steps[0] ?? null;
  }
  if (mcp.items.length === 1) {
    steps.push(removePair(root, 'mcp', editor));
    const whole = [from, Math.min(afterLineEnd(text, to), text.length)] as const;
    if (root.items.length === 1) steps.push({ range: whole, text: '' });
  }
  // A comment that would go along with an outer part is somebody's words: keep that part.
  return steps.reduce((inner, outer) => {
    const between =
      text.slice(outer.range[0], inner.range[0]) + text.slice(inner.range[1], outer.range[1]);
    return between.includes('#') ? inner : outer;
  });
}

function removePair(map: YAMLMap, name: string, editor: FrontmatterEdits): TextEdit {
  const pair = map.items.find(({ key }) => textOf(key) === name);
  return editor.removePair(map, pair?.key as Node, isNode(pair?.value) ? pair.value : null);
}

/** The mapping that says which server the place is bound to. */
function ownMap(mcp: unknown, place: BindingPlace): YAMLMap | undefined {
  if (!isMap(mcp)) return undefined;
  if (place.kind === 'note') return mcp;
  const sections = mcp.get('sections', true);
  const items: readonly unknown[] = isSeq(sections) ? sections.items : [];
  return items.find(
    (item): item is YAMLMap => isMap(item) && place.isHeading(textOf(item.get('heading', true))),
  );
}

/** Line ranges follow their text when the lines above them become more or fewer. */
function movedRanges(
  { mcp }: FrontmatterYaml,
  editor: FrontmatterEdits,
  added: number,
): readonly TextEdit[] {
  const sections = isMap(mcp) ? mcp.get('sections', true) : undefined;
  const items: readonly unknown[] = isSeq(sections) ? sections.items : [];
  return items.flatMap((item) => {
    const lines = isMap(item) ? item.get('lines', true) : undefined;
    return (isSeq(lines) ? lines.items : [])
      .filter((line) => isScalar(line) && typeof line.value === 'number')
      .map((line) => editor.replaceScalar(line as Node, String(Number(textOf(line)) + added)));
  });
}
