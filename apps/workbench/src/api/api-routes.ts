import { basename } from 'node:path';
import type { Activity } from '@errand/workspace/activity';
import { Hono } from 'hono';
import type { WorkbenchEvent, WorkbenchState } from '../contract.ts';
import type { AssistantList } from './assistant/assistant-list.ts';
import { assistantRoutes } from './assistant/assistant-routes.ts';
import type { Conversations } from './assistant/conversations.ts';
import { callRoutes } from './calls/call-routes.ts';
import type { RecentCalls } from './calls/recent-calls.ts';
import type { EventLog } from './events/event-log.ts';
import type { EventStreams } from './events/event-stream.ts';
import { hookRoutes } from './hooks/hook-routes.ts';
import { answer, done } from './http/answer.ts';
import { type Guard, guardRequests, openingLink, originOf } from './http/guard.ts';
import { needsVault } from './http/needs-vault.ts';
import { limitBodies, validBody } from './http/validate.ts';
import type { MailMonitor } from './mail/mail-monitor.ts';
import { mailRoutes } from './mail/mail-routes.ts';
import { type NoteRoutesPorts, noteRoutes } from './notes/note-routes.ts';
import { answerSchema } from './page-notifier.ts';
import { importRoutes } from './servers/import-routes.ts';
import type { ServerMonitor } from './servers/server-monitor.ts';
import { serverRoutes } from './servers/server-routes.ts';
import { toolRoutes } from './servers/tool-routes.ts';
import { trustRoutes } from './servers/trust-routes.ts';
import { settingsRoutes } from './settings/settings-routes.ts';
import { readSettingsState } from './settings/settings-state.ts';
import type { WorkbenchPorts } from './workbench-ports.ts';

export interface ApiRoutesPorts
  extends WorkbenchPorts,
    Pick<NoteRoutesPorts, 'watch' | 'search' | 'tools' | 'openNotes' | 'runs'> {
  readonly events: EventLog;
  readonly streams: EventStreams;
  readonly activity: Activity;
  readonly recentCalls: RecentCalls;
  readonly monitor: ServerMonitor;
  readonly mailMonitor: MailMonitor;
  readonly assistants: AssistantList;
  readonly conversations: Conversations;
  readonly feed: (event: WorkbenchEvent) => void;
  readonly guard: Guard;
  readonly gatewayToken: string | undefined;
}

/**
 * The routes of the API, below /api. Bodies and answers are JSON; a failure is an `ApiFailure` with a status of 4xx or
 * 5xx. Notes are named by their path in the vault, in the query: /api/note?path=Projects%2FGarden.md
 */
export function apiRoutes(ports: ApiRoutesPorts) {
  const { folder, guard, activity, monitor, assistants, conversations, pageNotifier } = ports;
  const api = new Hono();
  api.use(guardRequests(guard));
  api.use(limitBodies);
  const needed = needsVault(folder);
  for (const path of ['/note/*', '/notes/*', '/file', '/assistant/ask']) api.use(path, needed);
  api.on(
    ['POST', 'PUT', 'PATCH', 'DELETE'],
    ['/servers/*', '/settings', '/assistant/entry', '/hooks/*', '/mail/*'],
    needed,
  );
  return api
    .get('/state', async (context) => {
      // Taken first: what happens meanwhile is published again rather than lost.
      const { sequence } = ports.events;
      const state: WorkbenchState = {
        sequence,
        version: ports.version,
        vault: { name: basename(folder), folder },
        gateway: { url: `${originOf(guard)}/mcp`, token: ports.gatewayToken ?? null },
        servers: monitor.list(),
        trust: monitor.trustState,
        calls: activity.snapshot,
        assistant: { assistants: assistants.list(), conversations: conversations.states },
        mail: ports.mailMonitor.counts,
        settings: await readSettingsState(ports, context.req.raw.signal),
        questions: pageNotifier.questions,
      };
      return answer(context, state);
    })
    .post('/link', (context) => answer(context, { link: openingLink(guard) }))
    .get('/events', ({ req }) =>
      ports.streams.open(req.header('last-event-id') ?? req.query('after')),
    )
    .post('/questions/:id', validBody(answerSchema), (context) => {
      pageNotifier.answer(context.req.param('id'), context.req.valid('json'));
      return answer(context, done);
    })
    .route('/', noteRoutes(ports))
    .route('/servers', importRoutes(ports, monitor))
    .route('/servers', serverRoutes(ports, monitor))
    .route('/servers', toolRoutes(ports))
    .route('/trust', trustRoutes(ports, monitor))
    .route('/', callRoutes(ports, activity, ports.recentCalls))
    .route('/assistant', assistantRoutes({ ...ports, list: assistants }))
    .route('/hooks', hookRoutes(ports))
    .route('/mail', mailRoutes(ports, ports.mailMonitor))
    .route('/', settingsRoutes(ports, ports.feed));
}

/** The type of the API, from which the client of the page is inferred. */
export type Api = ReturnType<typeof apiRoutes>;
