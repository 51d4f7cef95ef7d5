import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { openOwnerOnlyFile } from '@errand/files';
import {
  faultNotice,
  type Host,
  type MailSettings,
  type Notifier,
  systemClock,
} from '@errand/host';
import {
  type AskModel,
  type MailEvent,
  type Mailroom,
  MailService,
  openMailroom,
  type SharedStart,
  sharedPorts,
} from '@errand/mailroom';
import type { OpenHooksPorts } from './open-hooks.ts';

export interface OpenMailPorts
  extends Pick<OpenHooksPorts, 'folder' | 'stateFolder' | 'references' | 'callLog' | 'mayUse'> {
  readonly host: Pick<Host, 'execute'> & {
    readonly servers: Pick<Host['servers'], 'find' | 'settings'>;
  };
  readonly notifier: Notifier;
  readonly emit: (event: MailEvent) => void;
  readonly runHook?: (hook: string, fields: Readonly<Record<string, unknown>>) => Promise<void>;
  /** The settings of the mailbox, unless it is the one of the vault. */
  readonly mailSettings?: () => MailSettings | null;
  /** For a mailbox that several programs work for: resolves once this one does. */
  readonly shared?: Promise<SharedStart>;
}

/** The mailroom of a vault, and what answers for it. */
export interface OpenMail {
  readonly room: Mailroom;
  readonly service: MailService;
}

/** Puts the mailroom of a vault together; it works once it is started. */
export async function openMail(ports: OpenMailPorts): Promise<OpenMail> {
  const { folder, host, notifier, emit, runHook, stateFolder, shared } = ports;
  const { mailSettings: settings = () => host.servers.settings.mail } = ports;
  const machine = { id: await machineId(stateFolder), name: hostname() };
  const room = openMailroom({
    folder,
    host,
    settings,
    ask: assistantOf(ports, settings),
    clock: systemClock,
    machine,
    ...(shared && { shared: sharedPorts(machine.id, shared) }),
    notifier,
    emit,
    ...(runHook && { runHook }),
    onFault: (error) => notifier.notify(faultNotice('The mailroom failed', error)),
  });
  return { room, service: new MailService(room) };
}

/** Asks the assistant of the settings, as they are at that moment. */
function assistantOf(
  { host, references, mayUse, callLog }: OpenMailPorts,
  settings: () => MailSettings | null,
): AskModel {
  return async ({ instructions, messages }, signal) => {
    // Loaded when the first mail is decided about.
    const { askForText, chooseAssistant, openModel } = await import('@errand/assistant');
    const mail = settings();
    const { assistants } = host.servers.settings;
    const config = chooseAssistant(assistants, mail?.assistant);
    const model = await openModel(config, { ...references, mayUse });
    const limit = AbortSignal.timeout((mail?.modelSeconds ?? 30) * 1000);
    const { text, tokens } = await askForText(
      { instructions, messages, conversation: `mail:${randomUUID()}` },
      { model, log: callLog },
      AbortSignal.any([signal, limit]),
    );
    return { text, by: `${config.provider}:${config.model}`, ...(tokens && { tokens }) };
  };
}

/** Names this user on this machine to the vaults that they work for; it is made once, and nobody can guess it. */
async function machineId(stateFolder: string): Promise<string> {
  const file = openOwnerOnlyFile(join(stateFolder, 'mail', 'machine-id'));
  const known = (await file.read())?.trim();
  if (known) return known;
  let id = '';
  await file.change((now) => {
    id = now?.trim() || randomUUID();
    return id;
  });
  return id;
}
