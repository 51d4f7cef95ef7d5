import { duration } from '@errand/document/display';
import type { Server } from '../../contract.ts';
import { Ago } from '../parts/time.tsx';
import './server-facts.css';

/** The figures of a server. What is not known yet is a dash. */
export function ServerFacts({ server }: { readonly server: Server }) {
  const { tools, latencyMs, lastConnectedAt } = server;
  return (
    <dl class="server-facts">
      <div>
        <dt>Tools</dt>
        <dd>{tools ?? '–'}</dd>
      </div>
      <div>
        <dt>Latency</dt>
        <dd>{latencyMs === null ? '–' : duration(latencyMs)}</dd>
      </div>
      <div>
        <dt>Last connected</dt>
        <dd>{lastConnectedAt === null ? 'never' : <Ago at={lastConnectedAt} />}</dd>
      </div>
    </dl>
  );
}
