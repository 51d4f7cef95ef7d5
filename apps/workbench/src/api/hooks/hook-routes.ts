import type { HooksMethods } from '@errand/hooks';
import type { JsonObject } from '@errand/wire';
import { Hono } from 'hono';
import { z } from 'zod';
import { answer, done } from '../http/answer.ts';
import { ApiError } from '../http/api-error.ts';
import { validBody, validQuery } from '../http/validate.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';
import { briefRun } from './hook-monitor.ts';

/** The routes of hooks. The program that owns the vault answers, which may be this one. */
export function hookRoutes({ services }: Pick<WorkbenchPorts, 'services'>) {
  return new Hono()
    .get('/', async (context) => answer(context, await ask('list', {}, context.req.raw.signal)))
    .post('/', validBody(saveSchema), async (context) => {
      const { hook, seen } = context.req.valid('json');
      const saved = await ask('save', { hook, ...(seen !== undefined && { seen }) });
      if ('view' in saved) return answer(context, saved.view);
      const fields = saved.mistakes;
      const [message = 'The hook cannot be stored.'] = Object.values(fields);
      throw new ApiError('invalid_input', message, { fields });
    })
    .get('/options', async (context) => answer(context, await ask('options', {})))
    .get('/servers', validQuery(serversSchema), async (context) => {
      const refresh = context.req.valid('query').refresh !== undefined;
      return answer(context, await ask('discover', { refresh }, context.req.raw.signal));
    })
    .post('/preview', validBody(previewSchema), async (context) =>
      answer(context, await ask('preview', context.req.valid('json'), context.req.raw.signal)),
    )
    .post('/agree', validBody(agreeSchema), async (context) => {
      await ask('agree', context.req.valid('json'));
      return answer(context, done);
    })
    .get('/runs', validQuery(runsSchema), async (context) => {
      const { hook, limit = '20' } = context.req.valid('query');
      const query = { limit: Number(limit), ...(hook !== undefined && { hook }) };
      const { runs } = await ask('runs', query, context.req.raw.signal);
      return answer(context, { runs: runs.map(briefRun) });
    })
    .get('/runs/:id', async (context) =>
      answer(context, (await ask('show-run', { run: context.req.param('id') })).run),
    )
    .post('/runs/:id/cancel', async (context) =>
      answer(context, await ask('cancel', { run: context.req.param('id') })),
    )
    .post('/runs/:id/rerun', async (context) => {
      const { run } = await ask('rerun', { run: context.req.param('id') });
      return answer(context, briefRun(run));
    })
    .post('/entry/:id/run', async (context) => {
      const { run } = await ask('run', { hook: context.req.param('id') });
      return answer(context, briefRun(run));
    })
    .post('/entry/:id/enabled', validBody(enabledSchema), async (context) => {
      const { enabled } = context.req.valid('json');
      const hook = context.req.param('id');
      return answer(context, await ask('set-enabled', { hook, enabled }));
    })
    .get('/entry/:id/test', async (context) => {
      const hook = context.req.param('id');
      return answer(context, await ask('test', { hook }, context.req.raw.signal));
    })
    .get('/entry/:id/why', async (context) => {
      const hook = context.req.param('id');
      return answer(context, await ask('why', { hook }, context.req.raw.signal));
    })
    .get('/entry/:id/endpoint', async (context) =>
      answer(context, await ask('endpoint', { hook: context.req.param('id') })),
    )
    .delete('/entry/:id', async (context) => {
      await ask('remove', { hook: context.req.param('id') });
      return answer(context, done);
    });

  async function ask<Method extends keyof HooksMethods>(
    method: Method,
    params: HooksMethods[Method]['params'],
    signal?: AbortSignal,
  ): Promise<HooksMethods[Method]['result']> {
    const request = { service: 'hooks', method, params: params as JsonObject };
    const reply = await services?.request(request, signal);
    if (reply !== undefined) return reply.value as HooksMethods[Method]['result'];
    const message =
      'Hooks run in the program that owns the vault, and this one could not become its owner. The terminal it was started in says why.';
    throw new ApiError('conflict', message);
  }
}

/** Any JSON: hooks themselves say what is wrong with it. */
const draft = z.record(z.string(), z.unknown());
const saveSchema = z.strictObject({ hook: draft, seen: z.string().exactOptional() });
const previewSchema = z.strictObject({ draft });
const serversSchema = z.object({ refresh: z.string().exactOptional() });
const agreeSchema = z.strictObject({
  /** `seen` is that of the `HookView` that was shown. */
  hooks: z.array(z.strictObject({ hook: z.string(), seen: z.string() })),
});
const runsSchema = z.object({
  hook: z.string().exactOptional(),
  limit: z
    .string()
    .regex(/^([1-9]\d?|[1-4]\d\d|500)$/, 'A number from 1 to 500.')
    .exactOptional(),
});
const enabledSchema = z.strictObject({ enabled: z.boolean() });
