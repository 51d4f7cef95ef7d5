import { Hono } from 'hono';
import { z } from 'zod';
import type { ConversationLocation } from '../../contract.ts';
import { answer, done } from '../http/answer.ts';
import { validBody, validQuery } from '../http/validate.ts';
import { notePath } from '../notes/vault-path.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';
import { assistantEntryRoutes } from './assistant-entry-routes.ts';
import { type AssistantList, agreeSchema } from './assistant-list.ts';
import { askSchema, type Conversations, locationSchema } from './conversations.ts';

export interface AssistantRoutesPorts extends WorkbenchPorts {
  readonly list: AssistantList;
  readonly conversations: Conversations;
}

/** The routes of assistants and the conversations with them. */
export function assistantRoutes(ports: AssistantRoutesPorts) {
  const { folder, list, conversations } = ports;
  const state = () => ({ assistants: list.list(), conversations: conversations.states });
  /** Refuses a note outside the vault. */
  const checked = async <Location extends ConversationLocation>(location: Location) => {
    if (location.note !== null) await notePath(folder, location.note);
    return location;
  };
  return new Hono()
    .get('/', (context) => answer(context, state()))
    .route('/', assistantEntryRoutes(ports, list))
    .post('/trust', validBody(agreeSchema), async (context) => {
      await list.agree(context.req.valid('json'));
      return answer(context, state());
    })
    .get('/conversation', validQuery(conversationSchema), async (context) => {
      const { note, kept, line } = context.req.valid('query');
      const location = await checked({
        note: note || null,
        isKept: kept === '1' && Boolean(note),
      });
      // The person may have agreed elsewhere, by `errand trust`.
      list.publish();
      const { signal } = context.req.raw;
      return answer(context, await conversations.read(location, lineOf(line), signal));
    })
    .post('/ask', validBody(askSchema), async (context) => {
      const question = await checked(context.req.valid('json'));
      return answer(context, await conversations.ask(question, context.req.raw.signal), 202);
    })
    .post('/stop', validBody(z.strictObject({ conversation: z.string() })), (context) => {
      conversations.stop(context.req.valid('json').conversation);
      return answer(context, done);
    })
    .post('/answer', validBody(answerSchema), (context) => {
      const { call, isAllowed } = context.req.valid('json');
      conversations.answer(call, isAllowed);
      return answer(context, done);
    })
    .post('/new', validBody(locationSchema), async (context) =>
      answer(context, conversations.startOver(await checked(context.req.valid('json')))),
    );
}

function lineOf(text: string | undefined): number | null {
  const line = Number(text);
  return Number.isInteger(line) && line > 0 ? line : null;
}

const conversationSchema = z.object({
  note: z.string().exactOptional(),
  /** `1` for the conversation that is written into the note. */
  kept: z.string().exactOptional(),
  /** A line of the section whose conversation is meant. */
  line: z.string().exactOptional(),
});
/** A person's answer to a call that waits for approval. */
const answerSchema = z.strictObject({ call: z.string(), isAllowed: z.boolean() });
