import { done, type Requirement } from './requirement.ts';

/** What is asked of calls. */
export const calls: Readonly<Record<string, Requirement>> = {
  R10: done(
    'A call has a deadline, and the server is told when it passes or is cancelled.',
    'packages/host/src/executor/perform-call.test.ts: the timeout of the $name is used',
    'packages/document/src/blocks/parse-request.test.ts: reads options from the info line',
    'packages/host/src/executor/perform-call.test.ts: the deadline runs from the start of the call, not while it waits for its server or its turn',
    'packages/host/src/executor/perform-call.test.ts: progress is passed on, and extends the deadline only when asked',
    'packages/machine/src/vault/host-with-processes.test.ts: ends a call that takes too long at its deadline and notifies the server',
    'packages/host/src/executor/executor.test.ts: lets the caller cancel a call and notifies the server, also when it does not react',
    'packages/host/src/settings/read-settings.test.ts: fills the defaults',
  ),
  R11: done(
    'Calls are limited at once and per session, can be stopped, and are remembered.',
    'packages/host/src/executor/limits.test.ts: makes one of 26 calls wait at a limit of 25, and fails none',
    'packages/host/src/executor/limits.test.ts: -1 lifts both limits',
    'packages/host/src/executor/limits.test.ts: warns at 80 % of a session’s limit, refuses beyond it, and continues after a reset',
    'packages/host/src/executor/limits.test.ts: stop ends running and queued calls at once, tells the servers, and refuses until resumed',
    'packages/host/src/executor/executor.test.ts: the history keeps who, when, how long and how it ended',
    'test/end-to-end/calls.test.ts: history keeps the calls, newest first, filters them, and shows one in full',
    'apps/workbench/src/page/calls/calls-page.browser.test.ts: stop all ends every call from any page, and resume allows new ones',
    "apps/workbench/src/page/calls/calls-page.browser.test.ts: a session's limit is warned of, reached and reset",
    'apps/workbench/src/page/calls/calls-page.browser.test.ts: the history is filtered by the address, loaded in steps, and two tabs agree',
  ),
  R12: done(
    "Parameters are typed and checked by the tool's schema before the call.",
    'packages/document/src/params/type-params.test.ts: what cannot be converted is a problem with path, expected and actual',
    'packages/host/src/executor/perform-call.test.ts: types the parameters with the schema before checking and sending them',
    'packages/host/src/executor/perform-call.test.ts: refuses what cannot run, says why, and sends nothing',
    'packages/machine/src/node/schema-worker.test.ts: checks patterns and formats, and says what is wrong with which parameter',
  ),
  R13: done(
    'Results are typed and bounded; what is large or binary becomes a file.',
    'packages/host/src/executor/type-result.test.ts: prefers structured content and keeps the images beside it',
    'packages/machine/src/mcp/local-faults.test.ts: delivers 10 MiB, refuses 70 MiB, and keeps the connection',
    'test/golden/golden.test.ts: large-text',
    'test/golden/golden.test.ts: image',
    'test/golden/golden.test.ts: several-parts',
    'test/golden/golden.test.ts: as-json',
    'test/golden/golden.test.ts: callout-result',
    'test/golden/golden.test.ts: live-markdown',
    'test/golden/golden.test.ts: text-beside-structured-content',
    'test/golden/golden.test.ts: nested-fences-in-results',
  ),
  R14: done(
    'The same block asked again while it runs joins the running call.',
    'packages/host/src/executor/executor.test.ts: the same block asked again while it runs joins the running call',
    'packages/host/src/executor/executor.test.ts: a joined call ends when the last of its callers gives up',
  ),
};
