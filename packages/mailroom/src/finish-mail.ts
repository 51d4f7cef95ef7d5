import type { SendFlowPorts } from './send-flow.ts';

/** The mail that was answered goes to Done, whatever folder a person has it in meanwhile. */
export async function finishMail(
  messageId: string,
  session: string,
  { notes, clock, settings, mailbox, onTrouble }: Omit<SendFlowPorts, 'tell'>,
): Promise<void> {
  await notes.follow(await notes.locate(messageId, 'mail'), async (mail) => {
    if (mail.problem !== undefined || mail.folder !== 'Needs_Action') return;
    // In this order: a mail in Needs_Action that is done is one that a person took out of Done.
    const path = await notes.move(mail.path, 'Done', session);
    const set = { status: 'done', answered_at: new Date(clock.now()).toISOString() };
    await notes.update(path, { set }, session);
  });
  const { label } = settings() ?? {};
  if (label !== undefined) await mailbox.label([messageId], label, { session }).catch(onTrouble);
}
