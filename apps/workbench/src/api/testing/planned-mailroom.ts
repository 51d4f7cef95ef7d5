import { HostError, Listeners } from '@errand/host';
import type { MailBoard, MailDetails, MailFolder, MailItem } from '@errand/mailroom';
import type { JsonObject } from '@errand/wire';
import type { VaultServices } from '../workbench-ports.ts';

/** A mailroom whose board a test lays out, for states that only a crash or another machine brings about. */
export interface PlannedMailroom {
  readonly asked: { readonly method: string; readonly params: JsonObject }[];
  state: Partial<MailBoard>;
  items: MailItem[];
  details: Readonly<Record<string, Partial<MailDetails>>>;
  /** What a method answers with instead; an error refuses it. */
  answers: Record<string, (params: JsonObject) => unknown>;
  changed(): void;
  open(): Promise<VaultServices & AsyncDisposable>;
}

const mailFolders: readonly MailFolder[] = ['Needs_Action', 'Drafts', 'Approved', 'Done'];

export function planMailroom(items: readonly MailItem[] = []): PlannedMailroom {
  const events = new Listeners<{ readonly service: string; readonly event: JsonObject }>((error) =>
    console.error(error),
  );
  const plan: PlannedMailroom = {
    asked: [],
    state: {},
    items: [...items],
    details: {},
    answers: {},
    changed: () => events.emit({ service: 'mail', event: { kind: 'board-changed' } }),
    open: async () => ({
      request: async ({ method, params }) => ({ value: answer(plan, method, params) }),
      serviceEvents: events,
      async [Symbol.asyncDispose]() {},
    }),
  };
  return plan;
}

function answer(plan: PlannedMailroom, method: string, params: JsonObject): unknown {
  plan.asked.push({ method, params });
  const planned = plan.answers[method];
  if (planned !== undefined) return planned(params);
  switch (method) {
    case 'board':
      return boardOf(plan);
    case 'show': {
      const item = plan.items.find(({ id }) => id === params.id);
      if (item === undefined) throw new HostError('note_unreadable', 'No note has this id.');
      return { item, ...plan.details[item.id] };
    }
    default:
      return { board: boardOf(plan), item: plan.items[0], round: {} };
  }
}

function boardOf({ items, state }: PlannedMailroom): MailBoard {
  const inFolder = (folder: MailFolder) => items.filter((item) => item.folder === folder);
  return {
    state: 'running',
    mailbox: 'jo@example.org',
    counts: { waiting: inFolder('Drafts').length, leaving: 0, wrong: 0 },
    folders: Object.fromEntries(
      mailFolders.map((folder) => [folder, inFolder(folder)]),
    ) as unknown as MailBoard['folders'],
    doneCount: inFolder('Done').length,
    ...state,
  };
}

/** A note of the board. */
export function mailItem(
  id: string,
  kind: MailItem['kind'],
  folder: MailFolder,
  state: MailItem['state'],
  rest: Partial<MailItem> = {},
): MailItem {
  return {
    id,
    kind,
    folder,
    state,
    path: `${folder}/${id}.md`,
    isUrgent: false,
    who: 'Ada Example <ada@example.org>',
    subject: id,
    ...rest,
  };
}
