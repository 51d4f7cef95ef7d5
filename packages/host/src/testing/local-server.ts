import type { ServerConfig } from '../settings.ts';
import { exampleServer } from './example-server.ts';

/** A registered and enabled local server whose id and command are its name. */
export function localServer(name: string, change: Partial<ServerConfig> = {}): ServerConfig {
  return { ...exampleServer, id: name, name, localConfig: { command: name }, ...change };
}
