import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { faultNotice, HostError, type Notifier, type ShownLaunch } from '@errand/host';
import { openSettingsFile } from '@errand/machine/node';
import { Activity } from '@errand/workspace/activity';
import { NoteAnswers } from '@errand/workspace/conversations';
import { VaultMail } from '@errand/workspace/mail';
import { type QuestionQueue, TrustQuestions } from '@errand/workspace/questions';
import { NoteBlocks, NoteRuns } from '@errand/workspace/runs';
import { KnownTools } from '@errand/workspace/suggestions';
import { VaultGateway } from './editor-tools/vault-gateway.ts';
import { VaultHooks } from './hooks/vault-hooks.ts';
import { type EditorPorts, type OpenVault, openVault } from './open-vault.ts';

export interface SessionPorts extends Omit<EditorPorts, 'settings'> {
  readonly notifier: Notifier;
  /** One dialog at a time, whichever vault asks. */
  readonly questions: QuestionQueue;
  /** Shows what servers would start; resolves with whether the person agrees to all. */
  readonly askTrust: (shown: readonly ShownLaunch[], agree: string) => Promise<boolean>;
}

/** What every part of the extension works with while a vault is open. Paths of notes are relative to its folder. */
export interface VaultSession extends AsyncDisposable {
  readonly folder: string;
  readonly vault: OpenVault;
  readonly activity: Activity;
  readonly hooks: VaultHooks;
  readonly runs: NoteRuns;
  /** By the path of the note. */
  readonly answers: NoteAnswers<string>;
  readonly blocks: NoteBlocks;
  readonly tools: KnownTools;
  readonly questions: QuestionQueue;
  readonly trustQuestions: TrustQuestions;
  /** The mailroom, which the owner of the vault runs. */
  readonly mail: VaultMail;
  /** For the agents of the editor. */
  readonly gateway: VaultGateway;
}

/** Opens a vault. Disposing it cancels what runs, and ends everything that was started. */
export async function openSession(ports: SessionPorts, signal: AbortSignal): Promise<VaultSession> {
  const { notifier, questions, askTrust, version } = ports;
  const settings = openSettingsFile(ports.folder);
  const vault = await openVault({ ...ports, settings }, signal);
  const onFault = (error: unknown) =>
    notifier.notify(faultNotice('A change of a call was not shown', error));
  const activity = new Activity(vault.host, { onFault });
  const hooks = new VaultHooks(vault.sharing, onFault);
  const runs = new NoteRuns({ ...vault, sessions: activity.sessions, onFault });
  const answers = new NoteAnswers<string>();
  const tools = new KnownTools(vault.host);
  const mail = openMail(vault);
  const gateway = new VaultGateway({ host: vault.host, version, notifier });
  return {
    folder: vault.folder,
    vault,
    activity,
    hooks,
    runs,
    answers,
    blocks: new NoteBlocks((path) => vault.host.servers.noteContext(path)),
    tools,
    questions,
    trustQuestions: new TrustQuestions(vault.trust, questions, askTrust),
    mail,
    gateway,
    async [Symbol.asyncDispose]() {
      mail[Symbol.dispose]();
      await gateway[Symbol.asyncDispose]();
      await answers[Symbol.asyncDispose]();
      await runs[Symbol.asyncDispose]();
      tools[Symbol.dispose]();
      hooks[Symbol.dispose]();
      activity[Symbol.dispose]();
      await vault[Symbol.asyncDispose]();
    },
  };
}

/** Calls back when the settings of a folder change; returns what ends that. */
export function watchSettings(folder: string, listener: () => void): () => void {
  return openSettingsFile(folder).watch(listener);
}

/** Asks how much waits where a mailroom has been at work, and not elsewhere: the owner would open one. */
function openMail({ sharing, folder }: OpenVault): VaultMail {
  const { serviceEvents } = sharing;
  const mail = new VaultMail(
    {
      isRun: () => sharing.role !== 'private',
      request: (asked) => sharing.request(asked),
      serviceEvents,
    },
    notRunning,
  );
  if (existsSync(join(folder, 'Logs', 'orchestrator_state.json'))) void mail.refresh();
  return mail;
}

function notRunning(): HostError {
  const message = 'No program runs the mailroom of this vault.';
  return new HostError(
    'stopped',
    `${message} Start errand up or errand serve, and run the command again.`,
  );
}
