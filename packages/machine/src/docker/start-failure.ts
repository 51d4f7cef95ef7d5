import { fixedError, HostError } from '@errand/host';
import type { EngineClient } from './engine-client.ts';
import { EngineRefusal } from './engine-refusal.ts';
import { portHolder } from './port-holder.ts';

/** What the engine's refusal to create or start a container means to the person who configured it. */
export async function startFailure(
  error: unknown,
  server: string,
  engine: EngineClient,
): Promise<unknown> {
  if (!(error instanceof EngineRefusal)) return error;
  const { message } = error;
  const port = takenPort(message);
  if (port !== undefined) {
    return portInUse(server, port, await portHolder(engine, port));
  }
  const [, program] = /exec: "?([^":]+)"?: .*(?:not found|no such file)/.exec(message) ?? [];
  if (program !== undefined) return noProgram(server, program, error);
  const [, source] = /(?:bind source path does not exist:|statfs) (\/[^:]+)/.exec(message) ?? [];
  if (source !== undefined) return noSource(server, source, error);
  return new HostError(
    'server_unavailable',
    `Docker could not start server "${server}": ${message}. Correct its "dockerConfig" in the settings.`,
    { server, neverSent: true },
    { cause: error },
  );
}

/** `…127.0.0.1:8080: bind: address already in use`, or `…127.0.0.1:8080 failed: port is already allocated`. */
function takenPort(message: string): number | undefined {
  const [, port] = /:(\d+)\D*already (?:allocated|in use)/.exec(message) ?? [];
  return port === undefined ? undefined : Number(port);
}

function portInUse(server: string, port: number, holder: string | undefined): HostError {
  const by = holder === undefined ? '' : `It is used by ${holder}. `;
  const detail = `${by}Stop that, or change "ports" of server "${server}" in the settings; 0 lets Docker choose one.`;
  return fixedError('port_in_use', {
    server,
    port,
    detail,
    path: 'dockerConfig.ports',
    neverSent: true,
  });
}

/** A container whose program does not exist: some engines refuse to start it, in others it ends at once. */
export function noProgram(server: string, program: string, cause?: Error): HostError {
  return new HostError(
    'container_exited',
    `Server "${server}" cannot start: its image has no program "${program}". Correct "command" or "image" in its settings.`,
    { server, path: 'dockerConfig.command', exitCode: 127, neverSent: true },
    { cause },
  );
}

function noSource(server: string, source: string, cause: Error): HostError {
  return new HostError(
    'settings_invalid',
    `Server "${server}" cannot start: there is no folder ${source} to mount. Make it, or correct "mounts" in its settings.`,
    { server, path: 'dockerConfig.mounts', neverSent: true },
    { cause },
  );
}
