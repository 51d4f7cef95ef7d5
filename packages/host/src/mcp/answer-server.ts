import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Client,
  type ClientCapabilities,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';
import type { ContentPart } from '../connection.ts';
import type { Notice } from '../notifier.ts';
import { webAddress } from '../words/web-address.ts';
import type { HostSide } from './host-side.ts';

/** What we tell servers they may ask of us. */
export function capabilitiesOf(host: HostSide): ClientCapabilities {
  return {
    roots: {},
    ...(host.elicitor && { elicitation: { form: { applyDefaults: true }, url: {} } }),
    ...(host.sampler && { sampling: {} }),
  };
}

/** Answers what a server asks of us: roots, elicitation, sampling. */
export function answerServer(client: Client, host: HostSide, server: string): void {
  const { elicitor, sampler, vaultFolder } = host;
  client.setRequestHandler('roots/list', () => ({
    roots: [{ uri: pathToFileURL(vaultFolder).href, name: basename(vaultFolder) }],
  }));
  if (elicitor !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
      if (params.mode === 'url' && webAddress(params.url) === undefined) {
        host.notifier.notify(notOpened(server, params.url));
        return { action: 'decline' };
      }
      const asked = { server, message: params.message };
      const answer = await elicitor.elicit(
        params.mode === 'url'
          ? { ...asked, kind: 'url', url: params.url }
          : { ...asked, kind: 'form', schema: params.requestedSchema },
        mcpReq.signal,
      );
      return answer.action === 'accept'
        ? { action: 'accept', ...(answer.content && { content: { ...answer.content } }) }
        : { action: answer.action };
    });
  }
  if (sampler !== undefined) {
    client.setRequestHandler('sampling/createMessage', async ({ params }, { mcpReq }) => {
      const answer = await sampler.sample(
        {
          server,
          messages: params.messages.map(({ role, content }) => ({
            role,
            content: [content].flat() as ContentPart[],
          })),
          maxTokens: params.maxTokens,
          ...(params.systemPrompt !== undefined && { systemPrompt: params.systemPrompt }),
          ...(params.temperature !== undefined && { temperature: params.temperature }),
          ...(params.stopSequences !== undefined && { stopSequences: params.stopSequences }),
        },
        mcpReq.signal,
      );
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

/** Before anybody is asked: no face can be made to open what a browser hands to another program. */
function notOpened(server: string, address: string): Notice {
  return {
    level: 'warning',
    server,
    message: `Server "${server}" wanted you to open ${address.slice(0, 200)}, which was declined: only https pages are opened.`,
  };
}
