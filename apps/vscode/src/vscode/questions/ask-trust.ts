import type { ShownLaunch } from '@errand/host';
import { window } from 'vscode';

/** Shows what servers would start on this computer; resolves with whether the person agrees to all. */
export async function askTrust(shown: readonly ShownLaunch[], agree: string): Promise<boolean> {
  const [only] = shown;
  const title =
    shown.length === 1 ? `Start server "${only?.server.name}"?` : `Start ${shown.length} servers?`;
  const launches = shown.map(({ server, does }) =>
    [...(shown.length > 1 ? [`${server.name}:`] : []), ...does].join('\n'),
  );
  const detail = [
    'Nobody on this computer has agreed to it yet, or it was changed since. It:',
    ...launches,
  ].join('\n\n');
  return (await window.showWarningMessage(title, { modal: true, detail }, agree)) === agree;
}
