import { HtmlRenderer, type Node, Parser } from 'commonmark';
import { findToolBlocks } from '../blocks/find-tool-blocks.ts';
import { answerText } from '../conversation/answer-text.ts';
import { escapeControls } from '../display/escape-controls.ts';
import { applyEdits } from '../edits.ts';
import { neutralize } from '../results/neutralize.ts';
import { writeResult } from '../results/write-result.ts';
import { scan } from '../scan/scan.ts';
import { contextOf } from './note-context.ts';

/** What is still live in an answer of a tool once it was neutralised; null when nothing. */
export function liveFlaw(raw: string): string | null {
  const text = neutralize(raw);
  if (neutralize(text) !== text) return `a second time changes ${JSON.stringify(text)}`;
  return flawIn(text);
}

/** The same of an answer of a model. */
export function answerFlaw(raw: string): string | null {
  return flawIn(answerText(raw, ['Claude']));
}

/** The same of an answer that was written into a note, below a request in any container. */
export function writtenFlaw(note: string, payload: string): string | null {
  const scanned = scan(note);
  const [block] = findToolBlocks(scanned, contextOf(['weather']));
  if (block === undefined) return null;
  const content = { status: 'success', type: 'text', payload } as const;
  const written = writeResult(scanned, block, content, { force: true });
  return written.kind === 'edit' ? flawIn(applyEdits(note, [written.edit])) : null;
}

/** What a program that renders Markdown would load, run or open, by the reference implementation of CommonMark. */
function flawIn(text: string): string | null {
  const parser = new Parser();
  const document = parser.parse(text);
  const html = new HtmlRenderer().render(document);
  const flaws: string[] = [];
  if (html.includes('&lt;%')) flaws.push('template');
  if (escapeControls(html) !== html) flaws.push('hidden character');
  const walker = document.walker();
  for (let event = walker.next(); event; event = walker.next()) {
    const flaw = event.entering ? flawOf(event.node) : null;
    if (flaw !== null) flaws.push(flaw);
  }
  const { refmap } = parser as unknown as { readonly refmap: object };
  if (Object.keys(refmap).length > 0) flaws.push('link reference');
  if (scan(text).blockIds.length > 0) flaws.push('block id');
  if (scan(text).comments.some(({ kind }) => kind === 'obsidian')) flaws.push('comment');
  if (!/[`~]/.test(text) && field.test(text)) flaws.push('field');
  if (!/[`~]/.test(text) && /\\(?:re)?newcommand/.test(text)) flaws.push('definition of a command');
  return flaws.length === 0 ? null : `${flaws.join(', ')} in ${JSON.stringify(text)}`;
}

/** What Dataview takes for a field; it does not look whether it stands in code. */
const field =
  /^[\s>]*(?:(?:\d+[.)]|[*+-])\s*(?:\[.?\])?)?[^\w\p{L}\n]*[\w\p{L} \t/-]+[_*]*::|[[(][^[\]()\n]*::/mu;

const inlineQuery = /^\s*\$?=/;

function flawOf(node: Node): string | null {
  const literal = node.literal ?? '';
  switch (node.type) {
    case 'image':
      return `image ${node.destination}`;
    case 'html_block':
    case 'html_inline':
      return ownHtml.test(literal) ? null : `HTML ${literal}`;
    case 'link':
      return /^(?:https?:|mailto:|[^:]*(?:[/?#]|$))/i.test(node.destination ?? '')
        ? null
        : `link ${node.destination}`;
    case 'code':
      return inlineQuery.test(literal) ? `inline query ${literal}` : null;
    case 'code_block':
      if (inlineQuery.test(literal)) return `query in code ${literal}`;
      return isShown(node.info ?? '') ? null : `executable ${node.info}`;
    default:
      return null;
  }
}

/** Line breaks of cells, and the lines around a result. */
const ownHtml = /^(?:<br ?\/?>|<!-- \/?mcp-result(?: [a-z]+=\w+)* -->)$/i;

function isShown(info: string): boolean {
  if (/^(?:weather(?: as=[a-z]+)?|mcp-result req=\w+ sum=\w+ type=\w+)$/.test(info)) return true;
  return /^[a-z]*$/.test(info) && !/^(?:dataview(?:js)?|tasks|query|base|mcp)$/.test(info);
}
