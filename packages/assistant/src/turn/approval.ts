import {
  type Advice,
  type ApprovalRule,
  type ExecuteOptions,
  type Host,
  HostError,
  type ToolDescription,
  type ToolInvocationRequest,
} from '@errand/host';

/** Asks a person whether a model may do something. */
export interface Approver {
  approve(question: ApprovalQuestion, signal: AbortSignal): Promise<boolean>;
}

/** What a model wants to do. */
export interface ApprovalQuestion {
  /** The call's id, as events name it. */
  readonly call: string;
  /** The same in all turns of a conversation. */
  readonly conversation: string;
  readonly server: string;
  readonly tool: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The tool says of itself that it may destroy something, or said so when its server was agreed to. */
  readonly isDestructive: boolean;
  readonly because: ApprovalReason;
}

/**
 * Why a person is asked: the tool does not say that it only reads; it says so, but the settings want every
 * call asked about, it says that it reaches the open world, or it did not say so when its server was
 * agreed to.
 */
export type ApprovalReason = 'writes' | 'always' | 'open-world' | 'hints-changed';

/**
 * Decides about the calls of a model (D13): what only reads runs, else the server's `approval` counts,
 * else a person is asked. That a tool only reads is its server's claim, so it counts only as far as it
 * stood when the server was agreed to, and so does an `approval` that asks less. Without anybody to ask,
 * the answer is no.
 */
export function approvalGate(
  { servers, hints, approvalOf }: Pick<Host, 'servers' | 'hints' | 'approvalOf'>,
  approver: Approver | undefined,
): NonNullable<ExecuteOptions['approve']> {
  return async (request, tool, signal) => {
    const name = servers.find(request.serverId)?.name ?? request.serverId;
    const server = servers.find(request.serverId);
    const policy = () => {
      const now = servers.find(request.serverId);
      return now === undefined ? 'ask' : approvalOf(now);
    };
    const forbidden = () =>
      denied(name, tool, 'the settings of this server say so ("approval": "deny")');
    const hasChanged = server !== undefined && hints.hasChanged(server, tool);
    const because = reasonToAsk(tool, policy(), hasChanged);
    if (because === undefined) return 'unasked';
    if (policy() === 'deny') return forbidden();
    if (approver === undefined) {
      return denied(name, tool, 'there is nobody to ask', [{ kind: 'allow-unasked' }]);
    }
    if (!(await approver.approve(questionOf(name, tool, request, because), signal))) {
      return denied(name, tool, 'the person said no');
    }
    // The settings may have changed while the person thought.
    return policy() === 'deny' ? forbidden() : undefined;
  };
}

function reasonToAsk(
  { annotations }: ToolDescription,
  rule: ApprovalRule,
  hasChanged: boolean,
): ApprovalReason | undefined {
  if (rule === 'allow') return undefined;
  if (annotations?.readOnlyHint !== true) return hasChanged ? 'hints-changed' : 'writes';
  if (hasChanged) return 'hints-changed';
  // Absent, the specification takes it for true; then nearly every tool that reads would ask.
  if (annotations.openWorldHint === true) return 'open-world';
  return rule === 'always' ? 'always' : undefined;
}

function questionOf(
  server: string,
  { name: tool, description = '', annotations }: ToolDescription,
  { id: call, sessionId: conversation, parameters }: ToolInvocationRequest,
  because: ApprovalReason,
): ApprovalQuestion {
  const isDestructive =
    because === 'hints-changed' ||
    (annotations?.readOnlyHint !== true && (annotations?.destructiveHint ?? true));
  return { call, conversation, server, tool, description, parameters, isDestructive, because };
}

function denied(
  server: string,
  { name: tool }: ToolDescription,
  why: string,
  advice: readonly Advice[] = [],
): HostError {
  const message = `${server} ${tool} was not allowed: ${why}.`;
  return new HostError('approval_denied', message, { server, tool, neverSent: true }, { advice });
}
