import type { MailItem } from '../../contract.ts';
import { api } from '../model/api.ts';

/** Takes an approved draft back to Drafts, unchanged. */
export async function withdraw({ id }: MailItem): Promise<void> {
  const { draft } = await api.mail.item.$get({ query: { id } });
  if (draft !== undefined) await api.mail.edit.$post({ json: { id, seen: draft.seen } });
}
