import { McpError, ServiceError } from '@errand/server-kit';
import type { GmailApi } from './gmail-api.ts';

export interface MailLabel {
  readonly id: string;
  readonly name: string;
}

export interface EnsuredLabel extends MailLabel {
  readonly created: boolean;
}

/** The labels of a mailbox by name. */
export interface MailLabels {
  /** The label of a name in any case; when there is none, it is made, unless `check` fails. */
  ensure(name: string, signal: AbortSignal, check?: () => Promise<unknown>): Promise<EnsuredLabel>;
  /** The names of labels. */
  namesOf(ids: readonly string[], signal: AbortSignal): Promise<readonly string[]>;
  /** Forgets what is known, because Gmail does not know one of these labels. */
  forget(): void;
}

/** Milliseconds for which a list of labels is used: people rename and delete them. */
const freshFor = 60_000;

/** Looks labels up in a list that is read when something is missing from it, or when it is old. */
export function createMailLabels(
  api: Pick<GmailApi, 'listLabels' | 'createLabel'>,
  monotonic: () => number = () => performance.now(),
): MailLabels {
  let listed: { readonly labels: readonly MailLabel[]; readonly at: number } | undefined;
  const known = () =>
    listed !== undefined && monotonic() - listed.at < freshFor ? listed.labels : undefined;
  const creating = new Map<string, Promise<EnsuredLabel>>();
  const load = async (signal: AbortSignal) => {
    const at = monotonic();
    const { labels = [] } = await api.listLabels(signal);
    listed = { labels: labels.flatMap(({ id, name }) => (id && name ? [{ id, name }] : [])), at };
    return listed.labels;
  };
  const find = (labels: readonly MailLabel[] | undefined, name: string) =>
    labels?.find((label) => fold(label.name) === fold(name));
  const create = async (name: string): Promise<EnsuredLabel> => {
    // Others wait for this label too, so nobody's cancelling ends it.
    const signal = AbortSignal.timeout(30_000);
    try {
      const { id, name: given } = await api.createLabel(name, signal);
      const label = { id: id ?? '', name: given ?? name };
      if (listed !== undefined) listed = { ...listed, labels: [...listed.labels, label] };
      return { ...label, created: true };
    } catch (error) {
      const isThere =
        error instanceof ServiceError && ['conflict', 'invalid', 'cut'].includes(error.kind);
      const made = isThere ? find(await load(signal), name) : undefined;
      if (made === undefined) throw error;
      return { ...made, created: false };
    }
  };
  return {
    async ensure(given, signal, check) {
      const name = given.trim();
      const found = find(known(), name) ?? find(await load(signal), name);
      if (found !== undefined) return { ...found, created: false };
      await check?.();
      const running = creating.get(fold(name));
      if (running !== undefined) return { ...(await running), created: false };
      const made = create(name).finally(() => creating.delete(fold(name)));
      creating.set(fold(name), made);
      return await made;
    },
    async namesOf(ids, signal) {
      const held = known();
      const isMissing = ids.some((id) => !held?.some((label) => label.id === id));
      const labels = isMissing || held === undefined ? await load(signal) : held;
      return ids.map((id) => labels.find((label) => label.id === id)?.name ?? id);
    },
    forget() {
      listed = undefined;
    },
  };
}

/** Refuses names that Gmail has no use for. */
export function checkLabelName(field: string, name: string): void {
  const isUsable =
    name.trim() !== '' && name.length <= 225 && [...name].every((letter) => letter >= ' ');
  if (isUsable) return;
  throw new McpError(
    'invalid_input',
    `${field} is no name of a label. Use 1 to 225 characters without line breaks.`,
    { field },
  );
}

function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
