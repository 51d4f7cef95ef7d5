import type { Connection, Connector } from '../connection.ts';
import { HostError } from '../host-error.ts';
import { asItIs } from './create-redactor.ts';
import { expandServer, type ReferenceSources } from './expand-references.ts';

/**
 * A connector that sees entries with their references replaced. Nothing that comes back from it, no
 * error, step or last word, holds what they were replaced by; only the answers of tools are untouched.
 */
export function createExpandingConnector(
  connector: Connector,
  sources: ReferenceSources,
): Connector {
  return {
    async connect(server, options) {
      const { value, redact } = await expandServer(server, sources);
      if (redact === asItIs) return connector.connect(value, options);
      const { onStep } = options;
      const connection = await redacted(redact, () =>
        connector.connect(value, {
          ...options,
          ...(onStep && {
            onStep: (step) =>
              onStep(step.detail === undefined ? step : { ...step, detail: redact(step.detail) }),
          }),
        }),
      );
      return wrap(connection, redact);
    },
  };
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
    lastWords: () => redact(connection.lastWords()),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}

async function redacted<Result>(redact: Redact, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof HostError ? redactError(error, redact) : error;
  }
}

/** The cause is left out: nobody can say what is in it. */
function redactError(error: HostError, redact: Redact): HostError {
  const { lastWords } = error.facts;
  return new HostError(error.code, redact(error.message), {
    ...error.facts,
    ...(lastWords !== undefined && { lastWords: redact(lastWords) }),
  });
}
