import type { NoteContext } from '../note-context.ts';
import type { Fence } from '../scan/note-scan.ts';
import { describeOrigin } from '../sections/binding.ts';
import { type Decision, explainRefusal } from '../sections/decision.ts';
import { languageOf } from './block-options.ts';
import type { ToolBlock } from './tool-block.ts';

/** The server that a block calls, or why it may call none: its section decides, then the block itself. */
export function chooseServer(
  fence: Fence,
  decision: Decision,
  context: NoteContext,
): Pick<ToolBlock, 'server' | 'boundServer' | 'refusal'> {
  const language = languageOf(fence.info).toLowerCase();
  const named = context.servers.find(({ name }) => name.toLowerCase() === language)?.name ?? null;
  const broken = context.brokenServers?.find(({ name }) => name.toLowerCase() === language);
  if (named === null && broken !== undefined) {
    const { name: server, message } = broken;
    const refusal = { code: 'settings_invalid', message, line: fence.line } as const;
    return { server, boundServer: null, refusal };
  }
  const refuse = (message: string) =>
    ({ code: 'section_forbids', message, line: fence.line }) as const;
  if (decision.kind === 'refused') {
    return { server: named, boundServer: null, refusal: refuse(explainRefusal(decision)) };
  }
  if (decision.kind === 'bound') {
    const { server, binding } = decision;
    if (named === null || named === server) return { server, boundServer: server, refusal: null };
    const refusal = refuse(
      `This section is bound to ${server} (${describeOrigin(binding.origin)}), so ${named} may not be called here. Change the block's first line or the binding.`,
    );
    return { server: named, boundServer: server, refusal };
  }
  const server = named ?? context.servers.find(({ enabled }) => enabled)?.name ?? null;
  if (server !== null) return { server, boundServer: null, refusal: null };
  const count = context.servers.length;
  const message = count === 0 ? 'This vault has no servers.' : 'No server is enabled.';
  return {
    server,
    boundServer: null,
    refusal: { code: 'server_unknown', message, line: fence.line, servers: count },
  };
}
