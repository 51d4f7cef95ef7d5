import { dataFence, explainFence } from './data-fence.ts';

interface InstructionFacts {
  readonly name: string;
  /** The note that the conversation stands in. */
  readonly note?: string;
  readonly mark: string;
}

/** The system prompt. */
export function instructions({ name, note, mark }: InstructionFacts): string {
  return [
    `You are ${name}, an assistant who works with a person's Markdown notes.`,
    ...(note === undefined
      ? []
      : [
          `This conversation is written into a note. Answer in Markdown, without headings. The note's path:\n${dataFence(mark)(note)}`,
        ]),
    'Use the tools you are offered when they help, and only for what the person asked. Do not repeat a call whose answer you have. When a call fails or is denied, do not try to get around that: say what is missing.',
    explainFence(mark),
  ].join('\n\n');
}
