import { duration } from '@errand/document/display';
import type { Server } from '../../contract.ts';
import { Ago } from '../parts/time.tsx';
import './server-facts.css';

/** Tool count, latency and last connection of a server. */
export function ServerFacts({ server }: { readonly server: Server }) {
  const { toolCount, pingLatency, lastConnectedAt } = server;
  return (
    <dl class="server-facts">
      <div>
        <dt>Tools</dt>
        <dd>{toolCount ?? '–'}</dd>
      </div>
      <div>
        <dt>Latency</dt>
        <dd>{pingLatency === undefined ? '–' : duration(pingLatency)}</dd>
      </div>
      <div>
        <dt>Last connected</dt>
        <dd>{lastConnectedAt === undefined ? 'never' : <Ago at={lastConnectedAt} />}</dd>
      </div>
    </dl>
  );
}
