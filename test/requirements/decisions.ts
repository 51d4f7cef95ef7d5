import { done, open, type Requirement } from './requirement.ts';

const run = 'packages/host/src/notes/run-note.test.ts';
const limits = 'packages/host/src/executor/limits.test.ts';
const registry = 'packages/host/src/registry/server-registry.test.ts';
const retry = 'packages/host/src/executor/retry.test.ts';
const sections = 'packages/document/src/sections/resolve-sections.test.ts';
const approval = 'packages/assistant/src/turn/approval.test.ts';
const engine = 'packages/hooks/src/engine/hook-engine.test.ts';
const golden = 'test/golden/golden.test.ts';
const gateway = 'test/bench/gateway.bench.ts';
const notes = 'test/bench/notes.bench.ts';
const vault = 'test/bench/vault.bench.ts';

/** What was decided where the specifications disagree or are silent. */
export const decisions: Readonly<Record<string, Requirement>> = {
  D1: done(
    'A server is a command, a container or a URL.',
    'packages/host/src/settings/documented-settings.test.ts: an example of docs/settings.md is accepted without a complaint',
    'packages/machine/src/docker/managed-connector.docker.test.ts: speaks to the reference server over %s and leaves nothing',
    'test/end-to-end/servers.test.ts: a server is added with its test, edited in part, renamed, switched and removed',
  ),
  D2: done(
    'Transports are stdio, Streamable HTTP and the older SSE, both ways.',
    'packages/machine/src/mcp/http/external-connector.test.ts: speaks the older SSE transport',
    'packages/machine/src/mcp/http/external-connector.test.ts: speaks %s over Streamable HTTP, answered in one document: %s',
    'packages/server-kit/src/http/sse.test.ts: shares a port with Streamable HTTP',
  ),
  D3: done(
    'Results are never cached; lists of tools are, for five minutes.',
    'packages/host/src/registry/tool-list.test.ts: the tools are read again after five minutes, or when the server says that they changed',
    'packages/document/src/blocks/find-tool-blocks.test.ts: marks a result stale when any part of its request changed',
  ),
  D4: done(
    'A call is repeated only when that cannot act twice.',
    `${retry}: a call that a crash interrupts fails at once and is never repeated`,
    `${retry}: a crashed call is repeated when its tool declares %s, once the server is back`,
    `${retry}: a call that never reached the server is repeated whatever its tool`,
    `${retry}: other failures are never repeated`,
  ),
  D5: done(
    'Too many at once wait in a fair queue; too many in a session are refused.',
    `${limits}: makes one of 26 calls wait at a limit of 25, and fails none`,
    `${limits}: warns at 80 % of a session’s limit, refuses beyond it, and continues after a reset`,
    `${limits}: -1 lifts both limits`,
    'packages/host/src/concurrency/semaphore.test.ts: among calls that wait, servers take turns, and for each server its sessions',
  ),
  D6: done(
    'A session is a note, a conversation, a chain of hooks, a command, or a client of the gateway.',
    "apps/workbench/src/page/notes/run-blocks.browser.test.ts: the session's limit is warned of, reached, and reset",
    'packages/assistant/src/note/note-session.test.ts: the session limit counts over the turns of a conversation, until it is reset',
    'test/end-to-end/one-owner.test.ts: a run of the command line is a session of its own, and ends with the command',
    'apps/workbench/src/api/assistant/conversation-sessions.test.ts: the session limit counts over the turns of a conversation %s, until it is reset',
    'packages/gateway/src/gateway.test.ts: is made by the executor in the name of the client, without a limit',
    'packages/hooks/src/actions/mcp-action.test.ts: calls the tool in the session of the chain, with parameters typed by the schema',
    'packages/hooks/src/actions/ask-assistant.test.ts: answers with the tools it may use, in the session of the chain, and asks nobody',
  ),
  D7: done(
    'A block uses its own server; a bound section refuses others.',
    `${sections}: a bound section refuses other servers and serves mcp blocks`,
    `${golden}: mcp-without-binding`,
    `${golden}: mcp-in-a-bound-section`,
    `${golden}: section-refuses-another-server`,
  ),
  D8: done(
    'Bindings live in the settings and in the frontmatter, which wins.',
    'packages/document/src/sections/settings-bindings.test.ts: settings bind where the frontmatter does not',
    `${golden}: frontmatter-wins-over-settings`,
    `${golden}: settings-bind-by-path`,
  ),
  D9: done(
    'Names of our own tools are strict; foreign ones are taken as they are.',
    'packages/server-kit/src/define-tool.test.ts: refuses the name "%s"',
    'packages/gateway/src/safe-name.test.ts: in the %s era tools with unsafe names are listed under safe ones and called by either',
  ),
  D10: done(
    "A server's version is its own; the protocol's is a date.",
    'packages/server-kit/src/serve.test.ts: reports its name, version, transports, sessions and tools',
    'packages/gateway/src/serve-on-stdio.test.ts: a newer version that is unknown is refused with those that are known',
  ),
  D11: done(
    "Text is typed by the tool's schema; what does not fit is named.",
    'packages/document/src/params/type-params.test.ts: text from a command line or a mapping is typed by the same rules',
    'packages/document/src/params/type-params.test.ts: what cannot be converted is a problem with path, expected and actual',
  ),
  D12: done(
    'A hook is skipped while its server is unavailable, and invalid when it is removed.',
    'packages/hooks/src/actions/mcp-action.test.ts: fault 8 of the origin: a server that is switched off or does not start is skipped, without a dialog',
    `${engine}: later actions read the results of earlier ones, and onError decides whether they run`,
    'packages/hooks/src/definitions/check-hook.test.ts: finds %s (fault 3 of the origin)',
    'packages/hooks/src/definitions/check-hook.test.ts: takes a server that never listed its tools at its word, and says that one is switched off',
  ),
  D13: done(
    'A model asks before it calls a tool that is not read-only; per server otherwise.',
    `${approval}: asks before a tool that changes something, and an approval allows one call`,
    `${approval}: asks before a read-only tool too when the rule is "always"`,
  ),
  D14: done(
    'Mail is sent once, or a person is asked.',
    'servers/gmail/src/sending/kill-steps.test.ts: sends one mail, whichever write, sync or request of sending it was killed before or after',
    'servers/gmail/src/sending/sending.test.ts: waits for a person when the draft was %s meanwhile',
    'servers/gmail/src/sending/recovery.test.ts: finds a sent mail that Gmail shows late',
  ),
  D15: done(
    'An approved draft is not retried for ever.',
    'packages/mailroom/src/decisions.test.ts: a draft is tried after 1, 5 and 15 minutes, then hourly, for a day',
    'test/mail/broken-world.test.ts: a bad address goes to a person at once, and one that keeps failing after a day',
  ),
  D16: done(
    'A server is stored disabled, tested, and enabled when it works.',
    'test/end-to-end/servers.test.ts: a server is added with its test, edited in part, renamed, switched and removed',
    'test/end-to-end/servers.test.ts: stores a server that does not work as disabled, and shows its last output',
    'test/end-to-end/calls.test.ts: init makes a vault that works, and never overwrites',
  ),
  D17: done(
    'Nothing that came with a vault runs before a person on this machine agreed.',
    'test/end-to-end/trust.test.ts: starts nothing of a foreign vault until a person approves it',
    'test/end-to-end/trust.test.ts: remembers an approval, asks again for a changed command, and lets it be revoked',
    'test/end-to-end/trust.test.ts: --trust and ERRAND_TRUST=1 approve for one run only',
  ),
  D18: done(
    'No circle of calls runs for ever.',
    'packages/machine/src/mcp/answer-server.test.ts: lets the model of a caller answer for a %s server, without tools',
    'packages/machine/src/mcp/answer-server.test.ts: declines to ask a model when %s',
    'packages/gateway/src/hops.test.ts: a gateway that reaches itself lists its own tools four times at most',
    'packages/gateway/src/hops.test.ts: a gateway that reaches itself refuses the call after four rounds',
    `${engine}: an event that a hook caused itself, and the end of a long chain, run nothing and are logged`,
    'packages/hooks/src/sources/host-sources.test.ts: tells how a call ended, and from which chain it came',
    'packages/hooks/src/sources/file-source.test.ts: files that an action may have written inherit its chain',
  ),
  D19: done(
    "A person's run of many blocks raises its limit to their number.",
    `${run}: a person who runs many blocks raises the limit of that run to their number`,
    'packages/workspace/src/runs/note-runs.test.ts: a note with more blocks than the limit runs whole, and one block does not raise it',
  ),
  D20: done(
    'Our servers have two more error codes: conflict and invalid_input.',
    'servers/vault/src/vault-server.test.ts: answers with the error taxonomy',
  ),
  D21: done(
    'The messages of R8 and the JSON of the command line are fixed.',
    'test/end-to-end/calls.test.ts: a call prints its answer alone; with --json one document in the agreed shape',
    'packages/host/src/executor/perform-call.test.ts: refuses what cannot run, says why, and sends nothing',
  ),
  D22: done(
    'The settings file changes only when a person changes it.',
    'test/end-to-end/one-owner.test.ts: a vault under git has no changes after use, also when a server was given up',
    'test/end-to-end/servers.test.ts: an edit stores nothing that this machine knows of a server',
    `${registry}: moves what an older settings file says of a server into the state of this machine, once`,
  ),
  D23: done(
    'Programs that stay connect to all enabled, agreed servers once they are ready.',
    `${registry}: connects at start the servers that are agreed to and do not wait for their first use`,
    `${registry}: connect: on-use holds for all servers that do not say otherwise, and enabling connects`,
  ),
  D24: done(
    'Conversations are found by their beginning; gone settings change nothing; broken bindings forbid.',
    'packages/document/src/conversation/find-conversations.test.ts: identifies a conversation by its beginning, wherever it moves and however long it gets',
    'packages/workspace/src/settings/stored-settings.test.ts: says that the settings are gone, until they are back',
    'packages/workspace/src/servers/import-servers.test.ts: recognises a stored server by what it starts, whatever its name, secrets and rules',
    'packages/document/src/sections/frontmatter-bindings.test.ts: a mistake never lifts a restriction: the whole note refuses %j',
  ),
  D25: done(
    'A model that names a tool of a disabled server is told so, and the person can enable it.',
    'packages/assistant/src/turn/converse.test.ts: tells a model that names a tool of a disabled server so, and the person how to enable it',
  ),
  D26: done(
    'One program owns a vault, and the others attach.',
    'test/end-to-end/one-owner.test.ts: three programs use one process of a server, and the page shows the calls of the others live',
    'test/end-to-end/one-owner.test.ts: stopping in one program stops the calls of all, until any of them resumes',
  ),
  D27: done(
    'Blocks run in order, and a note run again repeats nothing that may act twice.',
    `${run}: a block that may change something waits for all above it and holds all below it`,
    `${run}: a note run again leaves finished blocks alone whose tool may act a second time`,
    'packages/host/src/notes/run-in-order.test.ts: items that only read run side by side, and a change waits for all above and holds all below',
  ),
  D28: done(
    'Giving up a server is a fact of this machine, and never for what is not its fault.',
    `${registry}: a server that stays dead is disabled on this machine only, and enabling it starts anew`,
    `${registry}: a server that was given up is tried again when its entry changes`,
    'packages/host/src/registry/after-failure.test.ts: retries a server that had worked every five minutes',
    'packages/machine/src/mcp/http/odd-statuses.test.ts: does not count a request to wait as a failure, also while connecting',
  ),
  D29: done(
    'A vault has one settings file, the same for every program.',
    'packages/machine/src/node/settings-places.test.ts: uses the settings file where it exists, else the data file of the plugin',
    'packages/machine/src/node/settings-places.test.ts: a chosen settings file holds, and the settings of the data file become a backup',
    'test/end-to-end/one-settings-file.test.ts: makes no second settings file in a vault of the plugin',
  ),
};

