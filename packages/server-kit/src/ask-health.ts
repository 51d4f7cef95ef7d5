import type { HealthContribution, ServerParts } from './define-server.ts';
import type { Logger } from './logger.ts';

const patience = 2_000;

/** Asks a server's parts how they are; one that fails or does not answer is itself an issue. */
export async function askHealth(
  parts: readonly NonNullable<ServerParts['health']>[],
  log: Logger,
): Promise<HealthContribution> {
  const signal = AbortSignal.timeout(patience);
  const { promise: late, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  try {
    const answers = Promise.all(parts.map((health) => health(signal)));
    const all = await Promise.race([late, answers]);
    return {
      issues: all.flatMap(({ issues }) => issues ?? []),
      details: Object.assign({}, ...all.map(({ details }) => details)),
    };
  } catch (error) {
    log.error({ err: error }, 'the health check of the server failed');
    const reason = signal.aborted ? `took more than ${patience} ms` : 'failed; see the log';
    return { issues: [`The server's own health check ${reason}.`] };
  }
}
