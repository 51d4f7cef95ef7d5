import { closeSync, existsSync } from 'node:fs';

/** What a built-in tool of the scriptable server may do. */
export interface ToolContext {
  readonly id: string | number;
  readonly progressToken: string | number | undefined;
  /** Ends the wait when the client cancels the call. */
  readonly signal: AbortSignal;
  notify(method: string, params: Readonly<Record<string, unknown>>): void;
  /** Asks the client something and waits for its answer. */
  ask(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Writes to standard output what is no message. */
  writeRaw(text: string): void;
  /** Shows or hides the tool `extra` and says that the list changed. */
  changeTools(): void;
  /** How often the journal says that a tool was called, this time included. */
  timesCalled(tool: string): number;
  sleep(milliseconds: number): Promise<void>;
}

export interface ScriptedTool {
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, boolean>>;
  /** Returns the `tools/call` result, or nothing for a call that is never answered. */
  run(input: Readonly<Record<string, unknown>>, context: ToolContext): Promise<Result | undefined>;
}

export type Result = Readonly<Record<string, unknown>>;

const noInput = { type: 'object', properties: {} };
const withBytes = {
  type: 'object',
  properties: { bytes: { type: 'integer', minimum: 0 } },
  required: ['bytes'],
};
const withMilliseconds = {
  type: 'object',
  properties: { milliseconds: { type: 'integer', minimum: 0 } },
};

const withFile = {
  type: 'object',
  properties: { file: { type: 'string' } },
  required: ['file'],
};
const waitForFile: ScriptedTool['run'] = async ({ file }, { sleep, signal }) => {
  while (!existsSync(String(file)) && !signal.aborted) await sleep(10);
  return answer('it is there');
};

/** The tools every scriptable server has, by name. */
export const scriptedTools: Readonly<Record<string, ScriptedTool>> = {
  echo: {
    description: 'Gives the text back.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    annotations: { readOnlyHint: true },
    run: async ({ text }) => answer(String(text)),
  },
  write: {
    description: 'Has a side effect that must happen once.',
    inputSchema: noInput,
    run: async () => answer('written'),
  },
  upsert: {
    description: 'Has a side effect that may happen twice.',
    inputSchema: noInput,
    annotations: { idempotentHint: true },
    run: async () => answer('upserted'),
  },
  fail: {
    description: 'Runs and reports a failure.',
    inputSchema: noInput,
    run: async () => ({ ...answer('It did not work.'), isError: true }),
  },
  structured: {
    description: 'Answers with structured content and a part of an unknown kind.',
    inputSchema: noInput,
    annotations: { readOnlyHint: true },
    run: async () => ({
      content: [
        { type: 'text', text: '{"sum":3}' },
        { type: 'hologram', shape: 'cube' },
      ],
      structuredContent: { sum: 3 },
    }),
  },
  'odd-parts': {
    description: 'Answers with parts that are no parts.',
    inputSchema: noInput,
    run: async () => ({ content: [null, 5, 'words', { text: 'untyped' }] }),
  },
  sleep: {
    description: 'Answers late.',
    inputSchema: withMilliseconds,
    annotations: { readOnlyHint: true },
    run: async ({ milliseconds }, { sleep }) => {
      await sleep(Number(milliseconds));
      return answer('awake');
    },
  },
  wait: {
    description: 'Answers when a file appears.',
    inputSchema: withFile,
    annotations: { readOnlyHint: true },
    run: waitForFile,
  },
  'act-late': {
    description: 'Acts, and answers when a file appears.',
    inputSchema: withFile,
    run: waitForFile,
  },
  hang: { description: 'Never answers.', inputSchema: noInput, run: async () => undefined },
  crash: {
    description: 'Ends the server in the middle of the call.',
    inputSchema: { type: 'object', properties: { words: { type: 'string' } } },
    run: async ({ words = 'out of cheese' }) => {
      process.stderr.write(`${words}\n`);
      process.exit(7);
    },
  },
  'close-output': {
    description: 'Closes its standard output and lives on.',
    inputSchema: noInput,
    run: async () => {
      closeSync(1);
      return undefined;
    },
  },
  'crash-once': {
    description: 'Ends the server when its journal shows no earlier call; answers afterwards.',
    inputSchema: noInput,
    annotations: { readOnlyHint: true },
    run: async (_input, { timesCalled }) => crashUnless(timesCalled('crash-once') > 1),
  },
  'crash-once-writing': {
    description: 'The same with a side effect.',
    inputSchema: noInput,
    run: async (_input, { timesCalled }) => crashUnless(timesCalled('crash-once-writing') > 1),
  },
  'hostile-pattern': {
    description:
      'Has a pattern that takes for ever to refuse "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!".',
    inputSchema: { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } },
    run: async () => answer('matched'),
  },
  garbage: {
    description: 'Writes noise to standard output, then answers.',
    inputSchema: noInput,
    run: async (_input, { writeRaw }) => {
      writeRaw('Server listening...\n{"level":"info"}\n{broken json\n\n');
      return answer('still here');
    },
  },
  'broken-answer': {
    description: 'Answers with a line that is not JSON.',
    inputSchema: noInput,
    run: async (_input, { writeRaw, id }) => {
      writeRaw(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[oops\n`);
      return undefined;
    },
  },
  'wrong-id': {
    description: 'Answers somebody else first.',
    inputSchema: noInput,
    run: async (_input, { writeRaw }) => {
      for (const id of ['99999', 'null', '"abc"', '-1', 'true']) {
        writeRaw(
          `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"wrong"}]}}\n`,
        );
      }
      return answer('right');
    },
  },
  twice: {
    description: 'Answers twice.',
    inputSchema: noInput,
    run: async (_input, { writeRaw, id }) => {
      writeRaw(`${JSON.stringify({ jsonrpc: '2.0', id, result: answer('first') })}\n`);
      return answer('second');
    },
  },
  large: {
    description: 'Answers with so many bytes of text.',
    inputSchema: withBytes,
    annotations: { readOnlyHint: true },
    run: async ({ bytes }) => answer('x'.repeat(Number(bytes))),
  },
  stderr: {
    description: 'Writes so many bytes to standard error, then answers.',
    inputSchema: withBytes,
    run: async ({ bytes }) => {
      const line = `${'e'.repeat(99)}\n`.repeat(1000);
      for (let written = 0; written < Number(bytes); written += line.length) {
        await new Promise((resolve) => process.stderr.write(line, resolve));
      }
      return answer('done');
    },
  },
  progress: {
    description: 'Reports three steps, or steps until a file appears, then answers.',
    inputSchema: { type: 'object', properties: { file: { type: 'string' } } },
    run: async ({ file }, { notify, progressToken, sleep, signal }) => {
      const isOver = (step: number) =>
        file === undefined ? step > 3 : signal.aborted || existsSync(String(file));
      for (let progress = 1; !isOver(progress); progress += 1) {
        const total = file === undefined ? { total: 3 } : {};
        const message = `step ${progress}`;
        if (progressToken !== undefined) {
          notify('notifications/progress', { progressToken, progress, ...total, message });
        }
        if (file !== undefined) await sleep(20);
      }
      return answer(file === undefined ? 'three steps' : 'all steps');
    },
  },
  'change-tools': {
    description: 'Adds a tool to the list, or takes it away.',
    inputSchema: noInput,
    run: async (_input, { changeTools }) => {
      changeTools();
      return answer('changed');
    },
  },
  ask: {
    description: 'Asks the client and answers with what it said.',
    inputSchema: {
      type: 'object',
      properties: { method: { type: 'string' }, params: { type: 'object' } },
    },
    run: async ({ method, params }, { ask }) => {
      const said = await ask(String(method), (params ?? {}) as Result);
      return answer(JSON.stringify(said));
    },
  },
  environment: {
    description: 'Tells its environment, folder and process id.',
    inputSchema: noInput,
    run: async () =>
      answer(
        JSON.stringify({
          env: process.env,
          args: process.argv.slice(2),
          cwd: process.cwd(),
          pid: process.pid,
        }),
      ),
  },
};

/** Tools that cannot be called, each for another reason. */
export const brokenTools: readonly Result[] = [
  { name: 'no-schema' },
  { name: 'schema-of-text', inputSchema: { type: 'string' } },
  { name: 'bad-pattern', inputSchema: { type: 'object', properties: { a: { pattern: '(' } } } },
  {
    name: 'dangling-reference',
    inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/b' } } },
  },
  { name: 'bad-required', inputSchema: { type: 'object', required: 'a' } },
];

function crashUnless(isFine: boolean): Result {
  if (!isFine) process.exit(7);
  return answer('recovered');
}

function answer(text: string): Result {
  return { content: [{ type: 'text', text }] };
}
