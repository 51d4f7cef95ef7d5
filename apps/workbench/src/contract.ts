// What page and API say to each other. Types only: both sides compile it, one with Node's types, one with the browser's.
//
// Every route is below /api. Bodies and answers are JSON. A failure is an `ApiFailure` with a status of 4xx or 5xx.
// Notes are named by their path in the vault (forward slashes, ending in .md), in the query: /api/note?path=Projects%2FGarden.md
//
//   GET    /state                      -> WorkbenchState      everything but notes, and the sequence the events go on from
//   GET    /events?after=SEQUENCE      -> server-sent events, each a `WorkbenchEvent`; `id:` is its sequence
//   GET    /notes                      -> NoteList
//   GET    /notes/search?query=        -> SearchAnswer        by name and by text
//   GET    /note?path=                 -> Note
//   PUT    /note?path=      SaveNote   -> Note                409 `conflict` with the `Note` as it is now in `current`
//   POST   /note/check?path=  CheckNote  -> NoteReading       what unsaved text would be; nothing is stored
//   POST   /note/run?path=    RunNote    -> RunStarted        ends with the event `run-ended`; results arrive by `note-changed`
//   POST   /note/cancel?path= CancelRun  -> Done              without keys: everything that runs in the note
//   POST   /note/result?path= DecideResult -> Note            keep an edited result as own text, or take it away
//   POST   /note/bind?path=   BindSection  -> Note            409 `conflict` when the note is another by now
//   GET    /file?path=                 -> an attachment or image of the vault; what could run script is sent as a download
//   GET    /servers                    -> ServerList
//   POST   /servers           AddServer  -> Server            stored disabled, then tested (see `Server.test`), enabled when it works
//   POST   /servers/read      PastedText -> PastedServers     what pasted JSON or TOML of any known program holds; stores nothing
//   POST   /servers/import    ImportServers -> ServerList     stores those chosen, tests and enables like POST /servers
//   GET    /servers/ID                 -> ServerDetails
//   PUT    /servers/ID        EditServer -> Server            tested again
//   DELETE /servers/ID                 -> Done
//   POST   /servers/ID/enabled SetEnabled -> Server
//   POST   /servers/ID/try             -> Server              try now, whatever was planned
//   POST   /servers/ID/test            -> Server              steps arrive by `server-changed` in `Server.test`
//   GET    /servers/ID/tools?refresh=1 -> ToolList            starts the server if need be
//   POST   /servers/ID/call   CallTool   -> CallAnswer        ends with the call; aborting the request cancels it
//   POST   /servers/ID/block  CallTool   -> BlockText         the same call as a block to paste; calls nothing
//   GET    /trust                      -> TrustState
//   POST   /trust             Agree      -> TrustState        409 `conflict` when an entry is another by now
//   GET    /calls                      -> CallState
//   GET    /calls/history?limit=&server=&note=&status=&source=  -> CallHistory
//   GET    /calls/ID                   -> CallDetails
//   POST   /calls/ID/cancel            -> Done                409 when somebody else made the call
//   POST   /calls/stop, /calls/resume  -> CallState
//   POST   /sessions/reset    ResetSession -> Session
//   GET    /settings                   -> SettingsState
//   PATCH  /settings          ChangeSettings -> SettingsState
//   GET    /secrets                    -> SecretList
//   PUT    /secrets/NAME      SetSecret  -> SecretList
//   DELETE /secrets/NAME               -> SecretList
//   GET    /completion?path=           -> Completion          nothing is started for it
//   POST   /questions/ID      AnswerQuestion -> Done          what a server asked the person

/** Milliseconds since 1970. */
export type Time = number;

// --- failures ---

export interface ApiFailure {
  readonly error: Failure;
  /** With `conflict`: the note as it is now. */
  readonly current?: Note;
}

export interface Failure {
  /** A code of the host (`server_unknown`, `untrusted`, …), or `conflict`, `invalid_input`, `not_found`, `forbidden`, `internal`. */
  readonly code: string;
  /** A sentence for a person: what happened, and what to do. */
  readonly message: string;
  /** What is wrong in each field of a form, by the name of the body's field. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The server's last lines on standard error, when it failed. */
  readonly lastWords?: string;
}

export interface Done {
  readonly isDone: true;
}

// --- everything at once ---

