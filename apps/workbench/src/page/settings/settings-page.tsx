import type { SettingsState } from '../../contract.ts';
import { inPage } from '../model/advice.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { AnotherBrowser } from './another-browser.tsx';
import { OtherPrograms } from './other-programs.tsx';
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
