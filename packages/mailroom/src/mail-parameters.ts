import { z } from 'zod';
import type { MailMethods } from './mail-methods.ts';
import { MailroomError } from './mailroom-error.ts';

const id = z.string().min(1, 'it is empty');
const text = z.string().max(1_000_000).optional();

/** What each method takes; anything else is refused and named. */
const parameters: Readonly<Record<keyof MailMethods, z.ZodType>> = {
  board: z.strictObject({ done: z.int().min(0).max(10_000).optional() }),
  show: z.strictObject({ id }),
  approve: z.strictObject({ id, seen: z.string(), evenExpired: z.boolean().optional() }),
  reject: z.strictObject({ id, reason: text }),
  edit: z.strictObject({
    id,
    seen: z.string(),
    to: text,
    cc: text,
    bcc: text,
    subject: text,
    body: text,
  }),
  retry: z.strictObject({ id, note: text }),
  settle: z.strictObject({ id, outcome: z.enum(['was-sent', 'send']) }),
  why: z.strictObject({ id }),
  log: z.strictObject({ id: id.optional(), limit: z.int().min(1).max(10_000).optional() }),
  begin: z.strictObject({
    take: z.union([z.literal('new'), z.strictObject({ days: z.number().min(0).max(3650) })]),
  }),
  'take-over': z.strictObject({}),
  run: z.strictObject({ dryRun: z.boolean().optional(), wait: z.boolean().optional() }),
  pause: z.strictObject({}),
  resume: z.strictObject({}),
};

/** The parameters of a method as they came; throws when they are not what it takes. */
export function readParameters(
  method: string,
  params: object,
): readonly [keyof MailMethods, unknown] {
  if (!Object.hasOwn(parameters, method)) {
    throw new MailroomError('invalid', `The mailroom does not know "${method}".`);
  }
  const name = method as keyof MailMethods;
  const read = parameters[name].safeParse(params);
  if (read.success) return [name, read.data];
  const [issue] = read.error.issues;
  const where = issue?.path.join('.') ?? '';
  throw new MailroomError('invalid', `"${where}": ${issue?.message ?? 'is wrong'}`);
}
