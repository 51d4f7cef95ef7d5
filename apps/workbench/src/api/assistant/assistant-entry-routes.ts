import type { ModelPorts } from '@errand/assistant';
import type { ModelFailure } from '@errand/assistant/setup';
import type { AssistantConfig } from '@errand/host';
import {
  type AssistantDraft,
  checkAssistant,
  draftOfAssistant,
  emptyAssistant,
  saveSettings,
  storeAssistant,
} from '@errand/workspace/settings';
import { Hono } from 'hono';
import { z } from 'zod';
import { answer } from '../http/answer.ts';
import { ApiError } from '../http/api-error.ts';
import { validBody } from '../http/validate.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';
import type { AssistantList } from './assistant-list.ts';

/** The routes of the form that sets up a language model. */
export function assistantEntryRoutes(ports: WorkbenchPorts, list: AssistantList) {
  const { host } = ports;
  const assistants = () => {
    list.publish();
    return { assistants: list.list() };
  };
  return new Hono()
    .get('/entry/:name', (context) => {
      const name = context.req.param('name');
      const found = host.servers.settings.assistants.find((each) => each.name === name);
      if (found === undefined) throw new ApiError('not_found', `There is no assistant "${name}".`);
      return answer(context, { draft: draftOfAssistant(found) });
    })
    .post('/entry', validBody(storeSchema), async (context) => {
      const { draft, before } = context.req.valid('json');
      const { refused } = await storeAssistant(ports, draft, before);
      if (refused !== undefined) throw atField(refused.path, refused);
      return answer(context, assistants(), 201);
    })
    .delete('/entry/:name', async (context) => {
      const name = context.req.param('name');
      await saveSettings(ports, (all) => ({
        ...all,
        assistants: all.assistants.filter((each) => each.name !== name),
      }));
      return answer(context, assistants());
    })
    .post('/models', validBody(draftSchema), async (context) => {
      const draft = context.req.valid('json');
      const { listModels } = await import('@errand/assistant/setup');
      // Only where it is and its key matter here.
      const config = configOf({ ...draft, name: draft.name || 'New', model: draft.model || 'any' });
      const { models, failure } = await within(20, context.req.raw, (signal) =>
        listModels(config, portsFor(draft), signal),
      );
      if (failure !== undefined) throw failureAtField(failure);
      return answer(context, { models });
    })
    .post('/test', validBody(draftSchema), async (context) => {
      const draft = context.req.valid('json');
      const { testModel } = await import('@errand/assistant/setup');
      const config = configOf(draft);
      const started = performance.now();
      // A model on this machine may have to be loaded first.
      const failure = await within(120, context.req.raw, (signal) =>
        testModel(config, portsFor(draft), signal),
      );
      if (failure !== undefined) throw failureAtField(failure);
      return answer(context, { durationMs: Math.round(performance.now() - started) });
    });

  /** A person who tries what they have just typed agrees to it. */
  function portsFor({ newKey }: AssistantDraft): ModelPorts {
    const { secrets } = ports.references;
    const get = async (name: string) => newKey.trim() || secrets.get(name);
    return {
      ...ports.references,
      secrets: { get },
      mayRead: async () => true,
      mayUse: () => undefined,
    };
  }
}

/** The entry that a draft describes, whatever others are called; throws what is wrong at its field. */
function configOf(draft: AssistantDraft): AssistantConfig {
  const { assistant, refused } = checkAssistant(draft, { assistants: [] });
  if (refused !== undefined) throw atField(refused.path, refused);
  return assistant;
}

async function within<Result>(
  seconds: number,
  { signal }: Request,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = AbortSignal.timeout(seconds * 1000);
  try {
    return await run(AbortSignal.any([signal, limit]));
  } catch (error) {
    if (!limit.aborted) throw error;
    throw new ApiError('invalid_input', `There was no answer within ${seconds} s. Try again.`);
  }
}

function failureAtField(failure: ModelFailure): ApiError {
  switch (failure.code) {
    case 'key_refused':
      return atField('key', failure);
    case 'model_unreachable':
      return atField('baseUrl', failure);
    case 'model_unknown':
      return atField('model', failure);
    default:
      return new ApiError('invalid_input', failure.message);
  }
}

function atField(field: string, { message }: { readonly message: string }): ApiError {
  return new ApiError('invalid_input', message, { fields: { [field]: message } });
}

const text = z.string().max(10_000).default('');
const draftSchema = z.strictObject({
  name: text,
  provider: z
    .enum(['anthropic', 'openai', 'google', 'openai-compatible'])
    .default(emptyAssistant.provider),
  model: text,
  baseUrl: text,
  key: text,
  newKey: text,
  temperature: text,
}) satisfies z.ZodType<AssistantDraft>;
const storeSchema = z.strictObject({
  draft: draftSchema,
  /** The name of the one that it replaces. */
  before: z.string().exactOptional(),
});
