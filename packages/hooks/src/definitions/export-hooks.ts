import { mapTexts } from '@errand/host';
import type { Hook, HookAction } from '../hook-schema.ts';

/** What is known of a hook's runs; it is not in the file of hooks. */
export interface HookActivity {
  /** Milliseconds since 1970. */
  readonly lastExecutedAt?: number;
  readonly executionCount: number;
}

/** The text of an export, and what it leaves out. */
export interface ExportedHooks {
  readonly text: string;
  readonly problems: readonly { readonly hookName: string; readonly message: string }[];
}

/** Hooks with what is known of their runs, for another vault or a backup. */
export function exportHooks(
  hooks: readonly Hook[],
  activityOf: (hookId: string) => HookActivity = () => ({ executionCount: 0 }),
): string {
  const all = hooks.map((hook) => ({ ...hook, ...activityOf(hook.id) }));
  return `${JSON.stringify({ version: 1, hooks: all }, undefined, 2)}\n`;
}

/** Hooks as the GatomIA extension reads them; it has one action each, and only triggers on operations of agents. */
export function exportToOrigin(
  hooks: readonly Hook[],
  activityOf: (hookId: string) => HookActivity = () => ({ executionCount: 0 }),
): ExportedHooks {
  const problems: { hookName: string; message: string }[] = [];
  const exported = hooks.flatMap((hook) => {
    const leaveOut = (why: string) => {
      problems.push({ hookName: hook.name, message: `${why} It is left out.` });
      return [];
    };
    const { trigger, actions, conditions, mode, max, runsPerHour, ...rest } = hook;
    const [action, ...others] = actions;
    if (trigger.kind !== 'agent-operation') return leaveOut('Its trigger is not known there.');
    if (conditions.length > 0) return leaveOut('Conditions are not known there.');
    if (action === undefined || others.length > 0) return leaveOut('It has more than one action.');
    const written = originAction(action);
    if (written === undefined) return leaveOut('Its action is not known there.');
    const { kind, ...when } = trigger;
    return [{ ...rest, trigger: when, action: written, ...activityOf(hook.id) }];
  });
  return { text: `${JSON.stringify(exported, undefined, 2)}\n`, problems };
}

function originAction(action: HookAction): unknown {
  const parameters = originParameters(action);
  if (parameters === undefined) return undefined;
  switch (action.type) {
    case 'mcp':
      return { type: 'mcp', parameters };
    case 'agent':
      return 'command' in parameters ? { type: 'agent', parameters } : undefined;
    case 'git': {
      const { branch, tag, ...rest } = parameters;
      return { type: 'git', parameters: { ...rest, branchName: branch, tagName: tag } };
    }
    case 'github': {
      // The extension has its own login.
      const { title, body, token, url, ...rest } = parameters;
      return { type: 'github', parameters: { ...rest, titleTemplate: title, bodyTemplate: body } };
    }
    case 'custom':
      return undefined;
  }
}

/** Undefined with filters, paths or other expressions, which would be shown as they are written. */
function originParameters(action: HookAction): Readonly<Record<string, unknown>> | undefined {
  if (action.type !== 'mcp') {
    const texts = mapTexts(action.parameters, originTemplate);
    return JSON.stringify(texts).includes('{{') ? undefined : texts;
  }
  const parameterMappings = action.parameters.parameterMappings.map((mapping) =>
    mapping.source === 'template' ? { ...mapping, value: originTemplate(mapping.value) } : mapping,
  );
  const isWhole = parameterMappings.every(
    ({ source, value }) => source !== 'template' || !value.includes('{{'),
  );
  return isWhole ? { ...action.parameters, parameterMappings } : undefined;
}

/** `{{ x }}` as `{x}`, which every version of the extension reads. */
function originTemplate(template: string): string {
  return template.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) =>
    name === 'operation' ? '{triggerType}' : `{${name}}`,
  );
}