/** Numbers that must be reached, and the benchmarks that measure them. */
export const numbers: Readonly<Record<string, Requirement>> = {
  N1: done('A block is shown as executing within 100 ms.', `${notes}: notes: block to "executing"`),
  N2: done(
    'The executor adds at most 0.30 ms to a call.',
    `${notes}: notes: call through the executor, p50`,
  ),
  N3: done(
    'The gateway beats the best peer in latency, CPU and rate.',
    `${gateway}: added p50`,
    `${gateway}: calls at 25 at once`,
  ),
  // Measured as shipped; done once a run on a quiet machine reaches every target.
  N4: open(
    'The gateway is close to the floor, as shipped, and stays small.',
    `${gateway}: <= floor + 0.04 ms`,
    `${gateway}: <= 1.5 x floor`,
    `${gateway}: >= 0.85 x floor`,
    `${gateway}: gateway: memory after`,
    `${gateway}: gateway: memory idle with 10 servers`,
  ),
  N5: done(
    '50 servers start as fast as with the best peer; one that hangs delays no other.',
    `${gateway}: gateway: 50 servers started, all tools listed`,
    `${gateway}: gateway: delay of calls to others by a server that hangs at start`,
  ),
  N6: done(
    'A crash is an error within 0.1 s, and healed within 1.5 s.',
    `${gateway}: gateway: crash of a server to the error at its caller`,
    `${gateway}: gateway: crash of a server to its next answer`,
  ),
  N7: done(
    'A container has listed its tools 2 s after its start.',
    'test/bench/container.docker.bench.ts: container: start to tools listed',
  ),
  N8: done(
    '10 MiB pass in 0.35 s, and 100 MB on standard error take less than 5 MB.',
    `${gateway}: gateway: 10 MiB result`,
    `${gateway}: gateway: memory grown by 100 MB on standard error`,
  ),
  N9: done(
    'A host that is idle with ten servers takes at most 90 MB.',
    `${gateway}: gateway: memory idle with 10 servers`,
  ),
  N10: done('10 MB of notes are scanned in 250 ms.', `${notes}: notes: scanning 10 MB`),
  N11: done(
    'A vault of 10,000 notes is searched in 10 ms, listed in 20 ms and opened in 0.6 s.',
    `${vault}: search, p50`,
    `${vault}: filtered list, p50`,
    `${vault}: start to first search`,
  ),
  N12: done(
    'A vault of 100,000 notes is searched in 50 ms within 250 MB.',
    `${vault}: search, p50`,
    `${vault}: memory`,
  ),
  N13: done('The vault server answers 200 ms after its start.', `${vault}: start to first answer`),
};
