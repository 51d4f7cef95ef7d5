import { randomUUID } from 'node:crypto';
import type {
  Caller,
  ElicitAnswer,
  ElicitQuestion,
  SampleAnswer,
  SampleRequest,
} from '@errand/host';
import { isRecord, type JsonObject } from '@errand/wire';

/** Puts a request to the client and waits for its result; nothing when it does not answer. */
export type AskClient = (
  method: string,
  params: JsonObject,
  signal: AbortSignal,
) => Promise<JsonObject | undefined>;

/** Whether a client says that it can be asked anything. */
export function canBeAsked({ elicitation, sampling }: JsonObject): boolean {
  return isRecord(elicitation) || isRecord(sampling);
}

/** Lets servers ask the client that made a call what it says it can answer. */
export function clientCaller(owner: string, capabilities: JsonObject, ask: AskClient): Caller {
  const { elicitation, sampling } = capabilities;
  return {
    owner,
    ...(isRecord(elicitation) && {
      elicitor: {
        elicit: async (question, signal) => {
          if (!takesMode(elicitation, question.kind)) return { action: 'decline' };
          return readElicitAnswer(await ask('elicitation/create', paramsOf(question), signal));
        },
      },
    }),
    ...(isRecord(sampling) && {
      sampler: {
        sample: async (request, signal) =>
          readSampleAnswer(await ask('sampling/createMessage', samplingParams(request), signal)),
      },
    }),
  };
}

/** Before there were two modes there was the form, and to say nothing still means it. */
function takesMode(elicitation: JsonObject, kind: ElicitQuestion['kind']): boolean {
  return isRecord(elicitation[kind]) || (kind === 'form' && elicitation.url === undefined);
}

function paramsOf(question: ElicitQuestion): JsonObject {
  const { message } = question;
  if (question.kind === 'form') return { message, requestedSchema: question.schema };
  return { mode: 'url', message, url: question.url, elicitationId: randomUUID() };
}

/** An answer that makes no sense gives nothing away. */
function readElicitAnswer(result: JsonObject | undefined): ElicitAnswer {
  const { action, content } = result ?? {};
  if (action === 'cancel') return { action };
  if (action !== 'accept') return { action: 'decline' };
  if (content === undefined) return { action };
  return isContent(content) ? { action, content } : { action: 'decline' };
}

type Content = NonNullable<Extract<ElicitAnswer, { readonly action: 'accept' }>['content']>;

function isContent(content: unknown): content is Content {
  return isRecord(content) && Object.values(content).every(isField);
}

function isField(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function samplingParams({ server: _, messages, ...rest }: SampleRequest): JsonObject {
  return {
    ...rest,
    // Older revisions know one part in a message only.
    messages: messages.map(({ role, content }) => ({
      role,
      content: content.length === 1 ? content[0] : content,
    })),
  };
}

function readSampleAnswer(result: JsonObject | undefined): SampleAnswer | undefined {
  const { content, model, stopReason } = result ?? {};
  const texts = [content]
    .flat()
    .flatMap((part) => (isRecord(part) && typeof part.text === 'string' ? [part.text] : []));
  if (texts.length === 0) return undefined;
  return {
    text: texts.join('\n'),
    model: typeof model === 'string' ? model : 'unknown',
    ...(typeof stopReason === 'string' && { stopReason }),
  };
}
