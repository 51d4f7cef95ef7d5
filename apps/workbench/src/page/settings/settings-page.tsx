import { Button } from '@errand/parts/controls';
import { useState } from 'preact/hooks';
import type { SettingsState, WorkbenchState } from '../../contract.ts';
import { inPage } from '../model/advice.ts';
import { api } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { ModelList } from './model-list.tsx';
import { SecretList } from './secret-list.tsx';
import { SettingsForm } from './settings-form.tsx';
import './settings-page.css';

/** The settings page: settings, secrets, and access for other programs. */
export function SettingsPage() {
  const state = useWorkbench().state.value;
  if (state === undefined) return null;
  const { settings, gateway, version, vault } = state;
  return (
    <div class="page">
      <h1>Settings</h1>
      {settings.problems.length > 0 && <Problems settings={settings} />}
      <div class="settings-columns">
        <SettingsForm settings={settings} />
        <div>
          <ModelList />
          <SecretList />
          <OtherPrograms gateway={gateway} />
          <AnotherBrowser />
        </div>
      </div>
      <footer class="soft small about">
        <p>Errand {version}</p>
        <p>
          Vault: <code>{vault.folder}</code>
        </p>
        <p>
          These settings: <code>{settings.file}</code>
        </p>
      </footer>
    </div>
  );
}

function Problems({ settings }: { readonly settings: SettingsState }) {
  return (
    <section class="problems" aria-labelledby="problems-title">
      <h2 id="problems-title">The settings file has errors</h2>
      <p>
        Invalid entries are ignored, everything else applies. This page updates when you fix them in{' '}
        <code>{settings.file}</code>
      </p>
      <ul>
        {settings.problems.map((problem) => (
          <li key={problem.message}>{inPage(problem)}</li>
        ))}
      </ul>
    </section>
  );
}

/** Makes a link that gives another browser access. */
function AnotherBrowser() {
  const model = useWorkbench();
  const [link, setLink] = useState<string>();
  const make = async () => {
    const made = await model.attempt(() => api.link.$post());
    if (made !== undefined) setLink(made.link);
  };
  return (
    <section class="panel" aria-labelledby="browser-title">
      <header class="panel-head">
        <h2 id="browser-title">Another browser</h2>
      </header>
      <p>The link that Errand printed lets in one browser. For another one make a link here.</p>
      {link !== undefined && (
        <p class="copy-line" role="status">
          <code>{link}</code>
          <CopyButton text={link} what="link" />
        </p>
      )}
      <Button onClick={make}>{link === undefined ? 'Make a link' : 'Make another link'}</Button>
      <p class="soft small">It works once, on this machine, until Errand is restarted.</p>
    </section>
  );
}

/** How other programs of this machine use the vault's servers. */
function OtherPrograms({ gateway }: Pick<WorkbenchState, 'gateway'>) {
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
