import { join } from 'node:path';
import { createMemorySecretStore } from '@errand/host/testing';
import { openSettingsFile } from '@errand/machine/node';
import { openVaultHost, type VaultHost } from '@errand/machine/vault';

const root = join(import.meta.dirname, '../..');

/** Which decision a mail asks the scripted model for, by a word in its subject. */
const decisions: Readonly<Record<string, object>> = {
  reply: {
    decision: 'draft_reply',
    confidence: 0.9,
    reasoning: 'It can be answered.',
    reply_body: 'Yes, gladly.\n\nOwner',
  },
  archive: { decision: 'archive', confidence: 0.95, reasoning: 'Nothing to do.' },
  urgent: {
    decision: 'urgent',
    confidence: 0.9,
    reasoning: 'It burns.',
    reply_body: 'I am on it.',
  },
  delegate: {
    decision: 'delegate',
    confidence: 0.9,
    reasoning: 'Bob knows.',
    delegation_target: 'Bob',
  },
  info: {
    decision: 'needs_info',
    confidence: 0.9,
    reasoning: 'Unknown.',
    info_needed: 'The date.',
  },
};

/** Answers as the subject of the mail in the request says. */
export const answerBySubject = ({ body }: { readonly body: object }) => {
  const text = JSON.stringify(body);
  const [, subject = ''] = /Subject: (.*?)\\\\?n/.exec(text) ?? [];
  const word =
    Object.keys(decisions).find((name) => subject.toLowerCase().includes(name)) ?? 'info';
  return { text: [JSON.stringify(decisions[word])], tokens: { input: 100, output: 20 } };
};

/** The servers of the vault, as processes from their sources. */
export function servers(
  home: string,
  folder: string,
  url: string,
  ledger = join(home, 'ledger.sqlite'),
): readonly object[] {
  const local = (name: string, args: readonly string[], env: Record<string, string> = {}) => ({
    id: `id-${name}`,
    name,
    transport: 'stdio',
    deploymentType: 'local',
    localConfig: { command: process.execPath, args, env },
    enabled: true,
    failureCount: 0,
    autoDisabled: false,
    sectionBindings: [],
  });
  return [
    local('vault', [join(root, 'servers/vault/src/main.ts'), '--vault', folder]),
    local(
      'gmail',
      [join(root, 'servers/gmail/src/main.ts'), '--vault', folder, '--daily-cap', '100000'],
      {
        GMAIL_API_URL: url,
        GMAIL_TOKEN_PATH: join(home, 'tokens.json'),
        GMAIL_LEDGER_URL: ledger,
        HOME: home,
      },
    ),
  ];
}

/** The host of the vault, as programs open it. */
export function openHost(folder: string, home: string): Promise<VaultHost> {
  const env = {
    ...process.env,
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CACHE_HOME: join(home, 'cache'),
  };
  return openVaultHost({
    folder,
    version: '0.0.0',
    env,
    settings: openSettingsFile(folder),
    secrets: createMemorySecretStore({}),
    notifier: { notify: () => undefined },
    trustAll: true,
  });
}