export interface WorkbenchState {
  /** Where the event stream goes on: open /events?after=SEQUENCE. */
  readonly sequence: string;
  readonly version: string;
  readonly vault: { readonly name: string; readonly folder: string };
  /** Where other programs reach all servers as one. */
  readonly gatewayUrl: string;
  readonly servers: readonly Server[];
  readonly trust: TrustState;
  readonly calls: CallState;
  readonly settings: SettingsState;
  readonly questions: readonly Question[];
}

// --- notes ---

export interface NoteList {
  /** Paths, in the order people expect: folders with their notes, ignoring case. */
  readonly notes: readonly string[];
  /** There are more than are followed; the rest is left out. */
  readonly isCut: boolean;
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  /** There are more than are listed. */
  readonly isCut: boolean;
}

export interface SearchHit {
  readonly path: string;
  /** The first line that holds the words; null when the name does. */
  readonly line: number | null;
  readonly excerpt: string | null;
}

export interface Note extends NoteReading {
  readonly path: string;
  /** Of this text; to be sent with what is based on it. */
  readonly etag: string;
  readonly text: string;
  /** What the call limit counts (D6): this note since it was opened or reset. */
  readonly session: Session;
}

/** What a text says to Errand. */
export interface NoteReading {
  readonly blocks: readonly Block[];
  readonly sections: readonly Section[];
  /** Mistakes in the bindings. */
  readonly problems: readonly { readonly message: string; readonly line: number | null }[];
}

export type BlockState = 'new' | 'fresh' | 'stale' | 'edited' | 'failed' | 'invalid';

export interface Block {
  /** The same for the same request, wherever it moves in the note; events and bodies name a block by it. */
  readonly key: string;
  readonly line: number;
  readonly endLine: number;
  /** Its `^id`. */
  readonly id: string | null;
  readonly server: string | null;
  readonly tool: string | null;
  readonly params: Readonly<Record<string, unknown>>;
  readonly display: 'inline' | 'block' | 'collapsed' | null;
  readonly section: readonly string[];
  readonly boundServer: string | null;
  readonly state: BlockState;
  /** Why it will not run: a mistake, or a section that forbids it. */
  readonly problem: BlockProblem | null;
  /** Parameters that do not fit the tool, as far as its schema is known; a call would fail. */
  readonly mistakes: readonly BlockProblem[];
  readonly result: Result | null;
  /** Set while it waits or runs. */
  readonly run: BlockRun | null;
}

export interface BlockProblem {
  readonly code: string;
  readonly message: string;
  /** The line of the note to underline. */
  readonly line: number;
}

export interface Result {
  readonly status: 'success' | 'error';
  readonly type: 'text' | 'json' | 'markdown' | 'image' | null;
  /** `fence`: text between fences. `markdown` and `callout`: live Markdown in the note. */
  readonly form: 'fence' | 'markdown' | 'callout';
  readonly code: string | null;
  readonly line: number;
  readonly endLine: number;
  readonly payload: string;
  readonly isEdited: boolean;
}

