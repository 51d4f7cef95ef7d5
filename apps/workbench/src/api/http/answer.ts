import type { Context, TypedResponse } from 'hono';

/**
 * Answers with JSON. Clients see the type of the body as it is declared here; `context.json` would spell out every
 * interface in it, without names and `readonly`.
 */
export function answer<Body extends object, Status extends 200 | 201 | 202 = 200>(
  context: Context,
  body: Body,
  status?: Status,
): Response & TypedResponse<Body, Status, 'json'> {
  const response: Response = context.json(body, status);
  return response as Response & TypedResponse<Body, Status, 'json'>;
}

/** The answer of a request that has no result. */
export const done: { readonly isDone: true } = { isDone: true };
