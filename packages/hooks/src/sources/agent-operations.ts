import { createHash } from 'node:crypto';
import type { Trigger } from '../hook-schema.ts';

type AgentTrigger = Extract<Trigger, { kind: 'agent-operation' }>;
type Operation = AgentTrigger['operation'];

/** A file that SpecKit or OpenSpec writes. */
export interface AgentFile {
  readonly agent: AgentTrigger['agent'];
  /** The operation that writes it. */
  readonly operation: Operation;
  /** The name of the folder of the specification or change, and its path. */
  readonly specId?: string;
  readonly specPath?: string;
  /** That name without its number. */
  readonly feature?: string;
}

/** What is remembered of such a file to tell what changes in it. */
export interface AgentText {
  /** False for an empty file and for a template that nobody has filled in yet. */
  readonly isWritten: boolean;
  readonly hash: string;
  /** The same for texts that differ only in which tasks are checked. */
  readonly outline: string;
  readonly openTasks: number;
  readonly doneTasks: number;
  readonly clarifications: number;
}

/** The globs of the files that are read. */
export const agentGlobs: Readonly<Record<AgentTrigger['agent'], readonly string[]>> = {
  speckit: ['specs/*/*.md', 'specs/*/checklists/*.md', '.specify/memory/constitution.md'],
  openspec: ['openspec/changes/*/*.md'],
};

const specKitFiles: Readonly<Record<string, Operation>> = {
  spec: 'specify',
  plan: 'plan',
  tasks: 'tasks',
  research: 'research',
  'data-model': 'datamodel',
};

const openSpecFiles: Readonly<Record<string, Operation>> = {
  proposal: 'specify',
  design: 'design',
  tasks: 'tasks',
};

/** Recognises a file by its path. */
export function agentFileAt(path: string): AgentFile | undefined {
  if (path === '.specify/memory/constitution.md')
    return { agent: 'speckit', operation: 'constitution' };
  const [, specPath = '', specId = '', feature = '', rest = ''] =
    /^(specs\/(\d{3,}-([^/]+)))\/(.+)\.md$/.exec(path) ?? [];
  const fromSpecKit = rest.startsWith('checklists/') ? 'checklist' : ownValue(specKitFiles, rest);
  if (fromSpecKit) return { agent: 'speckit', operation: fromSpecKit, specId, specPath, feature };
  const [, changePath = '', change = '', name = ''] =
    /^(openspec\/changes\/([^/]+))\/([^/]+)\.md$/.exec(path) ?? [];
  const operation = change === 'archive' ? undefined : ownValue(openSpecFiles, name);
  if (operation === undefined) return undefined;
  return { agent: 'openspec', operation, specId: change, specPath: changePath, feature: change };
}

/** Reads what a file of an agent says of its progress. */
export function readAgentText(text: string): AgentText {
  const title = /^# .*$/m.exec(text)?.[0] ?? '';
  return {
    // Templates have names such as [FEATURE NAME] in their title.
    isWritten: text.trim() !== '' && !/\[[A-Z#][A-Z#_ -]*\]/.test(title),
    hash: hashOf(text),
    outline: hashOf(text.replace(task, '$1[ ]')),
    openTasks: [...text.matchAll(task)].filter(([, , mark]) => mark === ' ').length,
    doneTasks: [...text.matchAll(task)].filter(([, , mark]) => mark !== ' ').length,
    clarifications: [...text.matchAll(/^\s*[-*] (?:\*\*)?Q(?:\*\*)?:/gm)].length,
  };
}

const task = /^(\s*[-*] )\[([ xX])\]/gm;

/** The operation that ended when a file's text became another; undefined when none did. */
export function endedOperation(
  { operation }: AgentFile,
  before: AgentText | undefined,
  after: AgentText,
): Operation | undefined {
  if (!after.isWritten || before?.hash === after.hash) return undefined;
  if (before === undefined || !before.isWritten) return operation;
  if (operation === 'specify' && after.clarifications > before.clarifications) return 'clarify';
  if (before.outline !== after.outline) return operation;
  // Only tasks were checked: the last one ends the implementation.
  const isDone = before.openTasks > 0 && after.openTasks === 0;
  return operation === 'tasks' && isDone ? 'implementation' : undefined;
}

function ownValue(table: Readonly<Record<string, Operation>>, name: string): Operation | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
