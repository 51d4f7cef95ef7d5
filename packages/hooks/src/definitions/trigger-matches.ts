import { matchesGlob } from '@errand/document';
import type { HookEvent } from '../hook-event.ts';
import type { Trigger } from '../hook-schema.ts';
import { readField } from './read-field.ts';

/** What of an event a trigger does not fit. */
export interface TriggerMismatch {
  /** `kind`, or a field such as `file.path`. */
  readonly field: string;
  readonly expected: string;
  /** The value of the field; undefined when there is no such field. */
  readonly actual: unknown;
}

/**
 * Whether an event is what a trigger waits for. An event with a `hookId` is for that hook alone: it fits the
 * triggers of its kind, and one that a person caused fits any; whoever asks compares the id.
 */
export function triggerMatches(trigger: Trigger, event: HookEvent): boolean {
  return triggerMismatch(trigger, event) === undefined;
}

/** The first thing that keeps an event from being what a trigger waits for. */
export function triggerMismatch(trigger: Trigger, event: HookEvent): TriggerMismatch | undefined {
  if (event.hookId !== undefined && event.kind === 'manual') return undefined;
  if (trigger.kind !== event.kind) {
    return { field: 'kind', expected: trigger.kind, actual: event.kind };
  }
  if (event.hookId !== undefined) return undefined;
  for (const { field, expected, fits } of knownWants(trigger)) {
    const actual = readField(event.fields, field);
    if (!fits(actual, event.fields)) return { field, expected, actual };
  }
  return undefined;
}

/** Triggers are read once and compared with every event. */
function knownWants(trigger: Trigger): readonly Want[] {
  const known = wants.get(trigger) ?? wantsOf(trigger);
  wants.set(trigger, known);
  return known;
}

const wants = new WeakMap<Trigger, readonly Want[]>();

interface Want {
  readonly field: string;
  readonly expected: string;
  fits(actual: unknown, fields: HookEvent['fields']): boolean;
}

function wantsOf(trigger: Trigger): readonly Want[] {
  switch (trigger.kind) {
    case 'agent-operation':
      return [
        oneOf('agent', [trigger.agent]),
        oneOf('operation', [trigger.operation]),
        oneOf('timing', [trigger.timing]),
      ];
    case 'file': {
      const { events, glob } = trigger;
      const mayFit = quickTest(glob);
      const fits: Want['fits'] = (actual, fields) => {
        const path = actual ?? readField(fields, 'filePath');
        if (typeof path !== 'string' || path.length > longestPath) return false;
        return mayFit(path) && matchesGlob(glob, path);
      };
      return [oneOf('file.event', events), { field: 'file.path', expected: glob, fits }];
    }
    case 'git': {
      const { events, branch } = trigger;
      const fits: Want['fits'] = (actual, fields) =>
        (actual ?? readField(fields, 'branch')) === branch;
      const onBranch =
        branch === undefined ? [] : [{ field: 'git.branch', expected: branch, fits }];
      return [oneOf('git.event', events), ...onBranch];
    }
    case 'call': {
      const { server, tool, status, source } = trigger;
      return [
        ...(server === undefined ? [] : [serverWant(server)]),
        ...(tool === undefined ? [] : [oneOf('call.tool', [tool])]),
        ...(status === undefined ? [] : [oneOf('call.status', status)]),
        ...(source === undefined ? [] : [oneOf('call.source', [source])]),
      ];
    }
    case 'server':
      return [oneOf('server.event', trigger.events)];
    case 'mail':
      return [oneOf('mail.event', trigger.events)];
    // These happen for one hook.
    case 'schedule':
    case 'http':
    case 'manual':
      return [{ field: 'hookId', expected: 'this hook', fits: () => false }];
  }
}

function oneOf(field: string, names: readonly string[]): Want {
  const fits = (actual: unknown) => typeof actual === 'string' && names.includes(actual);
  return { field, expected: names.join(', '), fits };
}

/** Looks only for the texts between wildcards: of a thousand globs, most need no more to be refused. */
function quickTest(glob: string): (path: string) => boolean {
  const texts = glob.split(/\*\*\/|\*\*|\*|\?/);
  const [start = ''] = texts;
  const end = texts.at(-1) ?? '';
  const longest = texts.reduce((one, other) => (other.length > one.length ? other : one));
  return (path) => path.startsWith(start) && path.endsWith(end) && path.includes(longest);
}

function serverWant(server: string): Want {
  const fits: Want['fits'] = (name, fields) =>
    readField(fields, 'call.serverId') === server ||
    (typeof name === 'string' && name.toLowerCase() === server.toLowerCase());
  return { field: 'call.server', expected: server, fits };
}

/** Longer texts are no paths, and a glob takes time for each of their characters. */
const longestPath = 10_000;
