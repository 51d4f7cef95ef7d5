import { jsonExcess } from '@errand/wire';
import { isJsonType } from '@errand/wire/node';
import type { Context, MiddlewareHandler } from 'hono';
import type { z } from 'zod';
import { ApiError } from './api-error.ts';

/** Notes are the largest bodies; a note of this size cannot be worked with anyway. */
const mostBytes = 32 * 1024 * 1024;

/**
 * Refuses larger bodies, and those of unknown length, before a byte of them is read; Node sees to it that no body is
 * longer than announced. `hono/body-limit` builds requests anew, which needs the global `Request` replaced.
 */
export const limitBodies: MiddlewareHandler = async ({ req }, next) => {
  if (req.header('transfer-encoding') !== undefined) {
    throw new ApiError('invalid_input', 'Send the body with its length, not in chunks.');
  }
  if (Number(req.header('content-length') ?? 0) > mostBytes) {
    throw new ApiError('invalid_input', `A body may have ${mostBytes / 1_048_576} MB.`);
  }
  await next();
};

/** The body as its schema says; throws `invalid_input` with what is wrong in each field. */
export async function readBody<Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
): Promise<z.output<Schema>> {
  // Anything else could be sent by a form of a foreign page.
  if (!isJsonType(context.req.header('content-type'))) {
    throw new ApiError('invalid_input', 'Send the body as "Content-Type: application/json".');
  }
  const text = await context.req.text();
  if (jsonExcess(text) !== undefined) {
    throw new ApiError('invalid_input', 'The body is nested too deep or has too many values.');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiError('invalid_input', 'The body is not JSON.');
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const fields: Record<string, string> = {};
  for (const { path, message } of read.error.issues) fields[path.join('.')] ??= message;
  const [name, message] = Object.entries(fields)[0] ?? ['', 'The body is wrong.'];
  throw new ApiError('invalid_input', name === '' ? message : `${name}: ${message}`, { fields });
}
