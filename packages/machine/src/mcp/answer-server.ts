import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Caller, ContentPart, Notice } from '@errand/host';
import { webAddress } from '@errand/host';
import {
  type Client,
  type ClientCapabilities,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';
import type { McpClientContext } from './mcp-client-context.ts';

/** Where the requests of a server are answered from. */
export interface ServerRequestContext {
  readonly host: McpClientContext;
  /** The server's name. */
  readonly server: string;
  /** The client that the server asks, if not the host's own person. */
  readonly caller: () => Caller | undefined;
}

/** The client capabilities announced in the handshake. */
export function capabilitiesOf(host: McpClientContext): ClientCapabilities {
  return {
    roots: {},
    ...(canElicit(host) && { elicitation: { form: { applyDefaults: true }, url: {} } }),
    ...(host.canAskCallers && { sampling: {} }),
  };
}

/** Handles the requests of a server: roots, elicitation, sampling. */
export function answerServer(client: Client, { host, server, caller }: ServerRequestContext): void {
  const { vaultFolder } = host;
  const whileFew = limitOpen();
  client.setRequestHandler('roots/list', () => ({
    roots: [{ uri: pathToFileURL(vaultFolder).href, name: basename(vaultFolder) }],
  }));
  if (canElicit(host)) {
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
      if (params.mode === 'url' && webAddress(params.url) === undefined) {
        host.notifier.notify(notOpened(server, params.url));
        return { action: 'decline' };
      }
      const asked = { server, message: params.message };
      const elicitor = caller()?.elicitor ?? host.elicitor;
      if (elicitor === undefined) return { action: 'decline' };
      const answer = await whileFew(() =>
        elicitor.elicit(
          params.mode === 'url'
            ? { ...asked, kind: 'url', url: params.url }
            : { ...asked, kind: 'form', schema: params.requestedSchema },
          mcpReq.signal,
        ),
      );
      return answer.action === 'accept'
        ? { action: 'accept', ...(answer.content && { content: { ...answer.content } }) }
        : { action: answer.action };
    });
  }
  if (host.canAskCallers) {
    client.setRequestHandler('sampling/createMessage', async ({ params }, { mcpReq }) => {
      const sampler = caller()?.sampler;
      const asked = {
        server,
        messages: params.messages.map(({ role, content }) => ({
          role,
          content: [content].flat() as ContentPart[],
        })),
        maxTokens: params.maxTokens,
        ...(params.systemPrompt !== undefined && { systemPrompt: params.systemPrompt }),
        ...(params.temperature !== undefined && { temperature: params.temperature }),
        ...(params.stopSequences !== undefined && { stopSequences: params.stopSequences }),
      };
      const answer = await whileFew(async () => sampler?.sample(asked, mcpReq.signal));
      if (answer === undefined) {
        throw new ProtocolError(
          ProtocolErrorCode.InvalidRequest,
          'The user does not let this server ask a model.',
        );
      }
      return {
        role: 'assistant',
        content: { type: 'text', text: answer.text },
        model: answer.model,
        ...(answer.stopReason !== undefined && { stopReason: answer.stopReason }),
      };
    });
  }
}

/** How many questions of one server may wait for a person or a model. */
const maxOpen = 16;

function limitOpen() {
  let open = 0;
  return async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    if (open >= maxOpen) {
      const message = `${maxOpen} questions of this server wait for an answer already.`;
      throw new ProtocolError(ProtocolErrorCode.InvalidRequest, message);
    }
    open += 1;
    try {
      return await ask();
    } finally {
      open -= 1;
    }
  };
}

/** Checked before asking, so that no face opens an address that a browser passes to another program. */
function notOpened(server: string, address: string): Notice {
  return {
    level: 'warning',
    server,
    message: `Server "${server}" wanted you to open ${address.slice(0, 200)}, which was declined: only https pages are opened.`,
  };
}

function canElicit({ elicitor, canAskCallers }: McpClientContext): boolean {
  return elicitor !== undefined || canAskCallers === true;
}
