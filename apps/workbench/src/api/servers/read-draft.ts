import { approvalRules, type ServerConfig } from '@errand/host';
import { emptyDraft, readServerDraft, type ServerDraft } from '@errand/workspace/servers';
import { z } from 'zod';
import { ApiError } from '../http/api-error.ts';

const text = z.string().default('');
const pairs = z
  .array(z.strictObject({ name: z.string(), value: z.string() }))
  .readonly()
  .default([]);

/** A draft as a page sends it; what is left out is empty. What it says is checked when it is stored. */
export const draftSchema = z.strictObject({
  kind: z.enum(['command', 'image', 'url']),
  name: text,
  command: text,
  cwd: text,
  image: text,
  inside: text,
  imageTransport: z.enum(['stdio', 'sse', 'http']).default(emptyDraft.imageTransport),
  port: text,
  outsidePort: text,
  path: text,
  memory: text,
  url: text,
  urlTransport: z.enum(['sse', 'http']).default(emptyDraft.urlTransport),
  env: pairs,
  headers: pairs,
  approval: z.enum(approvalRules).default(emptyDraft.approval),
  timeout: text,
}) satisfies z.ZodType<ServerDraft>;

/** The entry that a draft describes; throws `invalid_input` with what is wrong in each field. */
export function entryOf(
  draft: ServerDraft,
  context: Parameters<typeof readServerDraft>[1],
): ServerConfig {
  const { entry, problems } = readServerDraft(draft, context);
  if (entry !== undefined) return entry;
  const [message = ''] = Object.values(problems);
  throw new ApiError('invalid_input', message, { fields: problems });
}
