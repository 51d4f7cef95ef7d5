import {
  foreignLines,
  isNamedAbove,
  type ServerSnapshot,
  type ToolDescription,
  type ToolParameter,
  toolParameters,
} from '@errand/host';
import { describeServerState, serverFacts } from '@errand/workspace/servers';
import {
  Hover,
  type HoverProvider,
  languages,
  MarkdownString,
  type Position,
  type TextDocument,
} from 'vscode';
import { inVscode } from '../../text/advice.ts';
import type { OpenExtension } from '../open-extension.ts';
import type { Vaults } from '../vaults.ts';
import { markdownFiles } from './markdown-files.ts';

/** Shows what a server is like, what a tool does, and what a parameter takes. Strangers wrote it: it is shown as text. */
export class BlockHover implements HoverProvider {
  readonly #vaults: Vaults;

  private constructor(vaults: Vaults) {
    this.#vaults = vaults;
  }

  static add({ context, vaults }: OpenExtension): void {
    context.subscriptions.push(
      languages.registerHoverProvider(markdownFiles, new BlockHover(vaults)),
    );
  }

  async provideHover(document: TextDocument, position: Position): Promise<Hover | undefined> {
    const note = await this.#vaults.noteAt(document.uri);
    if (note === undefined) return undefined;
    const { session, path } = note;
    const line = position.line + 1;
    const block = session.blocks
      .of(path, document.getText())
      .find(({ block: each }) => each.line <= line && line <= each.endLine)?.block;
    const { servers } = session.vault.host;
    const server = servers.find(block?.server ?? '');
    if (block === undefined || server === undefined) return undefined;
    if (line === block.line) return new Hover(aboutServer(servers.snapshot(server.id)));
    const tool = session.tools.of(server.id).find(({ name }) => name === block.tool);
    const name = nameAt(document, position);
    if (tool === undefined || name === undefined) return undefined;
    if (name === 'tool' && !isNamedAbove(tool)) return new Hover(aboutTool(tool));
    const parameter = toolParameters(tool).find((each) => each.name === name);
    return parameter && new Hover(aboutParameter(tool, parameter));
  }
}

function aboutServer(snapshot: ServerSnapshot): MarkdownString {
  const state = describeServerState(snapshot, { say: inVscode });
  const facts = [state.label, ...serverFacts(snapshot)].join(', ');
  return shown(snapshot.config.name, facts, state.reason ?? '');
}

function aboutTool(tool: ToolDescription): MarkdownString {
  const parameters = toolParameters(tool).map(titleOf);
  return shown(tool.name, tool.description ?? '', parameters.join('\n'));
}

function aboutParameter(tool: ToolDescription, parameter: ToolParameter): MarkdownString {
  const { properties } = tool.inputSchema as { properties?: Record<string, unknown> };
  const schema = JSON.stringify(properties?.[parameter.name] ?? {}, undefined, 2);
  const text = shown(titleOf(parameter), parameter.description);
  return text.appendCodeblock(schema.slice(0, mostSchema), 'json');
}

function titleOf({ name, type, isRequired }: ToolParameter): string {
  return `${name}: ${type}${isRequired ? ', required' : ''}`;
}

/** Characters of a schema that are shown. */
const mostSchema = 2_000;

function nameAt(document: TextDocument, { line }: Position): string | undefined {
  const [, name] = /^[\s>]*["']?([^"':]+)["']?\s*:/.exec(document.lineAt(line).text) ?? [];
  return name;
}

function shown(title: string, ...paragraphs: readonly string[]): MarkdownString {
  const text = new MarkdownString('**').appendText(foreignLines(title).join(' '));
  text.appendMarkdown('**');
  for (const paragraph of paragraphs.filter((each) => each !== '')) {
    text.appendMarkdown('\n\n').appendText(foreignLines(paragraph).join('\n'));
  }
  return text;
}
