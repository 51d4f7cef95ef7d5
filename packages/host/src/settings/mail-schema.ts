import { z } from 'zod';
import { booleanSchema, text, write } from './field-schemas.ts';

const matchAdvice = 'a part of it, for example "@example.org"';
const pollAdvice = 'whole seconds, 60 or more';
const hours = (advice: string) => z.number(write(advice)).min(1, write(advice));

/** One rule of the mailroom: what fits all its parts gets the decision, without a model. */
const mailRuleSchema = z
  .object(
    {
      name: text('a name for this rule').exactOptional(),
      /** A part of the sender, in any case. */
      from: text(matchAdvice).exactOptional(),
      /** A part of the subject, in any case. */
      subject: text(matchAdvice).exactOptional(),
      decision: z
        .enum(['archive', 'needs_info', 'urgent'], write('"archive", "needs_info" or "urgent"'))
        .exactOptional(),
      /** The label that the mail gets in the mailbox. */
      label: text('the name of a label').exactOptional(),
      /** A folder in `Done` for what is archived. */
      folder: z
        .string(write('the name of a folder'))
        .regex(/^[\p{L}\p{N}][\p{L}\p{N} _-]{0,59}$/u, write('the name of a folder, without "/"'))
        .exactOptional(),
      /** A hook that is run with the mail. */
      hook: text('the id or the name of a hook').exactOptional(),
    },
    write('an object with "from" or "subject", and what happens'),
  )
  .refine(
    ({ from, subject }) => from !== undefined || subject !== undefined,
    write('"from" or "subject", so that it does not fit every mail'),
  );

/** The mailroom: which mailbox becomes notes, and how. */
export const mailSchema = z.object(
  {
    /** The mail server; without it there is no mailroom. */
    server: text('the name of the mail server, for example "gmail"'),
    /** The server that writes notes. */
    vault: text('the name of the server of this vault').default('vault'),
    /** The assistant that decides; the first of the settings unless said otherwise. */
    assistant: text("an assistant's name").exactOptional(),
    /** What the model is told about you and how you write. */
    instructions: text('what the model should know, for example who you are').exactOptional(),
    /** Which mails are fetched, as in Gmail's search field. */
    query: text('a search, for example "in:inbox is:unread"').default('in:inbox is:unread'),
    /** The label of mails that have become notes. */
    label: text('the name of a label').default('AI_PROCESSED'),
    pollSeconds: z.int(write(pollAdvice)).min(60, write(pollAdvice)).default(120),
    /** Below it a person decides. */
    minConfidence: z
      .number(write('a number from 0 to 1'))
      .min(0, write('a number from 0 to 1'))
      .max(1, write('a number from 0 to 1'))
      .default(0.7),
    /** How long a model may take for one answer. */
    modelSeconds: z
      .int(write('whole seconds, 5 to 600'))
      .min(5, write('5 or more'))
      .max(600, write('600 or less'))
      .default(30),
    remindHours: hours('hours, 1 or more').default(24),
    expireHours: hours('hours, 1 or more').default(48),
    rules: z.array(mailRuleSchema, write('a list of rules')).default([]),
    /** Workers fetch and send; every other program only shows the mails and moves notes. */
    workers: booleanSchema.exactOptional(),
  },
  write('an object with "server"'),
);
