import { jsonExcess } from '@errand/wire';
import { isJsonType } from '@errand/wire/node';
import { zValidator } from '@hono/zod-validator';
import type { HonoRequest, MiddlewareHandler } from 'hono';
import type { z } from 'zod';
import { ApiError } from './api-error.ts';

/** Notes are the largest bodies; a note of this size cannot be worked with anyway. */
const maxBytes = 32 * 1024 * 1024;

/**
 * Refuses larger bodies, and those of unknown length, before a byte of them is read; Node sees to it that no body is
 * longer than announced. `hono/body-limit` builds requests anew, which needs the global `Request` replaced.
 */
export const limitBodies: MiddlewareHandler = async ({ req }, next) => {
  if (req.header('transfer-encoding') !== undefined) {
    throw new ApiError('invalid_input', 'Send the body with its length, not in chunks.');
  }
  if (Number(req.header('content-length') ?? 0) > maxBytes) {
    throw new ApiError('invalid_input', `A body may have at most ${maxBytes / 1_048_576} MB.`);
  }
  await next();
};

/** Validates the JSON body of a request; throws `invalid_input` with what is wrong in each field. */
export function validBody<Schema extends z.ZodType>(schema: Schema) {
  const validate = zValidator('json', schema, (result) => {
    if (result.success) return;
    const fields = fieldErrors(result.error.issues);
    const [name, message] = Object.entries(fields)[0] ?? ['', 'The body is wrong.'];
    throw new ApiError('invalid_input', name === '' ? message : `${name}: ${message}`, { fields });
  });
  const handler: typeof validate = async (context, next) => {
    await requireJson(context.req);
    return validate(context, next);
  };
  return handler;
}

/** Validates the query of a request; throws `invalid_input` with the first mistake. */
export function validQuery<Schema extends z.ZodType>(schema: Schema) {
  return zValidator('query', schema, (result) => {
    if (result.success) return;
    const [[name, message] = ['', 'The query is wrong.']] = Object.entries(
      fieldErrors(result.error.issues),
    );
    throw new ApiError('invalid_input', `${name}: ${message}`);
  });
}

/** Hono would take any other body for an empty object, and parse one that is nested without bound. */
async function requireJson(request: HonoRequest): Promise<void> {
  // A form of a foreign page can send any other type.
  if (!isJsonType(request.header('content-type'))) {
    throw new ApiError('invalid_input', 'Send the body as "Content-Type: application/json".');
  }
  const text = await request.text();
  if (jsonExcess(text) !== undefined) {
    throw new ApiError('invalid_input', 'The body is nested too deep or has too many values.');
  }
}

/** The first message of each field, by its path. */
function fieldErrors(issues: readonly z.core.$ZodIssue[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { path, message } of issues) fields[path.join('.')] ??= message;
  return fields;
}
