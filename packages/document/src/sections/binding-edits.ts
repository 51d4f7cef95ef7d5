import { isMap, isNode, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import type { TextEdit } from '../edits.ts';
import { afterLineEnd, countLineEnds } from '../scan/lines.ts';
import type { Frontmatter, NoteScan } from '../scan/note-scan.ts';
import { FrontmatterEdits } from './frontmatter-edits.ts';
import { type FrontmatterYaml, textOf } from './frontmatter-yaml.ts';

/** The part of a note that is bound: the whole, the section of a heading, or a block with an id. */
export interface NotePart {
  readonly kind: 'note' | 'heading' | 'block';
  /** How a binding names the heading or the block. */
  readonly name: string;
  /** Whether a binding of its kind with that name means this one. */
  isNamed(name: string): boolean;
}

/** What a binding is to say. */
export interface WantedBinding {
  readonly server: string;
  /** Whether the binding of a heading also holds for the headings below it; without it that stays as it is. */
  readonly inherit?: boolean;
}

/** The edits of the frontmatter that bind a part of the note to a server, or unbind it. */
export function bindingEdits(
  { text, lineEnd, frontmatter }: NoteScan,
  yaml: FrontmatterYaml | null,
  part: NotePart,
  wanted: WantedBinding | null,
): readonly TextEdit[] {
  if (frontmatter === null || yaml === null) {
    if (wanted === null) return [];
    const start = text.startsWith('\uFEFF') ? 1 : 0;
    const lines = ['---', ...mcpLines(part, wanted), '---', ''];
    return [{ range: [start, start], text: lines.join(lineEnd) }];
  }
  const editor = new FrontmatterEdits(text, frontmatter.bodyFrom, frontmatter.bodyTo, lineEnd);
  const edits =
    wanted === null
      ? removal(text, frontmatter, yaml, part, editor)
      : setting(yaml, part, wanted, editor);
  const added = edits.reduce((sum, { range: [from, to], text: written }) => {
    return sum + countLineEnds(written, 0, written.length) - countLineEnds(text, from, to);
  }, 0);
  return [...edits, ...(added === 0 ? [] : movedRanges(yaml, editor, added))];
}

function setting(
  { mcp }: FrontmatterYaml,
  part: NotePart,
  wanted: WantedBinding,
  editor: FrontmatterEdits,
): readonly TextEdit[] {
  const own = ownMap(mcp, part);
  if (own !== undefined) return changed(own, part, wanted, editor);
  if (mcp === undefined) return [editor.append(mcpLines(part, wanted))];
  if (!isMap(mcp)) {
    return isNode(mcp) ? [editor.appendBelow(mcp, mcpLines(part, wanted).slice(1))] : [];
  }
  const entry = entryLines(part, wanted);
  const flow = `{ ${entry.join(', ')} }`;
  const sections = mcp.get('sections', true);
  if (isSeq(sections)) return [editor.appendItem(sections, entry, flow)];
  return [editor.appendPair(mcp, sectionLines(part, wanted), `sections: [${flow}]`)];
}

/** Changes an entry that is there; what it lacks is added behind the rest of it. */
function changed(
  own: YAMLMap,
  part: NotePart,
  { server, inherit }: WantedBinding,
  editor: FrontmatterEdits,
): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  const missing: string[] = [];
  const set = (name: string, value: string) => {
    const node = own.get(name, true);
    if (isScalar(node)) edits.push(editor.replaceScalar(node, value));
    else missing.push(`${name}: ${value}`);
  };
  if (textOf(own.get('server', true)) !== server) set('server', server);
  const inherits = textOf(own.get('inherit', true)) !== 'false';
  if (part.kind === 'heading' && inherits !== (inherit ?? inherits)) {
    set('inherit', String(inherit));
  }
  if (missing.length > 0) edits.push(editor.appendPair(own, missing, missing.join(', ')));
  return edits;
}

function mcpLines(part: NotePart, wanted: WantedBinding): readonly string[] {
  const lines = part.kind === 'note' ? [`server: ${wanted.server}`] : sectionLines(part, wanted);
  return ['mcp:', ...lines.map((line) => `  ${line}`)];
}

function sectionLines(part: NotePart, wanted: WantedBinding): readonly string[] {
  const lines = entryLines(part, wanted);
  return ['sections:', ...lines.map((line, index) => `  ${index === 0 ? '-' : ' '} ${line}`)];
}

function entryLines(
  { kind, name }: NotePart,
  { server, inherit }: WantedBinding,
): readonly string[] {
  return [
    kind === 'heading' ? `heading: ${JSON.stringify(name)}` : `block: ${name}`,
    `server: ${server}`,
    ...(kind === 'heading' && inherit === false ? ['inherit: false'] : []),
  ];
}

/** Removes the binding, and what held nothing else: the list, the key, the frontmatter. */
function removal(
  text: string,
  { from, to }: Frontmatter,
  { document, mcp }: FrontmatterYaml,
  part: NotePart,
  editor: FrontmatterEdits,
): readonly TextEdit[] {
  const root = document.contents;
  const own = ownMap(mcp, part);
  if (!isMap(root) || !isMap(mcp) || own === undefined) return [];
  const sections = mcp.get('sections', true);
  const steps: TextEdit[] = [];
  if (part.kind === 'note') steps.push(removePair(mcp, 'server', editor));
  else if (isSeq(sections)) {
    steps.push(editor.removeItem(sections, own));
    if (sections.items.length === 1) steps.push(removePair(mcp, 'sections', editor));
    else return steps;
  }
  if (mcp.items.length === 1) {
    steps.push(removePair(root, 'mcp', editor));
    const whole = [from, Math.min(afterLineEnd(text, to), text.length)] as const;
    if (root.items.length === 1) steps.push({ range: whole, text: '' });
  }
  // A comment that would go along with an outer part is somebody's words: keep that part.
  const largest = steps.reduce((inner, outer) => {
    const between =
      text.slice(outer.range[0], inner.range[0]) + text.slice(inner.range[1], outer.range[1]);
    return between.includes('#') ? inner : outer;
  });
  return [largest];
}

function removePair(map: YAMLMap, name: string, editor: FrontmatterEdits): TextEdit {
  const pair = map.items.find(({ key }) => textOf(key) === name);
  return editor.removePair(map, pair?.key as Node, isNode(pair?.value) ? pair.value : null);
}

/** The mapping that says which server the part is bound to. */
function ownMap(mcp: unknown, part: NotePart): YAMLMap | undefined {
  if (!isMap(mcp)) return undefined;
  if (part.kind === 'note') return mcp;
  const sections = mcp.get('sections', true);
  const items: readonly unknown[] = isSeq(sections) ? sections.items : [];
  return items.find(
    (item): item is YAMLMap =>
      isMap(item) && item.has(part.kind) && part.isNamed(textOf(item.get(part.kind, true))),
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
