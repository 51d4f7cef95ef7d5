import { MailPlace } from './mail-place.ts';

/** A robot that answers everything sends so many mails at once; answers with what did not end as it must. */
export async function floodMail(place: MailPlace, count: number): Promise<readonly string[]> {
  const before = place.model.requests.length;
  for (let at = 0; at < count; at += 1)
    await place.deliver(`reply to robot ${at}`, 'Automatic answer', ['From: robot@other.example']);
  await place.round();
  const flaws: string[] = [];
  const notes = place.notes('Needs_Action').length;
  if (notes !== count) flaws.push(`${notes} of ${count} mails are notes`);
  const drafts = place.notes('Drafts').length;
  if (drafts > 20) flaws.push(`${drafts} replies were drafted`);
  const asked = place.model.requests.length - before;
  if (asked > 20) flaws.push(`a model was asked about ${asked} mails`);
  const left = (await place.sent()).length;
  if (left > 0) flaws.push(`${left} mails left`);
  return flaws;
}

/** The same with a vault and a mailbox of its own. */
export async function floodMailbox(count: number): Promise<readonly string[]> {
  await using place = await MailPlace.open();
  return await floodMail(place, count);
}
