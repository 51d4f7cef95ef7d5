import type { WorkbenchState } from '../../contract.ts';
import { CopyButton } from '../parts/copy-button.tsx';

/** How other programs of this machine use the vault's servers. */
export function OtherPrograms({ gateway }: Pick<WorkbenchState, 'gateway'>) {
  const { url, token } = gateway;
  return (
    <section class="panel" aria-labelledby="programs-title">
      <header class="panel-head">
        <h2 id="programs-title">Other programs</h2>
      </header>
      <p>
        Claude, VS Code, Cursor and every other program that speaks MCP reach all your servers as
        one, at this address, while Errand runs:
      </p>
      <p class="copy-line">
        <code>{url}</code>
        <CopyButton text={url} what="address" />
      </p>
      {token === null ? (
        <p class="soft small">It needs no token: Errand was started with --no-token.</p>
      ) : (
        <p class="copy-line">
          <span>They must send this token, which stays the same for this vault.</span>
          <CopyButton text={token} what="token" />
        </p>
      )}
      <p class="soft small">In a program that is set up by JSON it looks like this:</p>
      <div class="copy-block">
        <pre>{exampleWith(url, token && '••••••')}</pre>
        <CopyButton text={exampleWith(url, token)} what="example" />
      </div>
      <p class="soft small">
        <code>errand serve --print-config PROGRAM</code> prints it in that program’s format. A
        program that starts its servers itself runs <code>errand gateway --stdio</code> instead; it
        needs no token and no open workbench. Either way its calls appear in Calls.
      </p>
    </section>
  );
}

function exampleWith(url: string, token: string | null): string {
  const headers = token !== null && { headers: { Authorization: `Bearer ${token}` } };
  return JSON.stringify(
    { mcpServers: { errand: { type: 'http', url, ...headers } } },
    undefined,
    2,
  );
}
