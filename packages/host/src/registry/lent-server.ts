import { raceSignal } from '@errand/wire';
import type {
  Connection,
  Connector,
  RawToolResult,
  ToolCall,
  ToolDescription,
} from '../connection.ts';
import { HostError } from '../host-error.ts';
import type { ServerConfig } from '../settings.ts';

/** Tools that a running program offers by itself, for as long as it is there. */
export interface LentServer {
  /** The same under every owner of the vault. */
  readonly id: string;
  readonly name: string;
  listTools(signal: AbortSignal): Promise<readonly ToolDescription[]>;
  callTool(call: ToolCall, signal: AbortSignal): Promise<RawToolResult>;
  /** Calls back when the tools changed. */
  onToolsChanged?(listener: () => void): void;
}

/** The entry of a lent server, which no settings file ever holds. */
export function lentEntry({ id, name }: LentServer): ServerConfig {
  return {
    id,
    name,
    transport: 'stdio',
    deploymentType: 'face',
    enabled: true,
    failureCount: 0,
    autoDisabled: false,
    sectionBindings: [],
  };
}

/** Reaches the tools of a program without a process or an address. */
export function lentConnector(server: LentServer): Connector {
  return {
    connect: async (): Promise<Connection> => ({
      server: { name: server.name, version: '', protocolVersion: '' },
      listTools: (signal) => server.listTools(signal),
      callTool: (call, { signal }) => raceSignal(server.callTool(call, signal), signal),
      ping: async () => undefined,
      // It is withdrawn, not lost.
      lost: new Promise(() => undefined),
      onToolsChanged: (listener) => server.onToolsChanged?.(listener),
      lastOutput: () => '',
      [Symbol.asyncDispose]: async () => undefined,
    }),
  };
}

/** The failure of a program that lends a server whose name another has. */
export function nameTaken(name: string): HostError {
  const message = `There is a server "${name}" already, so no program can lend one of that name.`;
  return new HostError('settings_invalid', message, { server: name });
}

/** The failure of whoever wants to switch a lent server on or off. */
export function cannotSwitch(name: string): HostError {
  const message = `Server "${name}" is lent by a running program and is there as long as that program.`;
  return new HostError('settings_invalid', message, { server: name });
}
