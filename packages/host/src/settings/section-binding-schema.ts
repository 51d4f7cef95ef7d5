import { z } from 'zod';
import { booleanSchema, text, write } from './field-schemas.ts';

const line = z.int(write('a line number')).min(1, write('a line number, 1 or more'));

/** A stray backslash turns a letter into a control character, which no heading contains. */
const printable = (advice: string) => text(advice).regex(/^\P{Cc}*$/u, write(advice));

/** A part of a note that belongs to one server (S0 2). */
export const sectionBindingSchema = z
  .object(
    {
      sectionType: z.enum(['heading', 'block', 'range'], write('"heading", "block" or "range"')),
      headingText: printable('the heading, for example "## Tools"').exactOptional(),
      blockId: printable('the block id, for example "^id"').exactOptional(),
      startLine: line.exactOptional(),
      endLine: line.exactOptional(),
      serverId: text('the id of a server'),
      inheritToChildren: booleanSchema.default(true),
      /** A glob of notes; without it a heading or block binding holds in every note. */
      documentPath: printable('a note or a pattern, for example "Projects/**"').exactOptional(),
    },
    write('an object such as { "sectionType": "heading", "headingText": "## Tools" }'),
  )
  .superRefine((binding, context) => {
    const given = {
      heading: binding.headingText !== undefined,
      block: binding.blockId !== undefined,
      range: binding.startLine !== undefined || binding.endLine !== undefined,
    };
    const fits = Object.entries(given).every(([type, is]) => is === (type === binding.sectionType));
    const { startLine = 0, endLine = 0 } = binding;
    const ordered = binding.sectionType !== 'range' || (startLine > 0 && startLine < endLine);
    if (fits && ordered) return;
    const needed = {
      heading: '"headingText" and neither "blockId" nor lines',
      block: '"blockId" and neither "headingText" nor lines',
      range: '"startLine" and a larger "endLine", and neither "headingText" nor "blockId"',
    }[binding.sectionType];
    context.addIssue({
      code: 'custom',
      message: `A ${binding.sectionType} binding has ${needed}.`,
    });
  });
