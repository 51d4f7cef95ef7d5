import type {
  Connection,
  ConnectOptions,
  Connector,
  ConnectStep,
  ServerContent,
} from '../connection.ts';
import { HostError } from '../host-error.ts';
import type { ServerConfig } from '../settings.ts';
import { noRedaction } from './create-redactor.ts';
import { expandServer, type ReferenceSources } from './expand-references.ts';
import { mapTexts } from './map-texts.ts';

/**
 * Connects to an entry with its references expanded. No error, step or output that comes back
 * contains their values; only the results of tools are not redacted.
 */
export async function connectExpanded(
  connector: Connector,
  server: ServerConfig,
  sources: ReferenceSources,
  options: ConnectOptions,
): Promise<Connection> {
  const { value, redact } = await expandServer(server, sources);
  if (redact === noRedaction) return connector.connect(value, options);
  const { onStep } = options;
  const redactedSteps = onStep && {
    onStep: (step: ConnectStep) =>
      onStep(step.detail === undefined ? step : { ...step, detail: redact(step.detail) }),
  };
  const connection = await redacted(redact, () =>
    connector.connect(value, { ...options, ...redactedSteps }),
  );
  return wrap(connection, redact);
}

type Redact = (text: string) => string;

function wrap(connection: Connection, redact: Redact): Connection {
  return {
    server: connection.server,
    listTools: (signal) => redacted(redact, () => connection.listTools(signal)),
    callTool: (call, options) => redacted(redact, () => connection.callTool(call, options)),
    ping: (signal) => redacted(redact, () => connection.ping(signal)),
    lost: connection.lost.then((error) => redactError(error, redact)),
    onToolsChanged: (listener) => connection.onToolsChanged(listener),
    lastOutput: () => redact(connection.lastOutput()),
    content: connection.content && redactedContent(connection.content, redact),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}

function redactedContent(content: ServerContent, redact: Redact): ServerContent {
  return {
    features: content.features,
    request: (request, signal) => redacted(redact, () => content.request(request, signal)),
    subscribe: (uri, signal) => redacted(redact, () => content.subscribe(uri, signal)),
    onChanged: (listener) => content.onChanged(listener),
  };
}

async function redacted<Result>(redact: Redact, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof HostError ? redactError(error, redact) : error;
  }
}

/** The cause is dropped, because it may contain a secret. */
function redactError(error: HostError, redact: Redact): HostError {
  const { code, message, facts, advice } = error;
  return new HostError(code, redact(message), mapTexts(facts, redact), { advice });
}
