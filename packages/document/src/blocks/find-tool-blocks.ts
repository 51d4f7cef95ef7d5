import { nearestName } from '../nearest-name.ts';
import type { NoteContext } from '../note-context.ts';
import { requestHash } from '../params/request-hash.ts';
import { fenceBody, lookApart, lookBelow } from '../results/find-result.ts';
import { isDrawnAs } from '../results/redraw-result.ts';
import type { ResultBlock } from '../results/result-block.ts';
import { calloutTitle } from '../results/result-lines.ts';
import type { Fence, NoteScan } from '../scan/note-scan.ts';
import { resolveSections } from '../sections/resolve-sections.ts';
import { BlockAnswers } from './block-answers.ts';
import { type BlockOptions, languageOf } from './block-options.ts';
import { blockReferences } from './block-references.ts';
import { chooseServer } from './choose-server.ts';
import { type ParsedRequest, parseRequest } from './parse-request.ts';
import { recentLanguages, reservedLanguages } from './reserved-languages.ts';
import type { BlockProblem, BlockState, ToolBlock } from './tool-block.ts';

/**
 * The requests of a note, in order, each with its result, its state and what is wrong with it. Given the
 * blocks found before an edit, it reads only those again that were changed.
 */
export function findToolBlocks(
  scan: NoteScan,
  context: NoteContext,
  previous: readonly ToolBlock[] = [],
): readonly ToolBlock[] {
  const fences = requestFences(scan, context);
  if (fences.length === 0) return [];
  const sections = resolveSections(scan, context);
  const known = new Map(previous.map((block) => [block.source, block]));
  const below = lookBelow(scan, previous);
  const apart = lookApart(scan);
  // A stale callout still names the server and the tool that the block asked for before.
  const isTitleOf = (title: string) =>
    context.servers.some(({ name }) => {
      const start = calloutTitle(name, '');
      return title.startsWith(start) && /^\S+$/.test(title.slice(start.length));
    });
  const answers = new BlockAnswers();
  return fences.map((fence, index) => {
    const body = fenceBody(scan.text, fence);
    const source = `${fence.info}\n${body}`;
    const before = known.get(source);
    const isKnown = before?.problem === null && before.references.length === 0;
    const parsed: ParsedRequest = isKnown ? before : parseRequest(fence.info, body, fence.line);
    const { tool, options } = parsed;
    const references = isKnown ? before.references : blockReferences(parsed.params);
    const {
      params,
      problem: wrong,
      unresolved,
    } = answers.resolve(parsed.params, references, fence, body);
    const misnamed = misnamedProblem(fence, context);
    const problem = misnamed ?? parsed.problem ?? wrong ?? unclosedProblem(fence);
    const choice =
      misnamed === null
        ? chooseServer(fence, sections.decide(fence.line), context)
        : { server: null, boundServer: null, refusal: null };
    const same = isKnown && before.server === choice.server ? before.req : null;
    const isReady = problem === null && unresolved === null;
    const req = isReady ? (same ?? requestHash(choice.server ?? '', tool ?? '', params)) : null;
    // Only callouts have a title, and making one safe takes longer than all else here.
    const { blockId, result } = below(
      fence,
      (title, written) =>
        title === calloutTitle(choice.server, tool) || (written !== req && isTitleOf(title)),
    );
    const anchor = blockId?.to ?? fence.to;
    const end = fences[index + 1]?.from ?? scan.text.length;
    const lost = result === null && req !== null ? apart(anchor, end, req) : undefined;
    const block: ToolBlock = {
      line: fence.line,
      endLine: fence.endLine,
      id: blockId?.id ?? null,
      ...choice,
      refusal: choice.refusal ?? (lost === undefined ? null : lostProblem(fence, lost)),
      tool,
      params,
      references,
      options,
      section: sections.headingsAt(fence.line),
      state: problem !== null ? 'invalid' : stateOf(result, req, options),
      problem,
      unresolved,
      result,
      req,
      anchor,
      fence,
      source,
    };
    answers.add(block);
    return block;
  });
}

/** The visible fences whose language is a server's name, `mcp`, or nearly a server's name and that name a tool. */
function requestFences({ text, fences }: NoteScan, context: NoteContext): readonly Fence[] {
  const languages = new Set(['mcp', ...namesOf(context).map((name) => name.toLowerCase())]);
  return fences.filter((fence) => {
    if (fence.within !== null) return false;
    if (languages.has(languageOf(fence.info).toLowerCase())) return true;
    if (meantServer(fence, context) === undefined) return false;
    return /[ \t]tool=\S/.test(fence.info) || /^tool:[ \t]/m.test(fenceBody(text, fence));
  });
}

/** The names of all servers, also of those whose entry cannot be read. */
function namesOf({ servers, brokenServers = [] }: NoteContext): readonly string[] {
  return [...servers, ...brokenServers].map(({ name }) => name);
}

/** The server that a language nearly names. Languages that mean something already are meant as they are. */
function meantServer({ info }: Fence, context: NoteContext): string | undefined {
  const language = languageOf(info).toLowerCase();
  if (reservedLanguages.has(language) || recentLanguages.has(language)) return undefined;
  const names = namesOf(context);
  if (names.some((name) => name.toLowerCase() === language)) return undefined;
  // Three other letters are too often another word; the same ones in another order are not.
  const isShort = language.length < 4;
  return nearestName(
    language,
    isShort ? names.filter((name) => lettersOf(name) === lettersOf(language)) : names,
  );
}

function lettersOf(name: string): string {
  return [...name.toLowerCase()].sort().join('');
}

function misnamedProblem(fence: Fence, context: NoteContext): BlockProblem | null {
  const meant = meantServer(fence, context);
  if (meant === undefined) return null;
  const message = `There is no server "${languageOf(fence.info)}". Did you mean "${meant}"?`;
  return { code: 'server_unknown', message, line: fence.line, isForeign: true };
}

function unclosedProblem({ isClosed, marker, length, line }: Fence): BlockProblem | null {
  if (isClosed) return null;
  const message = `The block has no end. Close it with a line of ${marker.repeat(length)}`;
  return { code: 'block_invalid', message, line };
}

function lostProblem(
  { line }: Fence,
  lost: NonNullable<ReturnType<ReturnType<typeof lookApart>>>,
): BlockProblem {
  const message =
    lost.kind === 'apart'
      ? `The result of this block is on line ${lost.line}, apart from it. Move it directly below the block, or delete it to run the block again.`
      : `The result of this block is on line ${lost.line}, whose beginning was changed. Undo that, or delete the result to run the block again.`;
  return { code: 'note_changed', message, line };
}

function stateOf(
  result: ResultBlock | null,
  req: string | null,
  options: BlockOptions,
): BlockState {
  if (result === null) return 'new';
  if (result.isEdited) return 'edited';
  if (result.req !== req || !isDrawnAs(result, options)) return 'stale';
  return result.status === 'error' ? 'failed' : 'fresh';
}
