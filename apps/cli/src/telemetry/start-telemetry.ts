import type { ServerResponse } from 'node:http';
import type { Host, HostEvent } from '@errand/host';
import type { JobEngine } from '@errand/jobs';
import { isRecord } from '@errand/wire';
import { describeCall } from '@errand/workspace/activity';
import {
  type Attributes,
  type Meter,
  type ObservableResult,
  SpanKind,
  SpanStatusCode,
  type Tracer,
} from '@opentelemetry/api';
import { version } from '../version.ts';

/** Metrics and traces of this program. They are made from events, so that a program without them pays nothing. */
export interface Telemetry extends AsyncDisposable {
  /** Answers with the metrics as Prometheus reads them. */
  readonly metrics: (response: ServerResponse) => void;
  observeHost(host: Host): void;
  /** In place of an engine that was observed before. */
  observeJobs(jobs: JobEngine): void;
}

/** Starts the SDK; with `OTEL_EXPORTER_OTLP_ENDPOINT` metrics and traces are also sent there. */
export async function startTelemetry(program: string, env: NodeJS.ProcessEnv): Promise<Telemetry> {
  const { MeterProvider, PeriodicExportingMetricReader } = await import(
    '@opentelemetry/sdk-metrics'
  );
  const { PrometheusExporter } = await import('@opentelemetry/exporter-prometheus');
  const { BatchSpanProcessor, TracerProvider } = await import('@opentelemetry/sdk-trace');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const resource = resourceFromAttributes({
    'service.name': env.OTEL_SERVICE_NAME ?? `errand-${program}`,
    'service.version': version,
  });
  const prometheus = new PrometheusExporter({ preventServerStart: true });
  const isSent = Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT);
  const meters = new MeterProvider({
    resource,
    readers: [
      prometheus,
      ...(isSent
        ? [
            new PeriodicExportingMetricReader({
              exporter: new (
                await import('@opentelemetry/exporter-metrics-otlp-http')
              ).OTLPMetricExporter(),
              exportIntervalMillis: Number(env.OTEL_METRIC_EXPORT_INTERVAL) || 60_000,
            }),
          ]
        : []),
    ],
  });
  const spans = isSent
    ? new TracerProvider({
        resource,
        spanProcessors: [
          new BatchSpanProcessor({
            exporter: new (
              await import('@opentelemetry/exporter-trace-otlp-http')
            ).OTLPTraceExporter(),
          }),
        ],
      })
    : undefined;
  const meter = meters.getMeter('errand', version);
  const tracer = spans?.getTracer('errand', version);
  let stopHost: (() => void) | undefined;
  let stopJobs: (() => void) | undefined;
  return {
    metrics: (response) => prometheus.getMetricsRequestHandler(undefined as never, response),
    observeHost(host) {
      stopHost = observeHost(host, meter, tracer);
    },
    observeJobs(jobs) {
      stopJobs?.();
      stopJobs = observeJobs(jobs, meter, tracer);
    },
    async [Symbol.asyncDispose]() {
      stopHost?.();
      stopJobs?.();
      // What cannot be sent any more is lost; a program does not wait for a collector that is away.
      await Promise.race([
        Promise.allSettled([meters.shutdown(), spans?.shutdown()]),
        new Promise((resolve) => setTimeout(resolve, 3_000).unref()),
      ]);
    },
  };
}

function observeHost(host: Host, meter: Meter, tracer: Tracer | undefined): () => void {
  const calls = meter.createCounter('errand_calls', {
    description: 'Calls of tools that have ended.',
  });
  const retries = meter.createCounter('errand_call_retries', {
    description: 'Further attempts of calls.',
  });
  const seconds = { unit: 's', advice: { explicitBucketBoundaries: buckets } };
  const lasted = meter.createHistogram('errand_call_duration_seconds', {
    ...seconds,
    description: 'How long calls took.',
  });
  const waited = meter.createHistogram('errand_call_wait_seconds', {
    ...seconds,
    description: 'How long calls waited in the queue.',
  });
  const queued = new Map<string, number>();
  const running = new Map<string, number>();
  meter
    .createObservableGauge('errand_calls_queued', { description: 'Calls that wait in the queue.' })
    .addCallback((result) => result.observe(queued.size));
  meter
    .createObservableGauge('errand_calls_running', { description: 'Calls that run.' })
    .addCallback((result) => result.observe(running.size));
  meter
    .createObservableGauge('errand_servers', { description: 'Servers by state.' })
    .addCallback((result) => {
      const phases = host.servers.list().map(({ id }) => host.servers.progress(id).phase);
      for (const [phase, found] of Map.groupBy(phases, (each) => each)) {
        result.observe(found.length, { state: phase });
      }
    });
  return host.events.subscribe((event: HostEvent) => {
    if (event.kind === 'call-queued') queued.set(event.request.id, Date.now());
    else if (event.kind === 'call-started') {
      const { id } = event.request;
      waited.record((Date.now() - (queued.get(id) ?? Date.now())) / 1_000);
      queued.delete(id);
      running.set(id, Date.now());
    } else if (event.kind === 'call-finished') {
      const { request, outcome } = event;
      const endedAt = Date.now();
      const startedAt = running.get(request.id) ?? endedAt - outcome.durationMs;
      running.delete(request.id);
      queued.delete(request.id);
      const { server, tool, source } = describeCall(request, host.servers);
      const facts: Attributes = { server, tool, source, status: outcome.status };
      calls.add(1, facts);
      if (outcome.attempts > 1) retries.add(outcome.attempts - 1, { server });
      lasted.record(outcome.durationMs / 1_000, { server, status: outcome.status });
      const span = tracer?.startSpan(`tools/call ${tool}`, {
        kind: SpanKind.CLIENT,
        startTime: startedAt,
        attributes: { ...facts, attempts: outcome.attempts },
      });
      if (outcome.status !== 'success') {
        // The code alone: a message may hold what was in the call.
        span?.setStatus({ code: SpanStatusCode.ERROR, message: outcome.error.code });
      }
      span?.end(endedAt);
    }
  });
}

function observeJobs(jobs: JobEngine, meter: Meter, tracer: Tracer | undefined): () => void {
  const ended = meter.createCounter('errand_jobs', {
    description: 'Jobs that have ended, by flow and state.',
  });
  const sends = meter.createCounter('errand_sends', {
    description: 'Attempts to send a mail, by what came of them.',
  });
  const held = meter.createObservableGauge('errand_jobs_held', {
    description: 'Jobs that this program has taken.',
  });
  const observeLoad = (result: ObservableResult) => {
    const { jobs: all, working } = jobs.load;
    result.observe(working, { state: 'working' });
    result.observe(all - working, { state: 'waiting' });
  };
  held.addCallback(observeLoad);
  const following = jobs.onChange(({ id, flow, state, result, startedAt, endedAt, error }) => {
    if (endedAt === undefined) return;
    ended.add(1, { flow, state });
    if (flow === 'mail-send')
      sends.add(1, { outcome: isRecord(result) ? String(result.outcome) : state });
    const span = tracer?.startSpan(`job ${flow}`, {
      startTime: startedAt ?? endedAt,
      attributes: { 'job.id': id, flow, state },
    });
    if (error !== undefined)
      span?.setStatus({ code: SpanStatusCode.ERROR, message: error.code ?? 'failed' });
    span?.end(endedAt);
  });
  return () => {
    following[Symbol.dispose]();
    held.removeCallback(observeLoad);
  };
}

const buckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60];
