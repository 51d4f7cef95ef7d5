import {
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
  /** The tool says of itself that it may destroy something. */
  readonly isDestructive: boolean;
}

/**
 * Decides about the calls of a model (D13): what only reads runs, else the server's `approval` counts,
 * else a person is asked. Without anybody to ask, the answer is no.
 */
export function approvalGate(
  { servers }: Pick<Host, 'servers'>,
  approver: Approver | undefined,
): NonNullable<ExecuteOptions['approve']> {
  return async (request, tool, signal) => {
    const name = servers.find(request.serverId)?.name ?? request.serverId;
    const policy = () => servers.find(request.serverId)?.approval ?? 'ask';
    const forbidden = () =>
      denied(name, tool, 'the settings of this server say so ("approval": "deny")');
    if (tool.annotations?.readOnlyHint === true) return 'unasked';
    switch (policy()) {
      case 'allow':
        return 'unasked';
      case 'deny':
        return forbidden();
      case 'ask':
        if (approver === undefined) {
          return denied(name, tool, 'nobody is there to be asked (--yes would allow it)');
        }
        if (!(await approver.approve(questionOf(name, tool, request), signal))) {
          return denied(name, tool, 'the person said no');
        }
        // The settings may have changed while the person thought.
        return policy() === 'deny' ? forbidden() : undefined;
    }
  };
}

function questionOf(
  server: string,
  { name: tool, description = '', annotations }: ToolDescription,
  { id: call, sessionId: conversation, parameters }: ToolInvocationRequest,
): ApprovalQuestion {
  const isDestructive = annotations?.destructiveHint ?? true;
  return { call, conversation, server, tool, description, parameters, isDestructive };
}

function denied(server: string, { name: tool }: ToolDescription, why: string): HostError {
  return new HostError('approval_denied', `${server} ${tool} was not allowed: ${why}.`, {
    server,
    tool,
    neverSent: true,
  });
}
