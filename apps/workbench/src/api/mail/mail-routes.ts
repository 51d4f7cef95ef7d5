import type { MailMethods } from '@errand/mailroom';
import type { JsonObject } from '@errand/wire';
import { Hono } from 'hono';
import { z } from 'zod';
import { answer } from '../http/answer.ts';
import { ApiError } from '../http/api-error.ts';
import { validBody, validQuery } from '../http/validate.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';
import type { MailMonitor } from './mail-monitor.ts';

/** The routes of the mailroom. The program that owns the vault answers, which may be this one. */
export function mailRoutes({ services }: Pick<WorkbenchPorts, 'services'>, monitor: MailMonitor) {
  return new Hono()
    .get('/', validQuery(boardSchema), async (context) => {
      const done = Number(context.req.valid('query').done ?? 30);
      const board = await ask('board', { done }, context.req.raw.signal);
      monitor.note(board);
      return answer(context, board);
    })
    .get('/item', validQuery(idSchema), async (context) =>
      answer(context, await ask('show', context.req.valid('query'), context.req.raw.signal)),
    )
    .get('/why', validQuery(idSchema), async (context) =>
      answer(context, await ask('why', context.req.valid('query'), context.req.raw.signal)),
    )
    .post('/approve', validBody(approveSchema), async (context) =>
      answer(context, await ask('approve', context.req.valid('json'))),
    )
    .post('/reject', validBody(rejectSchema), async (context) =>
      answer(context, await ask('reject', context.req.valid('json'))),
    )
    .post('/edit', validBody(editSchema), async (context) =>
      answer(context, await ask('edit', context.req.valid('json'))),
    )
    .post('/retry', validBody(retrySchema), async (context) =>
      answer(context, await ask('retry', context.req.valid('json'))),
    )
    .post('/settle', validBody(settleSchema), async (context) =>
      answer(context, await ask('settle', context.req.valid('json'))),
    )
    .post('/begin', validBody(beginSchema), async (context) =>
      answer(context, (await ask('begin', context.req.valid('json'))).board),
    )
    .post('/run', async (context) => answer(context, (await ask('run', {})).round))
    .post('/take-over', async (context) => answer(context, (await ask('take-over', {})).board))
    .post('/pause', async (context) => answer(context, (await ask('pause', {})).board))
    .post('/resume', async (context) => answer(context, (await ask('resume', {})).board));

  async function ask<Method extends keyof MailMethods>(
    method: Method,
    params: MailMethods[Method]['params'],
    signal?: AbortSignal,
  ): Promise<MailMethods[Method]['result']> {
    const request = { service: 'mail', method, params: params as JsonObject };
    const reply = await services?.request(request, signal);
    if (reply !== undefined) return reply.value as MailMethods[Method]['result'];
    const message =
      'The mailroom runs in the program that owns the vault, and this one could not become its owner. The terminal it was started in says why.';
    throw new ApiError('conflict', message);
  }
}

const id = z.string().min(1).max(1_000);
const text = z.string().max(10_000);
const idSchema = z.object({ id });
const boardSchema = z.object({
  done: z
    .string()
    .regex(/^\d{1,4}$/, 'A number up to 9999.')
    .exactOptional(),
});
const approveSchema = z.strictObject({
  id,
  seen: z.string(),
  evenExpired: z.boolean().exactOptional(),
});
const rejectSchema = z.strictObject({ id, reason: text.exactOptional() });
const editSchema = z.strictObject({
  id,
  seen: z.string(),
  to: text.exactOptional(),
  cc: text.exactOptional(),
  bcc: text.exactOptional(),
  subject: text.exactOptional(),
  body: z.string().exactOptional(),
});
const retrySchema = z.strictObject({ id, note: text.exactOptional() });
const settleSchema = z.strictObject({ id, outcome: z.enum(['was-sent', 'send']) });
const beginSchema = z.strictObject({
  take: z.union([z.literal('new'), z.strictObject({ days: z.int().min(1).max(3_650) })]),
});
