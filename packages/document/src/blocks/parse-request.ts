import { describeYamlError } from '../describe-yaml-error.ts';
import { emptyMap, type SourceMap } from '../params/source-value.ts';
import { parseYaml } from '../parse-yaml.ts';
import { type BlockOptions, parseInfoLine } from './block-options.ts';
import { readSource, type SourceProblem } from './read-source.ts';
import type { BlockProblem } from './tool-block.ts';

/** A request as it is written, or what is wrong with it. */
export interface ParsedRequest {
  readonly tool: string | null;
  readonly params: SourceMap;
  readonly options: BlockOptions;
  readonly problem: BlockProblem | null;
}

const maximumBytes = 64 * 1024;

/** Parses the info line and the YAML body of a request; `line` is the number of the info line in the note. */
export function parseRequest(info: string, body: string, line: number): ParsedRequest {
  const { options, problem } = parseInfoLine(info);
  const invalid = (message: string, at = line): ParsedRequest => ({
    tool: options.tool ?? null,
    params: emptyMap,
    options,
    problem: { code: 'block_invalid', message, line: at },
  });
  if (problem !== null) return invalid(problem);
  if (body.length > maximumBytes || utf8Length(body) > maximumBytes) {
    return invalid(
      'The block is larger than 64 KiB. Put large texts into a note and name it in a parameter.',
    );
  }

  const { document, lines } = parseYaml(body);
  const error = document.errors[0];
  if (error !== undefined) {
    const inBody = lines.linePos(error.pos[0]).line;
    const at = line + inBody;
    const sentence = describeYamlError(error, body);
    const failed = (number: number) => `YAML parsing failed: line ${number}: ${sentence}`;
    const message = failed(at);
    // The info line is line 1 of the block.
    const messageInBlock = `${failed(inBody + 1)} (Line 1 is the first of the block.)`;
    const problem = { code: 'yaml_invalid', message, messageInBlock, line: at } as const;
    return { ...invalid(message), problem };
  }

  const { value, problem: flaw } = readSource(document, body);
  const lineOf = ({ at }: SourceProblem) => line + (at === undefined ? 1 : lines.linePos(at).line);
  if (value === null)
    return invalid(flaw?.message ?? notLines, flaw === null ? line + 1 : lineOf(flaw));
  const isEmpty = value.kind === 'scalar' && value.value === null;
  if (value.kind !== 'map' && !isEmpty) return invalid(notLines, line + 1);
  const params = value.kind === 'map' ? value : emptyMap;
  const request =
    options.tool === undefined
      ? takeTool(params, options, invalid)
      : { tool: options.tool, params, options, problem: null };
  if (flaw === null || request.problem !== null) return request;
  const { message } = flaw;
  return { ...request, problem: { code: 'block_invalid', message, line: lineOf(flaw) } };
}

const notLines = 'The block must be lines of the form "name: value", one of them "tool: NAME".';

function takeTool(
  body: SourceMap,
  options: BlockOptions,
  invalid: (message: string) => ParsedRequest,
): ParsedRequest {
  const tool = body.entries.find(([name]) => name === 'tool')?.[1];
  if (tool === undefined) return invalid('The block names no tool. Add a line such as: tool: NAME');
  if (tool.kind !== 'scalar' || tool.source === '' || tool.value === null) {
    return invalid('"tool" must be the name of a tool, for example: tool: get_forecast');
  }
  const params = body.entries.filter(([name]) => name !== 'tool');
  return { tool: tool.source, params: { kind: 'map', entries: params }, options, problem: null };
}

function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x800 && (code < 0xd800 || code > 0xdfff)) bytes += 2;
    else if (code >= 0x80) bytes += 1;
  }
  return bytes;
}
