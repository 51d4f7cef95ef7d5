import { mapTexts } from '@errand/host';
import { isRecord } from '@errand/wire';
import type { Hook } from '../hook-schema.ts';
import { type HookProblem, parseHooks } from './parse-hooks.ts';

/** Hooks that another file brings, and what of it could not be taken over. */
export interface ImportedHooks {
  readonly hooks: readonly Hook[];
  readonly problems: readonly (Pick<HookProblem, 'message'> & { readonly hookName?: string })[];
}

interface ImportOptions {
  /** The hooks that are there already: their names and ids stay theirs. */
  readonly existing: readonly Pick<Hook, 'id' | 'name'>[];
  /** Gives a new id. */
  readonly createId: () => string;
}

/**
 * Reads hooks that were exported by Errand, or by the GatomIA extension, whose template spellings `{x}`, `{{x}}`
 * and `$x` become `{{ x }}`.
 */
export function importHooks(text: string, options: ImportOptions): ImportedHooks {
  try {
    return readHooks(text, options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { hooks: [], problems: [{ message: 'The file is nested too deeply to hold hooks.' }] };
  }
}

function readHooks(text: string, { existing, createId }: ImportOptions): ImportedHooks {
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    // Our own files may have comments.
    return withOwnNames(parseHooks(text), existing, createId);
  }
  const list = Array.isArray(value) ? value : isRecord(value) ? value.hooks : undefined;
  if (!Array.isArray(list)) {
    const message = 'This file holds no hooks. Choose one that hooks were exported to.';
    return { hooks: [], problems: [{ message }] };
  }
  const problems: { message: string; hookName?: string }[] = [];
  const converted = list.slice(0, mostHooks).flatMap((raw) => {
    if (!isOrigins(raw)) return [raw];
    const action = convertAction(raw.action);
    if ('problem' in action) {
      const name = raw.name;
      const about = typeof name === 'string' ? { hookName: name.slice(0, 100) } : {};
      problems.push({ message: action.problem, ...about });
      return [];
    }
    return [convertHook(raw, action)];
  });
  const read = parseHooks(JSON.stringify({ version: 1, hooks: unique(converted, createId) }));
  const named = withOwnNames(read, existing, createId);
  return { hooks: named.hooks, problems: [...problems, ...named.problems] };
}

const mostHooks = 10_000;

interface Converted {
  readonly type: string;
  readonly parameters: Raw;
}

interface Refusal {
  readonly problem: string;
}

type Raw = Readonly<Record<string, unknown>>;

/** The extension's hooks have one action, and triggers without a kind. */
function isOrigins(raw: unknown): raw is Raw {
  return isRecord(raw) && isRecord(raw.action) && isRecord(raw.trigger);
}

function convertHook(
  { id, name, enabled, trigger, createdAt, modifiedAt }: Raw,
  action: Converted,
) {
  const { agent, operation, timing, waitForCompletion } = trigger as Raw;
  return {
    id,
    name,
    enabled,
    trigger: {
      kind: 'agent-operation',
      agent,
      operation,
      timing: timing ?? 'after',
      waitForCompletion,
    },
    actions: [action],
    createdAt,
    modifiedAt,
  };
}

function convertAction(action: unknown): Converted | Refusal {
  const { type, parameters } = isRecord(action) ? action : {};
  if (!isRecord(parameters)) return { problem: 'The action has no parameters. Make it anew.' };
  switch (type) {
    case 'mcp':
      return convertCall(parameters);
    case 'agent':
      return { type, parameters: { command: parameters.command } };
    case 'git': {
      const { operation, messageTemplate, pushToRemote, branchName, tagName } =
        converted(parameters);
      const given = { operation, messageTemplate, pushToRemote, branch: branchName, tag: tagName };
      return { type, parameters: given };
    }
    case 'github': {
      const { titleTemplate, bodyTemplate, ...rest } = converted(parameters);
      const given = { ...rest, title: titleTemplate, body: bodyTemplate };
      return { type, parameters: { ...given, token: `$\{secret:github}` } };
    }
    case 'custom': {
      const { agentId, agentName, prompt, arguments: text } = converted(parameters);
      const asked = [prompt, text].filter((part) => typeof part === 'string' && part !== '');
      return {
        type: 'agent',
        parameters: { assistant: agentName ?? agentId, prompt: asked.join('\n\n') },
      };
    }
    default:
      return { problem: 'Actions of this type are not known here. Make the hook anew.' };
  }
}

