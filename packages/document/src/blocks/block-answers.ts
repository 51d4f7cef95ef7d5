import { nearestName } from '../nearest-name.ts';
import type { SourceMap } from '../params/source-value.ts';
import type { Fence } from '../scan/note-scan.ts';
import { bareIdsIn, expressionsIn, firstNamesIn, idsIn, textsOf } from './block-references.ts';
import { resolveReferences } from './resolve-references.ts';
import type { BlockProblem, ToolBlock } from './tool-block.ts';

/** The parameters of a block once its references are resolved, or why they are not. */
interface BlockParams {
  readonly params: SourceMap;
  /** A mistake of the author. */
  readonly problem: BlockProblem | null;
  /** An answer that is not there yet. */
  readonly unresolved: BlockProblem | null;
}

/** A note of a stranger must not keep a program busy: beyond this many, references of a note stay unresolved. */
const mostTemplates = 100;
/** In milliseconds, for all references of a note together. */
const longestTime = 1000;

/** The answers of the blocks above, by the ids of their blocks. */
export class BlockAnswers {
  readonly #blocks = new Map<string, ToolBlock>();
  #left = mostTemplates;
  #timeLeft = longestTime;

  add(block: ToolBlock): void {
    if (block.id !== null) this.#blocks.set(block.id, block);
  }

  /** `body` is the text of the block, in which a problem is told at the line of its parameter. */
  resolve(
    params: SourceMap,
    references: readonly string[],
    { line }: Fence,
    body: string,
  ): BlockParams {
    const told = (message: string, names: (text: string) => boolean): BlockProblem => ({
      code: 'block_invalid',
      message,
      // A template that is spread over lines is told at the first line of the block.
      line: line + 1 + body.split('\n').findIndex(names),
    });
    const open = { params, problem: null, unresolved: null };
    const bare = this.#blocks.size > 0 && body.includes('{{') ? this.#bareId(params) : undefined;
    if (bare !== undefined) {
      const message = `{{ ${bare} … }} is text. Write {{ blocks.${bare} … }} for the answer of the block ^${bare}.`;
      const names = (text: string) => firstNamesIn(text).includes(bare);
      return { ...open, problem: told(message, names) };
    }
    if (references.length === 0) return open;
    const start = Date.now();
    const answers: Record<string, unknown> = Object.create(null);
    for (const id of references) {
      const block = this.#blocks.get(id);
      const names = (text: string) => idsIn(text).includes(id);
      if (block === undefined) return { ...open, problem: told(this.#noBlock(id), names) };
      const answer = answerOf(block, id);
      if (typeof answer === 'string') return { ...open, unresolved: told(answer, names) };
      answers[id] = answer.value;
    }
    if (--this.#left < 0) {
      const message = `A note can have at most ${mostTemplates} blocks that refer to others.`;
      return { ...open, problem: told(message, () => false) };
    }
    const resolved = resolveReferences(params, answers, start + this.#timeLeft);
    this.#timeLeft -= Date.now() - start;
    if (resolved.kind === 'params') return { ...open, params: resolved.params };
    const { message, template } = resolved;
    const isIn = (text: string) => expressionsIn(text).some((inside) => template.includes(inside));
    return { ...open, unresolved: told(message, isIn) };
  }

  /** The id of a block above that a template names without `blocks.` in front. */
  #bareId(params: SourceMap): string | undefined {
    return textsOf(params)
      .flatMap(bareIdsIn)
      .find((id) => this.#blocks.has(id));
  }

  #noBlock(id: string): string {
    const meant = nearestName(id, this.#blocks.keys());
    const advice = meant === undefined ? '' : ` Did you mean ^${meant}?`;
    return `No block above has the id ^${id}.${advice}`;
  }
}

/** The answer of a block, or why it cannot be used. */
function answerOf({ state, result }: ToolBlock, id: string): { readonly value: unknown } | string {
  if (state !== 'fresh' || result === null) {
    return `The block ^${id} has no up-to-date answer (${state}). Run it first.`;
  }
  if (result.type !== 'json') return { value: result.payload };
  try {
    return { value: JSON.parse(result.payload) as unknown };
  } catch {
    return `The answer of the block ^${id} is too large for the note, so it cannot be used here.`;
  }
}
