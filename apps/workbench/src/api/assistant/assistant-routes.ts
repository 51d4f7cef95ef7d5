import { Hono } from 'hono';
import { z } from 'zod';
import type {
  AgreeToAssistant,
  AnswerCall,
  Ask,
  ConversationPlace,
  StopTurn,
} from '../../contract.ts';
import { done } from '../http/done.ts';
import { readBody } from '../http/read-body.ts';
import { notePath } from '../notes/vault-path.ts';
import type { AssistantList } from './assistant-list.ts';
import type { ConversationDesk } from './conversation-desk.ts';

export interface AssistantRoutesPorts {
  readonly folder: string;
  readonly list: AssistantList;
  readonly desk: ConversationDesk;
}

/** Everything below /api/assistant. */
export function assistantRoutes({ folder, list, desk }: AssistantRoutesPorts): Hono {
  const routes = new Hono();
  const state = () => ({ assistants: list.list(), conversations: desk.states });
  /** A note outside the vault is refused, whatever it is wanted for. */
  const checked = async <Place extends ConversationPlace>(place: Place): Promise<Place> => {
    if (place.note !== null) await notePath(folder, place.note);
    return place;
  };
  routes.get('/', (context) => context.json(state()));
  routes.post('/trust', async (context) => {
    await list.agree(await readBody(context, agreeSchema));
    return context.json(state());
  });
  routes.get('/conversation', async (context) => {
    const { note, kept, line } = context.req.query();
    const place = await checked({ note: note || null, isKept: kept === '1' && Boolean(note) });
    // A yes may have been given elsewhere, by `errand trust`.
    list.tell();
    return context.json(await desk.read(place, lineOf(line), context.req.raw.signal));
  });
  routes.post('/ask', async (context) => {
    const wish = await checked(await readBody(context, askSchema));
    return context.json(await desk.ask(wish, context.req.raw.signal), 202);
  });
  routes.post('/stop', async (context) => {
    desk.stop((await readBody(context, stopSchema)).conversation);
    return context.json(done);
  });
  routes.post('/answer', async (context) => {
    const { call, isAllowed } = await readBody(context, answerSchema);
    desk.answer(call, isAllowed);
    return context.json(done);
  });
  routes.post('/new', async (context) => {
    const place = await checked(await readBody(context, placeSchema));
    return context.json(desk.startOver(place));
  });
  return routes;
}

function lineOf(text: string | undefined): number | null {
  const line = Number(text);
  return Number.isInteger(line) && line > 0 ? line : null;
}

const place = { note: z.string().min(1).nullable(), isKept: z.boolean() };
const isPossible = (asked: ConversationPlace) => asked.note !== null || !asked.isKept;
const impossible = { path: ['note'], message: 'Name the note that it is kept in.' };
const placeSchema = z
  .strictObject(place)
  .refine(isPossible, impossible) satisfies z.ZodType<ConversationPlace>;
const askSchema = z
  .strictObject({
    ...place,
    line: z.int().min(1).nullable(),
    assistant: z.string().nullable(),
    question: z
      .string()
      .max(200_000, 'It may have 200,000 characters.')
      .refine((text) => text.trim() !== '', 'Write a question.')
      .nullable(),
  })
  .refine(isPossible, impossible) satisfies z.ZodType<Ask>;
const stopSchema = z.strictObject({ conversation: z.string() }) satisfies z.ZodType<StopTurn>;
const answerSchema = z.strictObject({
  call: z.string(),
  isAllowed: z.boolean(),
}) satisfies z.ZodType<AnswerCall>;
const agreeSchema = z.strictObject({
  name: z.string(),
  seen: z.string(),
}) satisfies z.ZodType<AgreeToAssistant>;