/** A block on its way. */
export interface BlockRun {
  readonly status: 'pending' | 'executing';
  readonly waitingFor: 'server' | 'approval' | 'turn' | null;
  /** When it was asked for. */
  readonly since: Time;
  /** When the server got it. */
  readonly startedAt: Time | null;
  readonly progress: Progress | null;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** How a block's run ended. */
export interface BlockEnd {
  readonly key: string;
  readonly line: number;
  readonly status: 'success' | 'error' | 'timeout' | 'cancelled' | 'skipped' | 'refused';
  readonly durationMs: number;
  readonly attempts: number;
  /** Whether the note changed by it. */
  readonly written: boolean;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface Section {
  readonly kind: 'note' | 'heading' | 'block' | 'lines';
  /** `note`, `## Weather`, `^w1`, `lines 10 to 40`. */
  readonly title: string;
  readonly path: readonly string[];
  readonly line: number;
  readonly endLine: number;
  /** The server it is bound to; null when any may be asked, or none (see `isRefused`). */
  readonly server: string | null;
  readonly isRefused: boolean;
  /** The heading above that it has its binding from. */
  readonly inheritedFrom: string | null;
  /** Where the binding stands: `frontmatter` can be changed here, `settings` holds for other notes too. */
  readonly origin: 'frontmatter' | 'settings' | null;
  /** `## Weather -> weather (frontmatter line 4)` */
  readonly explanation: string;
  /** For `BindSection.line`; null when this part cannot be bound from here. */
  readonly bindLine: number | null;
}

export interface SaveNote {
  readonly text: string;
  /** Of the text it was made from. */
  readonly etag: string;
}

export interface CheckNote {
  readonly text: string;
}

export interface RunNote {
  /** These blocks; without it all. */
  readonly keys?: readonly string[];
  /** Only those that never ran, failed, or have changed. */
  readonly stale?: boolean;
  /** Replaces results that were edited by hand. */
  readonly force?: boolean;
}

export interface RunStarted {
  readonly runId: string;
  readonly keys: readonly string[];
}

export interface CancelRun {
  readonly keys?: readonly string[];
}

export interface DecideResult {
  readonly key: string;
  /** `keep`: becomes the author's own text, and the block has no result. `remove`: goes away. */
  readonly decision: 'keep' | 'remove';
  readonly etag: string;
}

export interface BindSection {
  /** `Section.bindLine`; 0 is the whole note. */
  readonly line: number;
  /** null takes the binding away. */
  readonly server: string | null;
  readonly etag: string;
}

// --- servers ---

export interface ServerList {
  readonly servers: readonly Server[];
}

export interface Server {
  readonly id: string;
  readonly name: string;
  readonly transport: 'stdio' | 'sse' | 'http';
  readonly deploymentType: 'local' | 'managed' | 'external';
  /** What it does, in a few words: `run npx`, `connect to https://…`. */
  readonly summary: string;
  readonly enabled: boolean;
  /** Switched off after repeated failures. */
  readonly autoDisabled: boolean;
  readonly autoDisabledAt: Time | null;
  readonly trust: 'trusted' | 'new' | 'changed';
  readonly connectionState: 'disconnected' | 'connecting' | 'connected' | 'error';
  /** What a server that is being connected waits for. */
  readonly step: { readonly name: string; readonly detail?: string } | null;
  /** Why it is not connected. */
  readonly problem: { readonly code: string; readonly message: string } | null;
  readonly tools: number | null;
  readonly latencyMs: number | null;
  readonly lastConnectedAt: Time | null;
  readonly lastAttemptAt: Time | null;
  readonly lastFailureAt: Time | null;
  /** Failed retries so far, of `attempts`. */
  readonly attempt: number;
  readonly attempts: number;
  readonly isRetrying: boolean;
  /** Count down to it. */
  readonly nextRetryAt: Time | null;
  /** The last test that was asked for since the program started. */
  readonly test: ServerTest | null;
}

export interface ServerTest {
  readonly isRunning: boolean;
  readonly startedAt: Time;
  readonly steps: readonly TestStep[];
  /** After a good test. */
  readonly tools: number | null;
  readonly error: Failure | null;
}

export interface TestStep {
  readonly name: 'start' | 'pull' | 'handshake' | 'tools' | 'ping';
  readonly detail?: string;
  readonly durationMs: number;
  readonly isDone: boolean;
}

export interface ServerDetails {
  readonly server: Server;
  /** What can be changed, as the form has it. */
  readonly form: ServerForm;
  /** What it does on this machine, in full, line by line. */
  readonly does: readonly string[];
  /** Who the connected server says it is. */
  readonly identity: {
    readonly name: string;
    readonly version: string;
    readonly protocolVersion: string;
    readonly instructions?: string;
  } | null;
  /** The last lines it wrote to standard error; empty for remote servers. */
  readonly lastWords: string;
}

/** How a server is reached, as a form shows it. `${env:NAME}` and `${secret:NAME}` may stand in texts. */
export type ServerForm = {
  readonly name: string;
  /** When a model asks for a tool that is not read-only; `ask` without it. */
  readonly approval?: 'ask' | 'allow' | 'deny';
  /** Milliseconds a call may take, 1,000 to 300,000; null or missing: as for all servers. */
  readonly timeout?: number | null;
} & LaunchForm;

export type LaunchForm =
  | {
      readonly kind: 'command';
      /** Program and arguments on one line; quotes keep words together. */
      readonly command: string;
      readonly env?: Readonly<Record<string, string>>;
      /** Relative to the vault. */
      readonly cwd?: string;
    }
  | {
      readonly kind: 'image';
      readonly image: string;
      /** `stdio` without it. */
      readonly transport?: 'stdio' | 'sse' | 'http';
      /** What the container runs, when not the image's own. */
      readonly command?: string;
      /** Inside the container; needed for sse and http. */
      readonly port?: number;
      /** On this machine; 0 or missing lets the engine choose. */
      readonly outsidePort?: number;
      readonly path?: string;
      readonly env?: Readonly<Record<string, string>>;
      /** As `256m`. */
      readonly memory?: string;
    }
  | {
      readonly kind: 'url';
      readonly url: string;
      /** `http` without it. */
      readonly transport?: 'sse' | 'http';
      readonly headers?: Readonly<Record<string, string>>;
    };

export interface AddServer {
  readonly server: ServerForm;
  /** Stores it switched off and does not test it. */
  readonly disabled?: boolean;
}

export interface EditServer {
  readonly server: ServerForm;
}

export interface SetEnabled {
  readonly enabled: boolean;
}

export interface PastedText {
  readonly text: string;
}

export interface PastedServers {
  readonly servers: readonly PastedServer[];
  /** Entries that cannot be used here, each with the reason. */
  readonly problems: readonly string[];
}

export interface PastedServer {
  /** For `ImportServers.names`: what it will be called here. */
  readonly name: string;
  /** What it is called there. */
  readonly originalName: string;
  readonly program: string;
  readonly does: readonly string[];
  /** What is different here, and what to do about it. */
  readonly notes: readonly string[];
}

export interface ImportServers {
  readonly text: string;
  /** Of `PastedServer`; without it all. */
  readonly names?: readonly string[];
  readonly disabled?: boolean;
}

// --- tools ---

export interface ToolList {
  readonly tools: readonly Tool[];
}

export interface Tool {
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  /** JSON Schema, a stranger's: anything may be in it. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
  readonly isIdempotent: boolean;
  /** Why it cannot be called although it is listed. */
  readonly broken: string | null;
  /** A block to paste, with its parameters to fill in. */
  readonly template: string;
}

export interface CallTool {
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface CallAnswer {
  readonly id: string;
  readonly status: 'success' | 'error' | 'timeout' | 'cancelled';
  readonly durationMs: number;
  readonly attempts: number;
  readonly content: CallContent | null;
  readonly error: Failure | null;
}

/** A tool's answer as it is shown. */
export interface CallContent {
  readonly type: 'text' | 'json' | 'markdown' | 'image';
  /** Text and Markdown as they are, JSON indented; empty for an image. */
  readonly text: string;
  /** Images and other binaries, for `data:` addresses. */
  readonly attachments: readonly { readonly mimeType: string; readonly data: string }[];
  /** The text is longer than this and was cut. */
  readonly isCut: boolean;
}

export interface BlockText {
  readonly text: string;
}

// --- trust ---

export interface TrustState {
  /** Entries that came with the vault and nobody on this machine has agreed to: ask once, when not empty. */
  readonly pending: readonly PendingServer[];
}

export interface PendingServer {
  readonly id: string;
  readonly name: string;
  readonly verdict: 'new' | 'changed';
  /** What it would do on this machine, in full, line by line. */
  readonly does: readonly string[];
  /** Stands for what was shown; to be sent with the yes. */
  readonly seen: string;
}

export interface Agree {
  readonly servers: readonly { readonly id: string; readonly seen: string }[];
}

// --- calls ---

export type CallSource =
  | 'user-codeblock'
  | 'ai-autonomous'
  | 'command'
  | 'gateway'
  | 'hook'
  | 'mail'
  | 'workbench';

export interface CallState {
  /** Somebody stopped all calls; new ones are refused until resumed. */
  readonly isStopped: boolean;
  /** Running first, then those that wait; each in order. */
  readonly active: readonly ActiveCall[];
  readonly sessions: readonly Session[];
}

export interface ActiveCall {
  readonly id: string;
  readonly status: 'pending' | 'executing';
  readonly source: CallSource;
  readonly server: string;
  readonly tool: string;
  readonly note: string | null;
  readonly line: number | null;
  readonly submittedAt: Time;
  readonly startedAt: Time | null;
  /** Whether it was asked for here, so that it can be cancelled alone. */
  readonly isOwn: boolean;
}

export interface Session {
  readonly id: string;
  /** The note, or null for tools tried in Servers. */
  readonly note: string | null;
  readonly executed: number;
  /** -1 is unlimited. */
  readonly limit: number;
  /** `near` from 80 % on. */
  readonly level: 'ok' | 'near' | 'reached';
}

export interface ResetSession {
  readonly id: string;
}

export interface CallHistory {
  /** Newest first. */
  readonly calls: readonly PastCall[];
  readonly isCut: boolean;
}

export interface PastCall {
  readonly id: string;
  readonly source: CallSource;
  readonly server: string;
  readonly tool: string;
  readonly note: string | null;
  readonly line: number | null;
  readonly status: string;
  readonly submittedAt: Time;
  readonly durationMs: number;
  readonly attempts: number;
  /** null until the log has it: read the history again. */
  readonly resultBytes: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface CallDetails {
  readonly call: PastCall;
  /** Kept in memory for recent calls only; null for older ones. */
  readonly params: Readonly<Record<string, unknown>> | null;
  readonly content: CallContent | null;
}

// --- settings ---

export interface SettingsState {
  /** `.errand/settings.json`, in full. */
  readonly file: string;
  readonly values: SettingsValues;
  /** What is wrong in the file, one line each. */
  readonly problems: readonly string[];
}

export interface SettingsValues {
  readonly mcpGlobalTimeout: number;
  readonly mcpConcurrentLimit: number;
  readonly mcpSessionLimit: number;
  readonly onError: 'replace' | 'keep';
  readonly attachmentsFolder: string;
  readonly logParameters: boolean;
  readonly logDays: number;
  readonly logMegabytes: number;
}

export type ChangeSettings = Partial<SettingsValues>;

export interface SecretList {
  /** Never their values. */
  readonly names: readonly string[];
  /** Named by the settings and not set. */
  readonly missing: readonly string[];
}

export interface SetSecret {
  readonly value: string;
}

// --- the editor ---

export interface Completion {
  readonly servers: readonly CompletionServer[];
}

export interface CompletionServer {
  readonly name: string;
  readonly enabled: boolean;
  /** Empty while the server was never connected. */
  readonly tools: readonly CompletionTool[];
}

export interface CompletionTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly CompletionParameter[];
}

export interface CompletionParameter {
  readonly name: string;
  /** In words: `text`, `whole number`, `one of: a, b`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly choices: readonly unknown[];
}

// --- what servers ask, and what is told ---

export type Question = {
  readonly id: string;
  readonly server: string;
  readonly message: string;
} & (
  | { readonly kind: 'form'; readonly schema: Readonly<Record<string, unknown>> }
  | { readonly kind: 'url'; readonly url: string }
);

export interface AnswerQuestion {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

export interface Notice {
  readonly level: 'info' | 'warning' | 'error';
  readonly message: string;
  /** Why, and what to do next. */
  readonly detail: string | null;
  readonly server: string | null;
}

export type WorkbenchEvent =
  /** What was missed is no longer known (or the program was started again): load everything anew. */
  | { readonly kind: 'reload' }
  | {
      readonly kind: 'notes-changed';
      readonly added: readonly string[];
      readonly removed: readonly string[];
    }
  /** The text is another: read it again if it is shown. `etag` is null when it can no longer be read. */
  | { readonly kind: 'note-changed'; readonly path: string; readonly etag: string | null }
  /** A block waits, runs or reports progress; with `end` it is done. */
  | {
      readonly kind: 'block-changed';
      readonly path: string;
      readonly key: string;
      readonly run: BlockRun | null;
      readonly end: BlockEnd | null;
    }
  | {
      readonly kind: 'run-started';
      readonly path: string;
      readonly runId: string;
      readonly keys: readonly string[];
    }
  | {
      readonly kind: 'run-ended';
      readonly path: string;
      readonly runId: string;
      readonly results: readonly BlockEnd[];
      /** Why it could not be run at all. */
      readonly error: Failure | null;
    }
  | { readonly kind: 'servers-changed'; readonly servers: readonly Server[] }
  | { readonly kind: 'server-changed'; readonly server: Server }
  | { readonly kind: 'tools-changed'; readonly serverId: string }
  | { readonly kind: 'trust-changed'; readonly trust: TrustState }
  | { readonly kind: 'call-changed'; readonly call: ActiveCall }
  | { readonly kind: 'call-ended'; readonly call: PastCall }
  | { readonly kind: 'calls-stopped'; readonly isStopped: boolean }
  | { readonly kind: 'session-changed'; readonly session: Session }
  | { readonly kind: 'settings-changed'; readonly settings: SettingsState }
  | { readonly kind: 'secrets-changed'; readonly secrets: SecretList }
  | { readonly kind: 'notice'; readonly notice: Notice }
  | { readonly kind: 'question-asked'; readonly question: Question }
  | { readonly kind: 'question-closed'; readonly id: string };
