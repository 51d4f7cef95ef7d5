import { serveStdio as serveSdk } from '@modelcontextprotocol/server/stdio';
import { buildSdkServer } from '../build-sdk-server.ts';
import type { LiveServer } from '../live-server.ts';
import type { ServedTransport } from '../served-transport.ts';
import { type Pipes, StdioTransport } from './stdio-transport.ts';

/** The transport that standard input and output are, with the moment its one client is gone. */
export interface ServedStdio extends ServedTransport {
  readonly finished: Promise<void>;
}

/** Serves the one client at the other end of standard input and output. */
export function serveStdio(live: LiveServer, pipes: Pipes): ServedStdio {
  const opened = live.sessions.open('stdio', () => handle.close());
  if (opened.kind === 'refused') throw new Error(opened.message);
  const { session } = opened;
  const transport = new StdioTransport(pipes, session, live.limits, live.log);
  const handle = serveSdk(() => buildSdkServer(live.shared, session), {
    transport,
    onerror: (error) => live.shared.onUnserved('stdio', error),
  });
  const finished = transport.finished.then(async () => {
    await handle.close();
    live.sessions.close(session);
  });
  return {
    type: 'stdio',
    configuration: {},
    finished,
    get isActive() {
      return session.status === 'connected';
    },
    close: () => handle.close().then(() => live.sessions.close(session)),
  };
}
