import { type Activity, findLogged, readHistory } from '@errand/workspace/activity';
import { Hono } from 'hono';
import { z } from 'zod';
import type { CallDetails, CallHistory, ResetSession } from '../../contract.ts';
import { ApiError } from '../http/api-error.ts';
import { done } from '../http/done.ts';
import { readBody } from '../http/read-body.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';
import type { RecentCalls } from './recent-calls.ts';

const mostAnswered = 500;

/** Everything below /api that is about calls and sessions. */
export function callRoutes(
  { host, log }: WorkbenchPorts,
  activity: Activity,
  recent: RecentCalls,
): Hono {
  const routes = new Hono();
  routes.get('/calls', (context) => context.json(activity.snapshot));
  routes.get('/calls/history', async (context) => {
    const filter = readFilter(context.req.query());
    const { calls, hidden } = await readHistory(log, filter, context.req.raw.signal);
    const answer: CallHistory = { calls, isCut: hidden > 0 };
    return context.json(answer);
  });
  routes.post('/calls/stop', (context) => {
    host.stop();
    return context.json(activity.snapshot);
  });
  routes.post('/calls/resume', (context) => {
    host.resume();
    return context.json(activity.snapshot);
  });
  routes.get('/calls/:id', async (context) => {
    const id = context.req.param('id');
    return context.json(recent.get(id) ?? (await readLogged(id, context.req.raw.signal)));
  });
  routes.post('/calls/:id/cancel', (context) => {
    const answer = activity.cancel(context.req.param('id'));
    if (answer === 'ended') throw new ApiError('not_found', 'This call has ended already.');
    if (answer === 'not-own') {
      const message = 'Another program made this call. Cancel it there, or stop all calls.';
      throw new ApiError('conflict', message);
    }
    return context.json(done);
  });
  routes.post('/sessions/reset', async (context) => {
    const { id } = await readBody(context, resetSchema);
    const { sessions } = activity;
    if (!sessions.owns(id)) throw new ApiError('not_found', 'There is no such session.');
    return context.json(sessions.reset(id));
  });
  return routes;

  async function readLogged(id: string, signal: AbortSignal): Promise<CallDetails> {
    const call = await findLogged(log, id, signal);
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
