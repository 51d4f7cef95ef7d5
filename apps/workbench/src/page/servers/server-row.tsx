import { useState } from 'preact/hooks';
import type { Server } from '../../contract.ts';
import { hrefTo } from '../model/route.ts';
import { Button } from '../parts/button.tsx';
import { ServerActions } from './server-actions.tsx';
import { ServerFacts } from './server-facts.tsx';
import './server-row.css';
import { ServerStatus } from './server-status.tsx';
import { TestSteps } from './test-steps.tsx';

/** One server in the list. */
export function ServerRow({ server }: { readonly server: Server }) {
  const { id, name, summary, test } = server;
  const [isTestShown, setTestShown] = useState(false);
  return (
    <li class="server-row">
      <div class="server-name">
        <h2>
          <a href={hrefTo('servers', id)}>{name}</a>
        </h2>
        <p class="server-summary small soft" title={summary}>
          {summary}
        </p>
      </div>
      <ServerStatus server={server} />
      <ServerFacts server={server} />
      <ServerActions server={server} onTest={() => setTestShown(true)} />
      {isTestShown && test && (
        <div class="server-test">
          <TestSteps test={test} />
          <Button look="quiet" isSmall isIconOnly icon="close" onClick={() => setTestShown(false)}>
            Close the test
          </Button>
        </div>
      )}
    </li>
  );
}
