import type { Host } from '@errand/host';
import { type Command, Option } from 'commander';
import { portNumber } from '../port-number.ts';
import { listenForStatus } from '../status-listener.ts';
import type { OpenedJobs } from './opened-jobs.ts';

export interface MetricsOptions {
  readonly metricsPort?: number;
}

/** Adds the option that offers metrics. */
export function withMetricsOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--metrics-port <n>',
      'answer /metrics for Prometheus, /health and /ready on this port of this machine; 0 takes any',
    )
      .env('ERRAND_METRICS_PORT')
      .argParser(portNumber),
  );
}

/** Counts what happens in a host, where somebody reads it: with a port, or a collector in the environment. */
export async function offerMetrics(
  program: string,
  { metricsPort }: MetricsOptions,
  env: NodeJS.ProcessEnv,
  host: Host,
  jobs: OpenedJobs,
): Promise<(AsyncDisposable & { readonly url?: string }) | undefined> {
  if (metricsPort === undefined && !env.OTEL_EXPORTER_OTLP_ENDPOINT) return undefined;
  // Loaded by those who use it: it would cost every other program its time.
  const { startTelemetry } = await import('./start-telemetry.ts');
  const telemetry = await startTelemetry(program, env);
  telemetry.observeHost(host);
  jobs.follow((opened) => telemetry.observeJobs(opened));
  if (metricsPort === undefined) return telemetry;
  const status = { problem: () => undefined, facts: () => ({ program }) };
  const listener = await listenForStatus(
    status,
    { port: metricsPort },
    { '/metrics': telemetry.metrics },
  );
  return {
    url: listener.url,
    async [Symbol.asyncDispose]() {
      await listener[Symbol.asyncDispose]();
      await telemetry[Symbol.asyncDispose]();
    },
  };
}
