import { z } from 'zod';
import { mailDecisions } from './mail-board.ts';

const said = z.string().trim();
/** A sentence for a person, without characters that hide or turn others around. */
const sentence = z.string().transform(withoutControls);

/** What a model has to answer about a mail. */
const decisionSchema = z
  .strictObject({
    decision: z.enum(mailDecisions),
    confidence: z.number().min(0).max(1),
    reasoning: sentence.pipe(said.min(1).max(2000)),
    reply_body: said.max(20_000).nullish(),
    delegation_target: sentence.pipe(said.max(300)).nullish(),
    info_needed: sentence.pipe(said.max(2000)).nullish(),
  })
  .superRefine(({ decision, reply_body, delegation_target, info_needed }, context) => {
    const need = (field: string, value: string | null | undefined) => {
      if (!value) {
        const message = `"${decision}" needs "${field}"`;
        context.addIssue({ code: 'custom', path: [field], message });
      }
    };
    if (decision === 'draft_reply') need('reply_body', reply_body);
    if (decision === 'delegate') need('delegation_target', delegation_target);
    if (decision === 'needs_info') need('info_needed', info_needed);
  });

/** A decision as a model writes it. */
export type Decision = z.output<typeof decisionSchema>;

/** Reads the answer of a model, or says what is wrong with it, for the model. */
export function readDecision(
  answer: string,
): { readonly decision: Decision } | { readonly mistake: string } {
  const json = jsonIn(answer);
  if (json === undefined) {
    return { mistake: 'The answer is not one JSON object. Answer with the JSON object alone.' };
  }
  const read = decisionSchema.safeParse(json);
  if (read.success) return { decision: read.data };
  const issues = read.error.issues.map((issue) => {
    const { path, message } = issue;
    if (issue.code === 'unrecognized_keys') return unknownKeys(issue.keys);
    return path.length > 0 ? `${path.join('.')}: ${message}` : message;
  });
  return { mistake: issues.slice(0, 5).join('; ') };
}

/** Names that are sentences may be words of the mail, which must not come back outside of its fence. */
function unknownKeys(keys: readonly string[]): string {
  const names = keys.filter((key) => /^\w{1,20}$/.test(key)).slice(0, 5);
  return ['there are keys that nobody asked for', ...names].join(', ');
}

/** The object, also between fences, which some models cannot leave away. */
function jsonIn(answer: string): unknown {
  const text = answer.trim();
  const [, fenced] = /^```(?:json)?[ \t]*\n([\s\S]*)```$/.exec(text) ?? [];
  try {
    const value: unknown = JSON.parse(fenced ?? text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function withoutControls(text: string): string {
  return text
    .replace(/[\u2028\u2029]/g, ' ')
    .replace(/(?!\n)[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '');
}
