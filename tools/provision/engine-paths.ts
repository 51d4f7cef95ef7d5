import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** Where a project's private engine keeps things, and how its parts are named on the machine. */
export interface EnginePaths {
  /** Images and locks; stays for the next run. */
  readonly dataFolder: string;
  /** Sockets and process ids; gone when the engine is. */
  readonly runFolder: string;
  readonly socketPath: string;
  readonly recordPath: string;
  readonly logPath: string;
  readonly bridge: string;
  readonly cgroup: string;
}

/** Each project folder has one place, so that two checkouts have two engines. */
export function enginePaths(projectFolder: string): EnginePaths {
  const id = createHash('sha256').update(projectFolder).digest('hex').slice(0, 8);
  const dataFolder = join(projectFolder, '.cache', 'docker');
  // A unix socket's path has room for 107 bytes, which a project's folder may exceed.
  const runFolder = `/run/errand-${id}`;
  return {
    dataFolder,
    runFolder,
    socketPath: join(runFolder, 'docker.sock'),
    recordPath: join(runFolder, 'engine.json'),
    logPath: join(dataFolder, 'dockerd.log'),
    bridge: `errand-${id}`,
    cgroup: `errand-${id}`,
  };
}
