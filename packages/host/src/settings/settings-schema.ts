import { z } from 'zod';
import { booleanSchema, connectSchema, text, timeoutSchema, write } from './field-schemas.ts';
import { foreignPrograms, isForeignProgram } from './foreign/foreign-programs.ts';
import { mailSchema } from './mail-schema.ts';

const limit = z
  .int(write('a whole number, 1 or more, or -1 for no limit'))
  .refine(
    (number) => number === -1 || number >= 1,
    write('a whole number, 1 or more, or -1 for no limit'),
  );

const atLeastOne = (unit: string) =>
  z.int(write(`a whole number of ${unit}`)).min(1, write(`at least 1, in ${unit}`));

const programs = `names of programs: ${Object.keys(foreignPrograms).filter(isForeignProgram).join(', ')}`;

/** The settings beside the servers. Each is read alone, so that one mistake costs one value. */
export const settingsSchema = z.object({
  /** Milliseconds a call may take, 1,000 to 300,000. */
  mcpGlobalTimeout: timeoutSchema.default(30_000),
  /** Calls running at once; -1 is unlimited. */
  mcpConcurrentLimit: limit.default(25),
  /** Calls of one session; -1 is unlimited. */
  mcpSessionLimit: limit.default(25),
  /** When programs that stay connect to the servers. */
  connect: connectSchema.default('at-start'),
  onError: z.enum(['replace', 'keep'], write('"replace" or "keep"')).default('replace'),
  attachmentsFolder: text('a folder of the vault, for example "Attachments/errand"')
    .refine(isInside, write('a folder inside the vault, without ".." and not absolute'))
    .refine(isShown, write('a folder that is not hidden: no part of its path begins with "."'))
    .default('Attachments/errand'),
  logParameters: booleanSchema.default(false),
  logDays: atLeastOne('days').default(30),
  logMegabytes: atLeastOne('megabytes').default(100),
  /** Other programs whose configured servers are shown beside ours. */
  discovery: z
    .array(
      z.string(write(programs)).refine(isForeignProgram, write(programs)),
      write('a list, for example ["vscode"]'),
    )
    .default([]),
  /** The mailbox that becomes notes; null when there is none. */
  mail: mailSchema.nullable().default(null),
  /** Further mailboxes, which workers share. */
  sharedMailboxes: z.array(mailSchema, write('a list of objects with "server"')).default([]),
});

function isInside(path: string): boolean {
  return !/^([\\/]|[A-Za-z]:)/.test(path) && !path.split(/[\\/]/).includes('..');
}

/** Hidden folders hold hooks, plugins and the like, and are not shown to people. */
function isShown(path: string): boolean {
  return path.split(/[\\/]/).every((name) => name === '.' || name === '..' || !hidden.test(name));
}

/** Also after characters that some file systems drop. */
const hidden = /^(?:\p{Cf}|\u034f)*\./u;
