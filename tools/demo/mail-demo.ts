import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPretendMailbox, type PretendMailbox, readMails } from './pretend-mailbox.ts';
import { startScriptedClerk } from './scripted-clerk.ts';

/** A vault with a mailbox and a model of its own; all of it is gone when it is closed. */
export interface MailDemo extends AsyncDisposable {
  readonly vault: string;
  /** The environment and arguments to serve it with. */
  readonly env: NodeJS.ProcessEnv;
  readonly args: readonly string[];
  readonly introduction: string;
  readonly mailbox: PretendMailbox;
}

const example = join(import.meta.dirname, '../../examples/mailroom');

/** When the mails arrive whose names say `later`. */
const laterMs = 45_000;

/** Opens the example of a mailroom, without an account and without the network. */
export async function openMailDemo({
  laterAfterMs = laterMs,
  onSent = (_line: string) => {},
} = {}): Promise<MailDemo> {
  const home = mkdtempSync(join(tmpdir(), 'errand-mail-demo-'));
  const vault = join(home, 'Mailroom');
  cpSync(join(example, 'vault'), vault, { recursive: true });
  const mailbox = await openPretendMailbox('jo@example.org');
  const model = await startScriptedClerk(join(example, 'replies.json'));
  const settings = join(vault, '.errand', 'settings.json');
  const text = readFileSync(settings, 'utf8').replace(/http:\/\/127\.0\.0\.1:\d+\/v1/, model.url);
  writeFileSync(settings, text);
  const tokens = join(home, 'tokens.json');
  writeFileSync(tokens, JSON.stringify(login(mailbox)), { mode: 0o600 });
  const mails = readMails(join(example, 'inbox'));
  const isLater = ({ name }: { readonly name: string }) => name.includes('-later-');
  for (const mail of mails.filter((each) => !isLater(each))) await mailbox.deliver(mail);
  const ending = new AbortController();
  const { signal } = ending;
  const arrivals = (async () => {
    await sleep(laterAfterMs, undefined, { signal });
    for (const mail of mails.filter(isLater)) await mailbox.deliver(mail);
  })().catch(() => undefined);
  const departures = reportSent(mailbox, onSent, signal).catch(() => undefined);
  return {
    vault,
    mailbox,
    env: {
      ...process.env,
      GMAIL_API_URL: mailbox.url,
      GMAIL_TOKEN_PATH: tokens,
      GMAIL_LEDGER_URL: join(home, 'ledger.sqlite'),
    },
    // Only this vault and only this run: everything in it is ours.
    args: ['--trust'],
    introduction: [
      'A pretend mailbox, people who write to it, and a scripted model. Nothing leaves this machine.',
      `The notes are in ${vault}. They are gone when you press Ctrl-C.`,
      'Open Mail in the page, and choose "Unread of the last day".',
    ].join('\n'),
    async [Symbol.asyncDispose]() {
      ending.abort();
      await Promise.all([arrivals, departures]);
      await model[Symbol.asyncDispose]();
      await mailbox[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function login({ url, email }: PretendMailbox): object {
  return {
    access_token: 'pretended-access',
    refresh_token: 'pretended-refresh',
    client_id: 'pretended-client',
    token_uri: `${url}/oauth2/token`,
    account: email,
    expiry_date: Date.now() + 7 * 86_400_000,
  };
}

/** How often the demonstration looks for mails that left. */
const lookMs = 1_000;

/** Tells of each mail that left, in one line. */
async function reportSent(
  mailbox: PretendMailbox,
  onSent: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let told = 0; ; ) {
    const sent = await mailbox.sent();
    for (const { text } of sent.slice(told)) {
      onSent(`Sent to ${headerOf(text, 'To')}: ${headerOf(text, 'Subject')}`);
    }
    told = sent.length;
    await sleep(lookMs, undefined, { signal });
  }
}

/** A header of a mail, on one line. */
export function headerOf(mail: string, name: string): string {
  const [head = ''] = mail.split(/\r?\n\r?\n/, 1);
  const unfolded = head.replace(/\r?\n[ \t]+/g, ' ');
  return new RegExp(`^${name}: (.*)`, 'im').exec(unfolded)?.[1]?.trim() ?? '';
}
