import { adviceForCode } from '../advice.ts';
import { HostError, type HostErrorFacts } from '../host-error.ts';
import type { LaunchFile, LaunchFiles } from '../launch-files.ts';
import type { ApprovalRule, ServerConfig } from '../settings.ts';
import type { Agreement, TrustRecord, TrustStore } from '../trust-store.ts';
import { type AssistantEntry, assistantClaim } from './assistant-claim.ts';
import { describeLaunch, summariseLaunch } from './describe-launch.ts';
import { launchFingerprint } from './launch-fingerprint.ts';

/** Whether a person on this machine approved what an entry would start. */
export type TrustVerdict = 'trusted' | 'new' | 'changed';

/** Decides what may start. Settings travel with a vault; a stranger's commands must not run (D17). */
export interface Trust {
  verdict(server: ServerConfig): TrustVerdict;
  /** Why the server may not start: `untrusted`, with advice. */
  mayStart(server: ServerConfig): HostError | undefined;
  /** What to show a person for approval. */
  show(server: ServerConfig): ShownLaunch;
  /** The approval rule for calls of models: that of the entry, unless it is laxer than the approved one. */
  approvalOf(server: ServerConfig): ApprovalRule;
  verdictOfAssistant(assistant: AssistantEntry): TrustVerdict;
  /** Why an assistant may not be used: it would send questions and a key to a provider. */
  mayUse(assistant: AssistantEntry): HostError | undefined;
  /** Remembers that a person made these entries on this machine. */
  agree(servers: readonly ServerConfig[], assistants?: readonly AssistantEntry[]): Promise<void>;
  /** Stores the approval of exactly what was shown; a file that changed meanwhile needs a new one. */
  agreeTo(shown: readonly ShownLaunch[], assistants?: readonly AssistantEntry[]): Promise<void>;
  /** Removes the approvals of these entries; without any, all of this vault. */
  revoke(servers?: readonly ServerConfig[], assistants?: readonly AssistantEntry[]): Promise<void>;
  /** Reads now what other processes remember, instead of waiting to hear of it. */
  refresh(): Promise<void>;
  /** Stops following what other processes remember. */
  close(): void;
}

/** An entry as a person saw it. */
export interface ShownLaunch {
  readonly server: ServerConfig;
  /** What it would do on this machine, in full, and what an approval does not cover. */
  readonly does: readonly string[];
  readonly files: readonly LaunchFile[];
}

/** What an entry would do, and its fingerprint. */
export interface TrustClaim {
  readonly id: string;
  readonly fingerprint: string;
  /** The files of the vault that it names. */
  readonly files?: readonly LaunchFile[];
  /** The approval rule for calls of models. */
  readonly approval?: ApprovalRule;
  /** `Server "notes"`. */
  readonly subject: string;
  /** What it would do, such as `run errand-vault`. */
  readonly does: string;
  readonly facts: HostErrorFacts;
}

interface TrustOptions {
  /** Approves everything for this run: `--trust`, or `ERRAND_TRUST=1`. */
  readonly trustAll?: boolean;
  /** Hashes files of the vault; without it files are not compared. */
  readonly launchFiles?: LaunchFiles;
  /** Entries that only start a built-in server on this vault: they are trusted without asking. */
  readonly isOwnServer?: (server: ServerConfig) => boolean;
}

