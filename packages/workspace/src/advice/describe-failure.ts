import type { Advice, ErrorInfo, Notice } from '@errand/host';

/** Renders advice for one app: one function for each kind. */
export type AdviceRenderer = {
  readonly [Kind in Advice['kind']]: (advice: Extract<Advice, { readonly kind: Kind }>) => string;
};

/** What to check in the entry of a server, by how it is started. */
export const launchParts = {
  local: 'its command, arguments and environment',
  managed: 'its image, command and environment',
  face: 'the program that lends it',
  external: 'its address and headers',
} as const;

/** A failure as a face shows it. */
interface FailureDescription {
  /** What happened; a fixed message where one is documented. */
  readonly headline: string;
  readonly detail?: string;
  /** What to do next, each step as the face says it. */
  readonly steps: readonly string[];
}

/** What faces know of a failure; a code that is not known to the host has no advice. */
export type Failure = Pick<ErrorInfo, 'message' | 'facts' | 'advice'>;

/** Describes a failure for one face: its sentences as they are, its advice rendered. */
export function describeFailure(
  { message, facts, advice = [] }: Failure,
  renderer: AdviceRenderer,
): FailureDescription {
  const { headline, detail } = facts ?? {};
  const steps = renderAdvice(advice, renderer);
  if (headline === undefined) return { headline: message, steps };
  return { headline, ...(detail !== undefined && { detail }), steps };
}

/** Says a failure and what to do about it in one text. */
export function failureText(
  failure: Pick<Failure, 'message' | 'advice'>,
  renderer: AdviceRenderer,
) {
  return joinSentences(failure.message, renderAdvice(failure.advice ?? [], renderer));
}

/** Says a notice, why, and what to do about it, each part by itself. */
export function noticeParts(
  { message, detail, advice = [] }: Pick<Notice, 'message' | 'detail' | 'advice'>,
  renderer: AdviceRenderer,
): { readonly message: string; readonly detail?: string } {
  const steps = renderAdvice(advice, renderer);
  if (detail !== undefined) return { message, detail: joinSentences(detail, steps) };
  return { message: joinSentences(message, steps) };
}

/** What to do, as a face says it; what several kinds have in common is said once. */
export function renderAdvice(
  advice: readonly Advice[],
  renderer: AdviceRenderer,
): readonly string[] {
  return [...new Set(advice.map((one) => renderOne(one, renderer)))];
}

function renderOne<Kind extends Advice['kind']>(
  advice: Extract<Advice, { readonly kind: Kind }>,
  renderer: AdviceRenderer,
): string {
  const render: (advice: Extract<Advice, { readonly kind: Kind }>) => string =
    renderer[advice.kind as Kind];
  return render(advice);
}

/** Puts the steps behind a statement. A step that ends with a command has its line for itself. */
export function joinSentences(statement: string, steps: readonly string[]): string {
  const [first, ...others] = steps;
  if (first === undefined) return statement;
  const opening = `${statement}${isEnded(statement) ? '' : '.'} ${first}`;
  return others.reduce((text, step) => `${text}${isEnded(text) ? ' ' : '\n'}${step}`, opening);
}

function isEnded(text: string): boolean {
  return /[.!?:]$/.test(text);
}
