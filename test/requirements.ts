/** What Errand promises, and the tests that show it. A row is done when its tests show all of it. */
export interface Requirement {
  readonly promise: string;
  readonly status: 'open' | 'done';
  /** `path: name of the test`, with the name as it stands in the file. */
  readonly tests: readonly string[];
}

export const requirements: Readonly<Record<string, Requirement>> = {
  // Servers and their life
  R1: done(
    'Servers are registered, edited, removed and switched, under names a note can use.',
    'test/end-to-end/servers.test.ts: a server is added with its test, edited in part, renamed, switched and removed',
    'test/end-to-end/servers.test.ts: servers of three other programs are imported, and what is switched off there stays off',
    'test/end-to-end/broken-settings.test.ts: bad entries among good ones are told with their place, and the good ones work',
    'packages/host/src/settings/server-name.test.ts: avoids names that are taken, ignoring case',
    'apps/cli/src/errand.test.ts: errand $line: says what to do, and changes nothing',
  ),
  R2: done(
    'A broken entry is reported with its path and remedy, and stops no other.',
    'packages/host/src/settings/read-settings.test.ts: reports a broken entry with its place and reads the others',
    'test/end-to-end/broken-settings.test.ts: bad entries among good ones are told with their place, and the good ones work',
    'test/end-to-end/broken-settings.test.ts: $name',
  ),
  R3: done(
    'Connected means handshake and tool list; every state is shown with its reason.',
    'packages/host/src/registry/next-server-state.test.ts: connects when it is used and is healthy after handshake and tool list',
    'test/end-to-end/servers.test.ts: the list shows how each server is, why, and when it is tried next',
    'apps/workbench/src/page/servers/servers-place.browser.test.ts: a connected server shows its figures, and opens with its tools',
    'apps/workbench/src/page/servers/server-life.browser.test.ts: a server that breaks shows attempt, reason and countdown, and is tried now when asked',
  ),
  R4: done(
    'Containers are created, watched and removed; nothing of ours keeps running.',
    'test/end-to-end/managed.docker.test.ts: a container is added, called and listed from the command line, and leaves nothing',
    'test/end-to-end/managed.docker.test.ts: a container that a killed errand left running is removed by the next start',
    'packages/host/src/docker/managed-connector.docker.test.ts: tells at once when the container ends, and removes it',
    'packages/host/src/docker/container-failures.docker.test.ts: says with exit code and last lines that a container ended at once',
    'packages/host/src/docker/container-failures.docker.test.ts: names the process that listens on the wanted port',
    'packages/host/src/docker/container-failures.docker.test.ts: says where it looked when there is no engine',
    'packages/host/src/docker/pull-image.docker.test.ts: says why an image cannot be pulled',
    'test/end-to-end/killed.test.ts: what a killed errand left running, and its children, is ended by the next start',
    'test/end-to-end/signals.test.ts: %s cancels the call at the server, ends every process and exits with 130',
    'test/end-to-end/signals.test.ts: an uncaught error ends every process, and says so',
  ),
  R5: done(
    'Servers that others run are checked, never started or stopped.',
    'packages/host/src/mcp/http/external-connector.test.ts: leaves a session when it is closed',
    'packages/host/src/mcp/http/external-faults.test.ts: works again, without a new connection, after the server was restarted',
    'packages/host/src/mcp/http/external-faults.test.ts: says that a server is gone as soon as its stream breaks',
  ),
  R6: done(
    'Losses are noticed at once, retried after 1, 5 and 15 s, then given up visibly.',
    'packages/host/src/registry/after-failure.test.ts: tries again after 1, 5 and 15 seconds and then gives up for good',
    'packages/host/src/registry/after-failure.test.ts: a connection resets the failures, and only a good health check the attempts',
    'packages/host/src/registry/after-failure.test.ts: gives up a server that crashes right after every start',
    'packages/host/src/registry/next-server-state.test.ts: try now connects at once and counts from zero',
    'packages/host/src/registry/server-runner.test.ts: a health check that fails twice ends the connection and makes a new one',
    'packages/host/src/registry/server-registry.test.ts: a server that stays dead is disabled in the settings, and enabling it starts anew',
    'packages/host/src/mcp/local-faults.test.ts: notices the kill of a server at once',
    'test/end-to-end/servers.test.ts: enabling a server that was given up forgets its failures',
  ),
  R7: done(
    'A server that hangs, floods, crashes or lies affects no other server.',
    'packages/host/src/host-with-processes.test.ts: servers that hang or misbehave do not keep the others waiting',
    'packages/host/src/mcp/local-faults.test.ts: lets no other server wait while one floods, hangs or crashes',
    'packages/host/src/node/schema-worker.test.ts: gives up a check that takes too long and is ready for the next',
    'packages/host/src/node/error-stream.test.ts: a host does not grow while a server writes 100 MB to standard error',
  ),
  R8: done(
    'The messages people see have fixed words.',
    'test/end-to-end/calls.test.ts: a server that dies in a call is told once, with its last words',
    'packages/host/src/registry/server-registry.test.ts: a server that stays dead is disabled in the settings, and enabling it starts anew',
    'packages/host/src/executor/limits.test.ts: a session warns at 80 %, refuses beyond its limit, and goes on after a reset',
    'packages/host/src/executor/limits.test.ts: stop ends running and queued calls at once, tells the servers, and refuses until resumed',
    'packages/host/src/executor/perform-call.test.ts: refuses what cannot run, says why, and sends nothing',
    'packages/document/src/blocks/parse-request.test.ts: bad YAML is reported on its line of the note',
    'test/end-to-end/calls.test.ts: a call prints its answer alone; with --json one document in the agreed shape',
    'test/end-to-end/servers.test.ts: a server is added with its test, edited in part, renamed, switched and removed',
    'packages/host/src/docker/container-failures.docker.test.ts: names the process that listens on the wanted port',
    'apps/workbench/src/page/calls/calls-place.browser.test.ts: one call is shown in full: parameters, answer, error and what to do',
  ),
  // Calls
  R10: done(
    'A call has a deadline, and the server is told when it passes or is cancelled.',
    'packages/host/src/executor/perform-call.test.ts: the timeout of the $name is used',
    'packages/document/src/blocks/parse-request.test.ts: options stand on the info line',
    'packages/host/src/executor/perform-call.test.ts: the deadline runs from the start of the call, not while it waits for its server or its turn',
    'packages/host/src/executor/perform-call.test.ts: progress is passed on, and extends the deadline only when asked',
    'packages/host/src/host-with-processes.test.ts: a call that takes too long ends at its deadline, and the server is told',
    'packages/host/src/executor/executor.test.ts: the caller can end a call; the server is told, also when it does not react',
    'packages/host/src/settings/read-settings.test.ts: fills the defaults',
  ),
  R11: done(
    'Calls are limited at once and per session, can be stopped, and are remembered.',
    'packages/host/src/executor/limits.test.ts: 26 calls at a limit of 25: one waits, none fails',
    'packages/host/src/executor/limits.test.ts: -1 lifts both limits',
    'packages/host/src/executor/limits.test.ts: a session warns at 80 %, refuses beyond its limit, and goes on after a reset',
    'packages/host/src/executor/limits.test.ts: stop ends running and queued calls at once, tells the servers, and refuses until resumed',
    'packages/host/src/executor/executor.test.ts: the history keeps who, when, how long and how it ended',
    'test/end-to-end/calls.test.ts: history keeps the calls, newest first, and filters by server, note and number',
    'apps/workbench/src/page/calls/calls-place.browser.test.ts: stop all ends everything from any place, and resume lets it go on',
    "apps/workbench/src/page/calls/calls-place.browser.test.ts: a session's limit is warned of, reached and reset",
    'apps/workbench/src/page/calls/calls-place.browser.test.ts: the history is filtered by the address, loaded in steps, and two tabs agree',
  ),
  R12: done(
    "Parameters are typed and checked by the tool's schema before the call.",
    'packages/document/src/params/type-params.test.ts: what cannot be converted is a problem with path, expected and actual',
    'packages/host/src/executor/perform-call.test.ts: types the parameters with the schema before checking and sending them',
    'packages/host/src/executor/perform-call.test.ts: refuses what cannot run, says why, and sends nothing',
    'packages/host/src/node/schema-worker.test.ts: checks patterns and formats, and says what is wrong with which parameter',
  ),
  R13: done(
    'Results are typed and bounded; what is large or binary becomes a file.',
    'packages/host/src/executor/type-result.test.ts: prefers structured content and keeps the images beside it',
    'packages/host/src/mcp/local-faults.test.ts: delivers 10 MiB, refuses 70 MiB, and keeps the connection',
    'test/golden/golden.test.ts: %s',
  ),
  R14: done(
    'The same block asked again while it runs joins the running call.',
    'packages/host/src/executor/executor.test.ts: the same block asked again while it runs joins the running call',
    'packages/host/src/executor/executor.test.ts: a joined call ends when the last of its callers gives up',
  ),
  // Notes
  R20: done(
    'A block runs when asked, never otherwise; its result stands below it.',
    'test/end-to-end/run-a-note.test.ts: a note runs a tool of the vault server and shows the answer below the block',
    'test/notes/nothing-runs.test.ts: listing, explaining and saving a note call nothing and start no server',
    'test/notes/nothing-runs.test.ts: a dry run asks for the tools, calls none, and finds what a run would refuse',
    'test/notes/run-options.test.ts: a second run changes neither a byte nor the modification time, files included',
  ),
  R21: done(
    'Every block shows its state.',
    'test/notes/block-states.test.ts: every state that a block can have is shown',
    'test/notes/block-states.test.ts: on a terminal a line for each block shows that it waits, runs, and how it ended',
    'test/notes/nothing-runs.test.ts: watching a vault tells each change of a block on a line of JSON, and ends well',
    'apps/workbench/src/page/notes/run-blocks.browser.test.ts: the whole way: choose a note, run a block, see it run, find the answer in the file',
    'apps/workbench/src/page/notes/run-blocks.browser.test.ts: an answer that was edited in the file is replaced or kept only after a question',
  ),
  R22: done(
    'The note survives everything; a write is whole or not at all.',
    'test/notes/killed-runs.test.ts: a run that is killed at any moment leaves the note whole',
    'test/notes/changed-meanwhile.test.ts: a note that another program changes while the tool works loses nothing and gets no misplaced result',
    'test/notes/hostile-disks.test.ts: on a full disk the note stays as it was, and the answer is shown',
    'test/notes/hostile-disks.test.ts: a note that is marked read-only is refused, and its tool is not called',
    'test/notes/two-runs.test.ts: two runs of one note at once end well, and the note has each result once',
    'test/notes/run-options.test.ts: a hand-edited result is refused with 3 and untouched, and the other blocks run',
    'test/notes/cancelled-run.test.ts: Ctrl-C in the middle keeps what has finished, writes nothing else, and tells the server',
    'test/golden/golden.test.ts: %s',
  ),
  R23: done(
    'Sections bind servers, visibly, and the most specific binding wins.',
    'packages/document/src/sections/resolve-sections.test.ts: explains every decision, and how it is inherited and overridden',
    'packages/document/src/sections/resolve-sections.test.ts: lines win over blocks, blocks over headings',
    'packages/document/src/sections/resolve-sections.test.ts: a bound section refuses other servers and serves mcp blocks',
    'packages/document/src/sections/resolve-sections.test.ts: a binding to a server that does not exist refuses its section, and only that',
    'packages/document/src/sections/settings-bindings.test.ts: settings bind where the frontmatter does not',
    'test/notes/gateway-scope.test.ts: over HTTP each client chooses its note by the address',
    'apps/workbench/src/page/notes/run-blocks.browser.test.ts: a binding changed in the rail stands in the frontmatter, and what it forbids says so',
  ),
  R24: done(
    'Each edge case of the specification has an answer and a test.',
    'test/notes/edge-cases.test.ts: each of the ten edge cases has an answer, a reason and tests that exist',
  ),
  // Assistant
  R30: done(
    "A model sees and uses the section's tools; text and calls stream.",
    'packages/assistant/src/note/bound-section.test.ts: a bound section offers only its server’s tools, and the model can call no other',
    'packages/assistant/src/turn/converse.test.ts: tools of a disabled server are absent, and of one that is switched off meanwhile too',
    'packages/assistant/src/turn/wire-formats.test.ts: streams text',
    'packages/assistant/src/turn/wire-formats.test.ts: makes a call and gives its answer to the model',
    'packages/assistant/src/turn/wire-formats.test.ts: makes parallel calls, over several rounds',
    'packages/assistant/src/turn/converse.test.ts: of 300 tools the section’s come first and the rest by a search, within the budget',
    'test/end-to-end/ask.test.ts: a question is answered on standard output, with the calls on standard error',
    'apps/workbench/src/page/assistant/assistant-place.browser.test.ts: a question is asked by keyboard alone: words are seen as they come, the call as a card, the cost at the end',
  ),
  R31: done(
    'Every call a model makes is logged, and loops end.',
    'packages/assistant/src/turn/converse.test.ts: the log has every request and call, with conversation, note, line, tokens and time',
    'packages/assistant/src/turn/limits.test.ts: after ten rounds of tools the model must answer with what it has',
    'packages/assistant/src/turn/limits.test.ts: the same call with the same answer three times ends the turn',
    'packages/assistant/src/turn/approval.test.ts: what changes something asks first, and a yes lets it run once',
    'packages/assistant/src/turn/approval.test.ts: an answer that claims to permit everything permits nothing',
    'test/end-to-end/ask.test.ts: without a person or --yes nothing is changed; with --yes it is',
    'apps/workbench/src/page/assistant/assistant-place.browser.test.ts: what changes something is allowed or not in its place, by keyboard, and is told in every place',
  ),
  R32: done(
    'Conversations live in the note, their calls as ordinary blocks.',
    'packages/assistant/src/note/answer-in-note.test.ts: the open question is answered below it, with calls as blocks',
    'packages/assistant/src/note/answer-in-note.test.ts: a question is written into the note, and the transcript is sent back with its calls',
    'packages/assistant/src/note/typing-meanwhile.test.ts: nothing is lost of what another process types above and below the answer',
    'packages/document/src/conversation/write-answer.test.ts: harms no note, whatever the note and the answer',
    'test/end-to-end/ask.test.ts: the question in a note is answered there, and the next one knows of it',
    'test/end-to-end/ask.test.ts: Ctrl-C in the middle of an answer leaves the note whole',
    'apps/workbench/src/api/assistant/note-conversation.test.ts: a conversation in a note is written there while another program edits the note',
    'apps/workbench/src/page/assistant/assistant-place.browser.test.ts: beside a note the conversation is kept in it, while another program edits the note',
    'apps/workbench/src/page/assistant/assistant-place.browser.test.ts: a page that is loaded in the middle shows everything, two tabs agree, and what is typed stays',
  ),
  // Faces
  R40: done(
    'Settings ask only for what is needed; notices never block.',
    'apps/workbench/src/page/settings/settings-place.browser.test.ts: settings are changed and saved; a mistake is explained at its field',
    'apps/workbench/src/page/settings/settings-place.browser.test.ts: what another program or tab stores appears at once and takes nothing from what is typed',
    'apps/workbench/src/page/settings/settings-place.browser.test.ts: secrets are set, replaced and removed by name; a missing one comes first',
    'apps/workbench/src/page/servers/add-server.browser.test.ts: adds a server by command: named, tested step by step, enabled',
    'apps/workbench/src/page/servers/add-server.browser.test.ts: wrong input is explained at its field, and nothing is stored',
    'apps/workbench/src/page/servers/server-life.browser.test.ts: a server that is given up is told as a notice and in its row, and comes back when enabled',
    'apps/workbench/src/page/model/toasts.test.ts: three are shown at once; the others wait for their turn and none is lost',
    'apps/workbench/src/page/shell/app.browser.test.ts: notices wait for their turn, and at 380 pixels they cover nothing',
  ),
  R41: open('The Obsidian plugin shows and does all of this in the editor.'),
  // Hooks
  R50: open('Events trigger actions under conditions, limits and a log.'),
  // Server kit and Bitbucket
  R60: done(
    'One definition serves stdio, HTTP and SSE to many isolated, bounded clients.',
    'test/conformance/other-transports.test.ts: serves what the conformance suite asks for',
    'packages/server-kit/src/http/sessions.test.ts: serves 100 clients at once, each only its own messages, and refuses the 101st',
    'packages/server-kit/src/sessions.test.ts: drops a session that is idle for too long, and only that',
    'packages/server-kit/src/sessions.test.ts: refuses new sessions from 90 % of the memory limit on, but serves single requests',
    'packages/server-kit/src/memory.test.ts: uses no more memory after 10,000 calls than after the first 1,000',
    'packages/server-kit/src/http/sse.test.ts: shares a port with Streamable HTTP',
  ),
  R61: done(
    'Tools have checked input and output, unique names, and a server status.',
    'packages/server-kit/src/call-tool.test.ts: names unknown input keys and the known ones',
    'packages/server-kit/src/call-tool.test.ts: refuses an output that does not fit its schema',
    'packages/server-kit/src/tool-table.test.ts: finds a tool by name and knows when it was registered',
    'packages/server-kit/src/tool-table.test.ts: refuses two tools of one name',
  ),
  R61a: done(
    'A server shows its identity, transports, sessions and tools.',
    'packages/server-kit/src/serve.test.ts: tells what it is and has',
    'packages/server-kit/src/serve.test.ts: tells of each transport the last message that it could not serve',
    'packages/server-kit/src/serve.test.ts: serves standard input and HTTP at once, and goes on with HTTP when the input ends',
    'packages/server-kit/src/sessions.test.ts: never has an activity before the connection, even when the clock is set back',
    'packages/server-kit/src/tool-table.test.ts: holds a thousand tools and no more',
    'packages/server-kit/src/server-status.test.ts: a server that is %s answers the event %s',
  ),
  R62: done(
    'Malformed JSON-RPC gets the right code, never a crash or silence.',
    'packages/server-kit/src/stdio/framing.test.ts: answers every line with the right code, however the bytes are cut',
    'test/conformance/conformance.test.ts: passes every required scenario of both official referees',
    'packages/server-kit/src/call-tool.test.ts: refuses an answer of 50 MB and says how much can be sent',
    'servers/vault/src/vault-editing.test.ts: reads a long note in parts',
  ),
  R63: open('Bitbucket Data Center and Cloud have one set of tools.'),
  // Mail and vault
  R70: done(
    'The vault server reads, writes, lists, moves and searches, only inside the vault.',
    'servers/vault/src/vault-server.test.ts: writes, reads, lists, moves and deletes a note',
    'servers/vault/src/index/search-notes.test.ts: finds exactly what a plain scan finds, before, while and after the index is built',
    'servers/vault/src/files/containment.test.ts: is never led outside by a folder that keeps turning into a link',
    'servers/vault/src/files/containment.test.ts: reads a hard link to an outside file but never changes it',
    'servers/vault/src/vault-server.test.ts: never executes a note that begins with ---js',
    'servers/vault/src/files/change-note.test.ts: is whole after the writer was killed at any moment',
  ),
  R71: open('The Gmail server lists, reads, sends and labels mail.'),
  R72: open('Mail becomes notes, drafts, approvals and at most one sent message.'),
  R73: done(
    'Every server of ours reports failures in one taxonomy.',
    'servers/vault/src/vault-server.test.ts: answers with the error taxonomy',
    "packages/server-kit/src/call-tool.test.ts: passes a tool's own error on with its code and details",
    'packages/server-kit/src/call-tool.test.ts: hides an unexpected error behind an id that is in the log',
  ),
};

function open(promise: string, ...tests: string[]): Requirement {
  return { promise, status: 'open', tests };
}

function done(promise: string, ...tests: string[]): Requirement {
  return { promise, status: 'done', tests };
}