/** Opens the approvals of one vault and watches them, so that an approval given elsewhere counts at once. */
export async function openTrust(
  store: TrustStore,
  { trustAll = false, launchFiles = noFiles, isOwnServer = () => false }: TrustOptions = {},
): Promise<Trust> {
  let record = await store.load();
  const follow = (loaded: TrustRecord) => {
    record = loaded;
  };
  // If the approvals cannot be read, the last known ones stay in force.
  const refresh = () => store.load().then(follow, () => {});
  const stop = store.watch(() => void refresh());
  // A server that a running program lends starts nothing, and no settings can name one.
  const startsNothing = ({ deploymentType }: ServerConfig) => deploymentType === 'face';
  const claimOf = (server: ServerConfig) =>
    startsNothing(server) || isOwnServer(server)
      ? undefined
      : serverClaim(server, launchFiles.of(server));
  const may = (claim: TrustClaim | undefined) => {
    const verdict = judge(claim, record);
    if (trustAll || verdict === 'trusted' || claim === undefined) return undefined;
    return untrusted(claim, verdict, record.get(claim.id));
  };
  const show = (server: ServerConfig): ShownLaunch => {
    const files = launchFiles.of(server);
    return { server, files, does: describeLaunch(server, files) };
  };
  const agreeTo: Trust['agreeTo'] = async (shown, assistants = []) => {
    const claims = [
      ...shown.map(({ server, files }) => serverClaim(server, files)),
      ...assistants.flatMap((assistant) => assistantClaim(assistant) ?? []),
    ];
    record = await store.save((current) => {
      const agreed = claims.map((claim) => {
        const before = current.get(claim.id);
        // Keeps the stored hints of the same server.
        const isSame = before !== undefined && isSameLaunch(claim, before);
        const { approval } = claim;
        const agreement = isSame ? before : agreementTo(claim);
        return [claim.id, { ...agreement, ...(approval && { approval }) }] as const;
      });
      return new Map([...current, ...agreed]);
    });
  };
  return {
    verdict: (server) => judge(claimOf(server), record),
    mayStart: (server) => may(claimOf(server)),
    show,
    approvalOf({ id, approval = 'ask' }) {
      const agreed: Pick<Agreement, 'approval'> = record.get(id) ?? {};
      return trustAll || !asksLess({ approval }, agreed) ? approval : (agreed.approval ?? 'ask');
    },
    verdictOfAssistant: (assistant) => judge(assistantClaim(assistant), record),
    mayUse: (assistant) => may(assistantClaim(assistant)),
    agree: (servers, assistants) => agreeTo(servers.map(show), assistants),
    agreeTo,
    async revoke(servers, assistants = []) {
      const ids = new Set([
        ...(servers ?? []).map(({ id }) => id),
        ...assistants.flatMap((assistant) => assistantClaim(assistant)?.id ?? []),
      ]);
      const isKept = (id: string) => servers !== undefined && !ids.has(id);
      record = await store.save((current) => new Map([...current].filter(([id]) => isKept(id))));
    },
    refresh,
    close: stop,
  };
}

const noFiles: LaunchFiles = { of: () => [] };

function serverClaim(server: ServerConfig, files: readonly LaunchFile[]): TrustClaim {
  return {
    id: server.id,
    fingerprint: launchFingerprint(server),
    files,
    approval: server.approval ?? 'ask',
    subject: `Server "${server.name}"`,
    does: summariseLaunch(server),
    facts: { server: server.name, neverSent: true },
  };
}

function judge(claim: TrustClaim | undefined, record: TrustRecord): TrustVerdict {
  if (claim === undefined) return 'trusted';
  const agreed = record.get(claim.id);
  if (agreed === undefined) return 'new';
  const isSame = isSameLaunch(claim, agreed) && !asksLess(claim, agreed);
  return isSame ? 'trusted' : 'changed';
}

function isSameLaunch(claim: TrustClaim, agreed: Agreement): boolean {
  return agreed.fingerprint === claim.fingerprint && !changedFile(claim, agreed);
}

/** A vault may become stricter about what models call, not laxer. */
function asksLess(
  { approval = 'ask' }: Pick<TrustClaim, 'approval'>,
  { approval: agreed = 'ask' }: Pick<Agreement, 'approval'>,
): boolean {
  return strictness.indexOf(approval) < strictness.indexOf(agreed);
}

const strictness: readonly ApprovalRule[] = ['allow', 'ask', 'always', 'deny'];

function agreementTo({ fingerprint, files = [] }: TrustClaim): Agreement {
  if (files.length === 0) return { fingerprint };
  return {
    fingerprint,
    files: Object.fromEntries(files.map(({ path, identity }) => [path, identity])),
  };
}

/** The first path that changed, is new, or is missing, because something else may run instead. */
function changedFile({ files = [] }: TrustClaim, agreed: Agreement): ChangedFile | undefined {
  const now = new Map(files.map(({ path, identity }) => [path, identity]));
  const before = new Map(Object.entries(agreed.files ?? {}));
  const path = [...before.keys(), ...now.keys()].find((one) => now.get(one) !== before.get(one));
  if (path === undefined) return undefined;
  return { path, isGone: (now.get(path) ?? 'missing') === 'missing' };
}

interface ChangedFile {
  readonly path: string;
  readonly isGone: boolean;
}

function untrusted(
  claim: TrustClaim,
  verdict: 'new' | 'changed',
  agreed: Agreement | undefined,
): HostError {
  const { subject, does, facts, fingerprint } = claim;
  const changed = agreed?.fingerprint === fingerprint ? changedFile(claim, agreed) : undefined;
  if (changed !== undefined) {
    const what = changed.isGone ? 'removed' : 'changed';
    const message = `${subject} runs ${changed.path} of this vault, which was ${what} since somebody on this machine agreed to it.`;
    return new HostError('untrusted', message, facts, { advice: adviceForCode('untrusted') });
  }
  const what =
    verdict === 'new'
      ? 'came with this vault and nobody on this machine has agreed to it'
      : 'was changed since somebody on this machine agreed to it';
  return new HostError('untrusted', `${subject} ${what}. It would ${does}.`, facts, {
    advice: adviceForCode('untrusted'),
  });
}
