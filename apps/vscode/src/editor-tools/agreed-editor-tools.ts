import { raceSignal } from '@errand/wire';
import type { EditorTool } from './editor-tool.ts';
import type { EditorTools } from './lent-editor.ts';

/** Whether a person on this machine lets the notes of a vault use the tools of the editor. */
export interface KeptAgreement {
  isGiven(): boolean;
  give(): Promise<void>;
}

/** Asks a person before a tool is called; the question is withdrawn when the signal aborts, which is no agreement. */
export type AskAgreement = (tool: string, signal: AbortSignal) => Promise<boolean>;

interface OpenQuestion {
  readonly answer: Promise<boolean>;
  readonly ending: AbortController;
  waiting: number;
}

/**
 * The tools of an editor, none of which is called before a person has agreed to it for the vault. Calls
 * that come meanwhile share one question, which ends with the last of them. A refusal is not kept.
 */
export class AgreedEditorTools implements EditorTools {
  readonly #tools: EditorTools;
  readonly #kept: KeptAgreement;
  readonly #ask: AskAgreement;
  #open: OpenQuestion | undefined;

  constructor(tools: EditorTools, kept: KeptAgreement, ask: AskAgreement) {
    this.#tools = tools;
    this.#kept = kept;
    this.#ask = ask;
  }

  list(): readonly EditorTool[] {
    return this.#tools.list();
  }

  async invoke(tool: string, input: object, signal: AbortSignal) {
    signal.throwIfAborted();
    if (!this.#kept.isGiven() && !(await this.#isAgreed(tool, signal))) {
      throw new Error(
        `"${tool}" was not run: notes of this vault may not use the tools of the editor yet. Run it again, and choose “Allow for This Vault”.`,
      );
    }
    signal.throwIfAborted();
    return this.#tools.invoke(tool, input, signal);
  }

  async #isAgreed(tool: string, signal: AbortSignal): Promise<boolean> {
    this.#open ??= this.#begin(tool);
    const question = this.#open;
    question.waiting++;
    try {
      return await raceSignal(question.answer, signal);
    } finally {
      question.waiting--;
      if (question.waiting === 0) this.#end(question);
    }
  }

  #begin(tool: string): OpenQuestion {
    const ending = new AbortController();
    const ask = async () => {
      const isAgreed = await this.#ask(tool, ending.signal);
      // An answer to a withdrawn question counts for nothing.
      if (!isAgreed || ending.signal.aborted) return false;
      await this.#kept.give();
      return true;
    };
    const answer = ask();
    // Everybody who waited for it may have left.
    answer.catch(() => {});
    return { answer, ending, waiting: 0 };
  }

  #end(question: OpenQuestion): void {
    question.ending.abort();
    if (this.#open === question) this.#open = undefined;
  }
}
