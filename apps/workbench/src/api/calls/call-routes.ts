import type { NoteSessions } from '@errand/host';
import { Hono } from 'hono';
import { z } from 'zod';
import type { CallDetails, CallHistory, PastCall, ResetSession } from '../../contract.ts';
import { ApiError } from '../http/api-error.ts';
import { done } from '../http/done.ts';
import { readBody } from '../http/read-body.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';
import type { CallDesk } from './call-desk.ts';

/** The log is read backwards only so far: filters that match little must not read all of it. */
const mostRead = 10_000;
const mostAnswered = 500;

/** Everything below /api that is about calls and sessions. */
export function callRoutes(
  { host, log }: WorkbenchPorts,
  desk: CallDesk,
  sessions: NoteSessions,
): Hono {
  const routes = new Hono();
  routes.get('/calls', (context) => context.json(desk.state));
  routes.get('/calls/history', async (context) => {
    const { limit, before, server, note, status, source } = readFilter(context.req.query());
    const isFiltered = status !== undefined || source !== undefined || before !== undefined;
    const filter = {
      limit: isFiltered ? mostRead : limit + 1,
      ...(server !== undefined && { server }),
      ...(note !== undefined && { note }),
    };
    const logged = await log.query(filter, context.req.raw.signal);
    // A call that is no longer in the log has none before it.
    const last = logged.findIndex(({ id }) => id === before);
    const older = before === undefined ? logged : last === -1 ? [] : logged.slice(last + 1);
    const calls = older.filter(
      (call) =>
        (status === undefined || call.status === status) &&
        (source === undefined || call.source === source),
    );
    const answer: CallHistory = { calls: calls.slice(0, limit), isCut: calls.length > limit };
    return context.json(answer);
  });
  routes.post('/calls/stop', (context) => {
    host.stop();
    return context.json(desk.state);
  });
  routes.post('/calls/resume', (context) => {
    host.resume();
    return context.json(desk.state);
  });
  routes.get('/calls/:id', async (context) => {
    const id = context.req.param('id');
    return context.json(desk.recall(id) ?? (await readLogged(id, context.req.raw.signal)));
  });
  routes.post('/calls/:id/cancel', (context) => {
    desk.cancel(context.req.param('id'));
    return context.json(done);
  });
  routes.post('/sessions/reset', async (context) => {
    const { id } = await readBody(context, resetSchema);
    if (!sessions.owns(id)) throw new ApiError('not_found', 'There is no such session.');
    return context.json(sessions.reset(id));
  });
  return routes;

  async function readLogged(id: string, signal: AbortSignal): Promise<CallDetails> {
    const calls: readonly PastCall[] = await log.query({ limit: mostRead }, signal);
    const call = calls.find((each) => each.id === id);
    if (call !== undefined) return { call, params: null, content: null };
    throw new ApiError('not_found', 'This call is no longer in the log.');
  }
}

const filterSchema = z.object({
  limit: z.coerce.number().int().min(1).max(mostAnswered).default(100),
  before: z.string().min(1).exactOptional(),
  server: z.string().min(1).exactOptional(),
  note: z.string().min(1).exactOptional(),
  status: z.enum(['success', 'error', 'timeout', 'cancelled']).exactOptional(),
  source: z.string().min(1).exactOptional(),
});

function readFilter(query: Record<string, string>) {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  const read = filterSchema.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new ApiError('invalid_input', `${issue?.path.join('.')}: ${issue?.message}`);
}

const resetSchema = z.strictObject({ id: z.string() }) satisfies z.ZodType<ResetSession>;
