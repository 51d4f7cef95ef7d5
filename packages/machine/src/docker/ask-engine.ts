import { findEngine } from './engine-address.ts';
import { EngineClient } from './engine-client.ts';

/** Whether containers can be started here. */
export type EngineAnswer =
  | { readonly status: 'answers'; readonly version: string }
  | { readonly status: 'silent'; readonly reason: string };

/** Asks the Docker engine that would be used for its version; changes nothing there. */
export async function askEngine(
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<EngineAnswer> {
  try {
    const client = new EngineClient(findEngine(env));
    const wanted = { method: 'GET', path: '/version', signal } as const;
    const { Version } = await client.ask<{ readonly Version?: unknown }>(wanted);
    return { status: 'answers', version: typeof Version === 'string' ? Version : 'unknown' };
  } catch (error) {
    return { status: 'silent', reason: error instanceof Error ? error.message : String(error) };
  }
}
