import { catchFaults, faultNotice } from '@errand/host';
import { Activity, type ActivityEvent } from '@errand/workspace/activity';
import { NoteRuns } from '@errand/workspace/runs';
import { KnownTools } from '@errand/workspace/suggestions';
import type { Http2Bindings, HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { WorkbenchEvent } from '../contract.ts';
import { apiRoutes } from './api-routes.ts';
import { AssistantList } from './assistant/assistant-list.ts';
import { Conversations } from './assistant/conversations.ts';
import { RecentCalls } from './calls/recent-calls.ts';
import { EventLog } from './events/event-log.ts';
import { EventStreams } from './events/event-stream.ts';
import { HookMonitor } from './hooks/hook-monitor.ts';
import { answerFailure } from './http/answer-failure.ts';
import { ApiError } from './http/api-error.ts';
import type { Guard } from './http/guard.ts';
import { pageRoutes } from './http/page-routes.ts';
import { securityHeaders } from './http/security-headers.ts';
import { MailMonitor } from './mail/mail-monitor.ts';
import { OpenNotes } from './notes/open-notes.ts';
import { describeRunEvent } from './notes/run-blocks.ts';
import { NoteSearch } from './notes/search-notes.ts';
import { type VaultChange, VaultWatch } from './notes/vault-watch.ts';
import { ServerMonitor } from './servers/server-monitor.ts';
import { triedTools } from './servers/tool-routes.ts';
import { readSettingsState } from './settings/settings-state.ts';
import type { WorkbenchPorts } from './workbench-ports.ts';

/** The page and its API. Disposing it stops what runs for its pages; it does not own the host. */
export interface Workbench extends AsyncDisposable {
  /** The bindings hold the address of the client. */
  fetch(request: Request, bindings: HttpBindings | Http2Bindings): Response | Promise<Response>;
}

export function createWorkbench(
  ports: WorkbenchPorts,
  guard: Guard,
  gatewayToken?: string,
): Workbench {
  const { host, folder } = ports;
  const events = new EventLog();
  const streams = new EventStreams(events);
  const onFault = (what: string) => (error: unknown) =>
    ports.pageNotifier.notify(faultNotice(what, error));
  const feed = catchFaults(events.append, onFault('The pages were not told of a change'));
  const activity = new Activity(host, {
    otherSessions: [triedTools],
    onFault: onFault('The pages were not told of a call'),
  });
  const { sessions } = activity;
  const recentCalls = new RecentCalls();
  activity.subscribe((event) => {
    if (event.kind === 'call-ended') recentCalls.add(event);
    feed(describeActivity(event));
  });
  const monitor = new ServerMonitor({ ...ports, feed });
  const hookMonitor = new HookMonitor(ports.services, feed);
  const mailMonitor = new MailMonitor(ports.services, feed);
  const assistants = new AssistantList(ports, feed);
  const conversations = new Conversations({ ...ports, sessions, feed });
  const runs = new NoteRuns({
    ...ports,
    sessions,
    onFault: onFault('The pages were not told of a run'),
  });
  const openNotes = new OpenNotes({
    ...ports,
    sessions,
    feed,
    runOf: (path, key) => runs.runningBlock(path, key),
  });
  runs.subscribe((event) => {
    feed(describeRunEvent(event));
    if (event.kind === 'block-changed' && event.outcome?.written) openNotes.touch(event.path);
  });
  const search = new NoteSearch(folder);
  const tools = new KnownTools(host);
  const follow = (change: VaultChange) => {
    const { added, removed } = differenceOf(change);
    if (added.length + removed.length > 0) feed({ kind: 'notes-changed', added, removed });
    for (const path of [...change.paths, ...removed]) search.forget(path);
    if (change.paths.has('')) search.clear();
    for (const path of change.paths) openNotes.touch(path);
    if (change.before !== change.after) openNotes.touchAll();
  };
  const watch = new VaultWatch(folder, follow, onFault('A change of the notes was missed'));
  let publishedSettings = '';
  const unsubscribe = host.events.subscribe((event) => {
    monitor.follow(event);
    if (event.kind !== 'settings-changed') return;
    assistants.publish();
    const publishSettings = async () => {
      const settings = await readSettingsState(ports);
      const text = JSON.stringify(settings);
      if (text === publishedSettings) return;
      publishedSettings = text;
      feed({ kind: 'settings-changed', settings });
    };
    publishSettings().catch(onFault('The pages were not told of changed settings'));
  });
  ports.pageNotifier.connect(feed);

  const api = apiRoutes({
    ...ports,
    guard,
    gatewayToken,
    events,
    streams,
    feed,
    activity,
    recentCalls,
    monitor,
    mailMonitor,
    assistants,
    conversations,
    openNotes,
    runs,
    watch,
    search,
    tools,
  });

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
      hookMonitor[Symbol.dispose]();
      mailMonitor[Symbol.dispose]();
      streams[Symbol.dispose]();
      watch[Symbol.dispose]();
      tools[Symbol.dispose]();
      openNotes[Symbol.dispose]();
      await conversations[Symbol.asyncDispose]();
      await runs[Symbol.asyncDispose]();
      await monitor[Symbol.asyncDispose]();
      activity[Symbol.dispose]();
    },
  };
}

/** The event that pages get for an event of calls and sessions. */
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
