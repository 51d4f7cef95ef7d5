import type { RawToolResult } from '../connection.ts';
import type { BlockEvent } from '../notes/note-run.ts';
import { type RunNoteRequest, runNote } from '../notes/run-note.ts';
import type { RunNoteOptions } from '../notes/run-note-ports.ts';
import type { Settings } from '../settings.ts';
import { localServer } from './local-server.ts';
import { echoTool } from './memory-connector.ts';
import { type MemoryHost, memoryHost } from './memory-host.ts';
import { MemoryAttachments, MemoryNotes } from './memory-notes.ts';

const path = 'Note.md';

/** One note, and a server `a` that echoes; of its tools `echo` only reads and `write` may act twice. */
interface NoteFixture extends AsyncDisposable {
  readonly memory: MemoryHost;
  readonly notes: MemoryNotes;
  /** What the tool answers; without it, the text it was given. */
  answer?: RawToolResult;
  readonly calls: number;
  text(): string;
  whileCalled(action: () => void): void;
  run(
    request?: Partial<RunNoteRequest>,
    signal?: AbortSignal,
    onEvent?: (event: BlockEvent) => void,
    signalOf?: RunNoteOptions['signalOf'],
  ): ReturnType<typeof runNote>;
}

export async function openNoteFixture(
  text: string,
  settings: Partial<Settings> = {},
): Promise<NoteFixture> {
  const servers = [localServer('a'), localServer('off', { enabled: false })];
  const memory = await memoryHost(servers, settings);
  const notes = new MemoryNotes({ [path]: text });
  let calls = 0;
  let action = () => {};
  const fixture: NoteFixture = {
    memory,
    notes,
    get calls() {
      return calls;
    },
    text: () => notes.texts.get(path) ?? '',
    whileCalled: (given) => {
      action = given;
    },
    run: (request = {}, signal, onEvent, signalOf) =>
      runNote(
        { path, sessionId: crypto.randomUUID(), ...request },
        { host: memory.host, notes, attachments: new MemoryAttachments(), log: memory.log },
        {
          ...(signal && { signal }),
          ...(onEvent && { onEvent }),
          ...(signalOf && { signalOf }),
        },
      ),
    [Symbol.asyncDispose]: () => memory[Symbol.asyncDispose](),
  };
  memory.connector.behaviours.set('a', {
    tools: [
      { ...echoTool, annotations: { readOnlyHint: true } },
      { ...echoTool, name: 'write' },
      { ...echoTool, name: 'upsert', annotations: { idempotentHint: true } },
    ],
    call: async (call, options) => {
      calls += 1;
      action();
      options.signal.throwIfAborted();
      return fixture.answer ?? { content: [{ type: 'text', text: String(call.arguments.text) }] };
    },
  });
  return fixture;
}
