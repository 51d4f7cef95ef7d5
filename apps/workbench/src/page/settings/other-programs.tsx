import { CopyButton } from '../parts/copy-button.tsx';

/** How other programs of this machine use the vault's servers. */
export function OtherPrograms({ gatewayUrl }: { readonly gatewayUrl: string }) {
  const entry = { mcpServers: { errand: { type: 'http', url: gatewayUrl } } };
  const example = JSON.stringify(entry, undefined, 2);
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
        <code>{gatewayUrl}</code>
        <CopyButton text={gatewayUrl} what="address" />
      </p>
      <p class="soft small">In a program that is set up by JSON it looks like this:</p>
      <div class="copy-block">
        <pre>{example}</pre>
        <CopyButton text={example} what="example" />
      </div>
      <p class="soft small">
        A program that starts its servers itself runs <code>errand gateway --stdio</code> instead;
        it needs no open workbench. Either way its calls appear in Calls.
      </p>
    </section>
  );
}
