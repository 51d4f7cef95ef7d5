import { type Activity, readHistory } from '@errand/workspace/activity';
import { Hono } from 'hono';
import { z } from 'zod';
import type { CallDetails } from '../../contract.ts';
import { answer, done } from '../http/answer.ts';
import { ApiError } from '../http/api-error.ts';
import { validBody, validQuery } from '../http/validate.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';
import type { RecentCalls } from './recent-calls.ts';

/** The most calls in one page of the history. */
const maxLimit = 500;

/** The routes of calls and sessions. */
export function callRoutes({ host, log }: WorkbenchPorts, activity: Activity, recent: RecentCalls) {
  return new Hono()
    .get('/calls', (context) => answer(context, activity.snapshot))
    .get('/calls/history', validQuery(filterSchema), async (context) => {
      const filter = context.req.valid('query');
      const { calls, hidden } = await readHistory(log, filter, context.req.raw.signal);
      return answer(context, { calls, isCut: hidden > 0 });
    })
    .post('/calls/stop', (context) => {
      host.stop();
      return answer(context, activity.snapshot);
    })
    .post('/calls/resume', (context) => {
      host.resume();
      return answer(context, activity.snapshot);
    })
    .get('/calls/:id', async (context) => {
      const id = context.req.param('id');
      return answer(context, recent.get(id) ?? (await readLogged(id, context.req.raw.signal)));
    })
    .post('/calls/:id/cancel', (context) => {
      const outcome = activity.cancel(context.req.param('id'));
      if (outcome === 'ended') throw new ApiError('not_found', 'This call has ended already.');
      if (outcome === 'not-own') {
        const message = 'Another program made this call. Cancel it there, or stop all calls.';
        throw new ApiError('conflict', message);
      }
      return answer(context, done);
    })
    .post('/sessions/reset', validBody(z.strictObject({ id: z.string() })), (context) => {
      const { id } = context.req.valid('json');
      const { sessions } = activity;
      if (!sessions.owns(id)) throw new ApiError('not_found', 'There is no such session.');
      return answer(context, sessions.reset(id));
    });

  async function readLogged(id: string, signal: AbortSignal): Promise<CallDetails> {
    const call = await log.find(id, signal);
    if (call?.id === id) return { call, params: call.parameters, content: null };
    throw new ApiError('not_found', 'This call is no longer in the log.');
  }
}

const filterSchema = z
  .object({
    limit: z.coerce.number<string>().int().min(1).max(maxLimit).default(100),
    /** Only calls older than the one with this id. */
    before: z.string().exactOptional(),
    server: z.string().exactOptional(),
    note: z.string().exactOptional(),
    status: z.enum(['', 'success', 'error', 'timeout', 'cancelled']).exactOptional(),
    source: z.string().exactOptional(),
  })
  .transform(({ limit, before, server, note, status, source }) => ({
    limit,
    ...(before && { before }),
    ...(server && { server }),
    ...(note && { note }),
    ...(status && { status }),
    ...(source && { source }),
  }));
