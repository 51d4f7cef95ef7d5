import { raceSignal } from '@errand/wire';
import type { HealthContribution, ServerParts } from './define-server.ts';
import type { Logger } from './logger.ts';

const patience = 2_000;

/** Collects the server's own health; a failure or a timeout is itself an issue. */
export async function askHealth(
  parts: readonly NonNullable<ServerParts['health']>[],
  log: Logger,
): Promise<HealthContribution> {
  const signal = AbortSignal.timeout(patience);
  try {
    const answers = Promise.all(parts.map((health) => health(signal)));
    const all = await raceSignal(answers, signal);
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
