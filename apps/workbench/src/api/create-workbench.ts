import { basename } from 'node:path';
import { catchFaults, faultNotice } from '@errand/host';
import { Activity, type ActivityEvent } from '@errand/workspace/activity';
import { NoteRuns } from '@errand/workspace/runs';
import { KnownTools } from '@errand/workspace/suggestions';
import type { Http2Bindings, HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { z } from 'zod';
import type { AnswerQuestion, NewLink, WorkbenchEvent, WorkbenchState } from '../contract.ts';
import { AssistantList } from './assistant/assistant-list.ts';
import { assistantRoutes } from './assistant/assistant-routes.ts';
import { ConversationDesk } from './assistant/conversation-desk.ts';
import { callRoutes } from './calls/call-routes.ts';
import { RecentCalls } from './calls/recent-calls.ts';
import { EventLog } from './events/event-log.ts';
import { EventStreams } from './events/event-stream.ts';
import { answerFailure } from './http/answer-failure.ts';
import { ApiError } from './http/api-error.ts';
import { done } from './http/done.ts';
import { type Guard, guardRequests, openingLink, originOf } from './http/guard.ts';
import { needsVault } from './http/needs-vault.ts';
import { pageRoutes } from './http/page-routes.ts';
import { limitBodies, readBody } from './http/read-body.ts';
import { securityHeaders } from './http/security-headers.ts';
import { NoteDesk } from './notes/note-desk.ts';
import { noteRoutes } from './notes/note-routes.ts';
import { describeRunEvent } from './notes/run-blocks.ts';
import { NoteSearch } from './notes/search-notes.ts';
import { type VaultChange, VaultWatch } from './notes/vault-watch.ts';
import { importRoutes } from './servers/import-routes.ts';
import { ServerDesk } from './servers/server-desk.ts';
import { serverRoutes } from './servers/server-routes.ts';
import { toolRoutes, triedTools } from './servers/tool-routes.ts';
import { trustRoutes } from './servers/trust-routes.ts';
import { settingsRoutes } from './settings/settings-routes.ts';
import { readSettingsState } from './settings/settings-state.ts';
import type { WorkbenchPorts } from './workbench-ports.ts';

/** The page and its API. Disposing it ends what runs for its pages; the host is its owner's. */
export interface Workbench extends AsyncDisposable {
  /** The bindings tell from where a request came. */
  fetch(request: Request, bindings: HttpBindings | Http2Bindings): Response | Promise<Response>;
}

export function createWorkbench(
  ports: WorkbenchPorts,
  guard: Guard,
  gatewayToken?: string,
): Workbench {
  const { host, folder } = ports;
  const log = new EventLog();
  const streams = new EventStreams(log);
  const onFault = (what: string) => (error: unknown) => ports.desk.notify(faultNotice(what, error));
  const feed = catchFaults(log.append, onFault('The pages were not told of a change'));
  const activity = new Activity(host, {
    otherSessions: [triedTools],
    onFault: onFault('The pages were not told of a call'),
  });
  const { sessions } = activity;
  const recent = new RecentCalls();
  activity.subscribe((event) => {
    if (event.kind === 'call-ended') recent.add(event);
    feed(describeActivity(event));
  });
  const servers = new ServerDesk({ ...ports, feed });
  const assistants = new AssistantList(ports, feed);
  const conversations = new ConversationDesk({ ...ports, sessions, feed });
  const runs = new NoteRuns({
    ...ports,
    sessions,
    onFault: onFault('The pages were not told of a run'),
  });
  const notes = new NoteDesk({
    ...ports,
    sessions,
    feed,
    runOf: (path, key) => runs.runningBlock(path, key),
  });
  runs.subscribe((event) => {
    feed(describeRunEvent(event));
    if (event.kind === 'block-changed' && event.outcome?.written) notes.touch(event.path);
  });
  const search = new NoteSearch(folder);
  const tools = new KnownTools(host);
  const follow = (change: VaultChange) => {
    const { added, removed } = differenceOf(change);
    if (added.length + removed.length > 0) feed({ kind: 'notes-changed', added, removed });
    for (const path of [...change.paths, ...removed]) search.forget(path);
    if (change.paths.has('')) search.clear();
    for (const path of change.paths) notes.touch(path);
    if (change.before !== change.after) notes.touchAll();
  };
  const watch = new VaultWatch(folder, follow, onFault('A change of the notes was missed'));
  let toldSettings = '';
  const unsubscribe = host.events.subscribe((event) => {
    servers.follow(event);
    if (event.kind !== 'settings-changed') return;
    assistants.tell();
    const tellNews = async () => {
      const settings = await readSettingsState(ports);
      const text = JSON.stringify(settings);
      if (text === toldSettings) return;
      toldSettings = text;
      feed({ kind: 'settings-changed', settings });
    };
    tellNews().catch(onFault('The pages were not told of changed settings'));
  });
  ports.desk.connect(feed);

  const api = new Hono();
  api.use(guardRequests(guard));
  api.use(limitBodies);
  api.get('/state', async (context) => {
    // Taken first: what happens meanwhile is told again rather than lost.
    const { sequence } = log;
    const state: WorkbenchState = {
      sequence,
      version: ports.version,
      vault: { name: basename(folder), folder },
      gateway: { url: `${originOf(guard)}/mcp`, token: gatewayToken ?? null },
      servers: servers.list(),
      trust: servers.trustState,
      calls: activity.snapshot,
      assistant: { assistants: assistants.list(), conversations: conversations.states },
      settings: await readSettingsState(ports, context.req.raw.signal),
      questions: ports.desk.questions,
    };
    return context.json(state);
  });
  api.post('/link', (context) => context.json({ link: openingLink(guard) } satisfies NewLink));
  api.get('/events', ({ req }) => streams.open(req.header('last-event-id') ?? req.query('after')));
  api.post('/questions/:id', async (context) => {
    ports.desk.answer(context.req.param('id'), await readBody(context, answerSchema));
    return context.json(done);
  });
  const needed = needsVault(folder);
  for (const path of ['/note/*', '/notes/*', '/file', '/assistant/ask']) api.use(path, needed);
  api.on(['POST', 'PUT', 'PATCH', 'DELETE'], ['/servers/*', '/settings'], needed);
  api.route('/', noteRoutes({ ...ports, watch, search, tools, desk: notes, runs }));
  api.route('/servers', importRoutes(ports, servers));
  api.route('/servers', serverRoutes(ports, servers));
  api.route('/servers', toolRoutes(ports));
  api.route('/trust', trustRoutes(ports, servers));
  api.route('/', callRoutes(ports, activity, recent));
  api.route('/assistant', assistantRoutes({ folder, list: assistants, desk: conversations }));
  api.route('/', settingsRoutes(ports, feed));

  const app = new Hono();
  app.use(securityHeaders);
  app.onError(answerFailure);
  app.notFound((context) => answerFailure(nothingHere(context.req.path), context));
  app.route('/api', api);
  app.route('/', pageRoutes(ports.pageFolder, guard));
  return {
    fetch: (request, bindings) => app.fetch(request, bindings),
    async [Symbol.asyncDispose]() {
      unsubscribe();
      streams[Symbol.dispose]();
      watch[Symbol.dispose]();
      tools[Symbol.dispose]();
      notes[Symbol.dispose]();
      await conversations[Symbol.asyncDispose]();
      await runs[Symbol.asyncDispose]();
      await servers[Symbol.asyncDispose]();
      activity[Symbol.dispose]();
    },
  };
}

/** What pages are told of calls and sessions. */
function describeActivity(event: ActivityEvent): WorkbenchEvent {
  switch (event.kind) {
    case 'call-ended':
      return { kind: 'call-ended', call: event.call };
    case 'session-near': {
      const detail = 'Reset the session in Calls, or raise its limit in Settings, to make more.';
      const { message } = event;
      return { kind: 'notice', notice: { level: 'warning', message, detail, server: null } };
    }
    default:
      return event;
  }
}

function differenceOf({ before, after }: VaultChange) {
  if (before === after) return { added: [], removed: [] };
  const [old, now] = [new Set(before.notes), new Set(after.notes)];
  return {
    added: after.notes.filter((path) => !old.has(path)),
    removed: before.notes.filter((path) => !now.has(path)),
  };
}

function nothingHere(path: string): ApiError {
  return new ApiError('not_found', `There is nothing at ${path}.`);
}

const answerSchema = z.strictObject({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
    .exactOptional(),
}) satisfies z.ZodType<AnswerQuestion>;