function convertCall(parameters: Raw): Converted | Refusal {
  const { serverId, toolName, parameterMappings = [], selectedTools, timeout } = parameters;
  const [first, ...others] = Array.isArray(selectedTools) ? selectedTools : [];
  if (serverId === undefined && (others.length > 0 || !isRecord(first))) {
    return {
      problem: 'The action leaves the choice of tools to a model. Make it an agent action.',
    };
  }
  const tool = {
    serverId,
    toolName,
    ...(serverId === undefined && isRecord(first) && pick(first)),
  };
  const mappings = (Array.isArray(parameterMappings) ? parameterMappings : []).map((mapping) => {
    if (!isRecord(mapping) || typeof mapping.value !== 'string') return mapping;
    const { source, value } = mapping;
    if (source === 'template') return { ...mapping, value: convertTemplate(value) };
    return source === 'context' ? { ...mapping, value: renamed.get(value) ?? value } : mapping;
  });
  return { type: 'mcp', parameters: { ...tool, parameterMappings: mappings, timeout } };
}

function pick({ serverId, toolName }: Raw) {
  return { serverId, toolName };
}

function converted(parameters: Raw): Raw {
  return mapTexts(parameters, convertTemplate);
}

/** `{x}`, `{{x}}` and `$x` as `{{ x }}`, where `x` is a variable that the extension knew. */
export function convertTemplate(template: string): string {
  return template.replace(
    /\{\{\s*(\w+)\s*\}\}|\{(\w+)\}|\$(\w+)/g,
    (spelled, double?: string, single?: string, dollar?: string) => {
      const name = double ?? single ?? dollar ?? '';
      const isKnown = double !== undefined || variables.has(name);
      return isKnown ? `{{ ${renamed.get(name) ?? name} }}` : spelled;
    },
  );
}

/** What the extension called other fields: its only triggers were operations. */
const renamed: ReadonlyMap<string, string> = new Map([
  ['triggerType', 'operation'],
  ['changeAuthor', 'user'],
]);

const variables: ReadonlySet<string> = new Set(
  (
    'timestamp triggerType user branch feature specId specPath oldStatus newStatus changeAuthor repoOwner ' +
    'repoName workspacePath filePath fileName agentOutput outputPath operation'
  ).split(' '),
);

/** An id that is taken, or missing, is given anew; so that a whole file is not refused for it. */
function unique(list: readonly unknown[], createId: () => string): readonly unknown[] {
  const seen = new Set<unknown>();
  return list.map((raw) => {
    if (!isRecord(raw)) return raw;
    const { id } = raw;
    const isOwn = typeof id === 'string' && id !== '' && !seen.has(id);
    seen.add(id);
    return isOwn ? raw : { ...raw, id: createId() };
  });
}

function withOwnNames(
  { hooks, problems }: { hooks: readonly Hook[]; problems: readonly HookProblem[] },
  existing: ImportOptions['existing'],
  createId: () => string,
): ImportedHooks {
  const names = new Set(existing.map(({ name }) => name.toLowerCase()));
  const ids = new Set(existing.map(({ id }) => id.toLowerCase()));
  return {
    problems,
    hooks: hooks.map((hook) => {
      const id = ids.has(hook.id.toLowerCase()) ? createId() : hook.id;
      const name = freeName(hook.name, names);
      names.add(name.toLowerCase());
      return { ...hook, id, name };
    }),
  };
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name.toLowerCase())) return name;
  for (let count = 2; ; count++) {
    const next = `${name.slice(0, 90)} (${count})`;
    if (!taken.has(next.toLowerCase())) return next;
  }
}
