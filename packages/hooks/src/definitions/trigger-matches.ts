import { matchesGlob } from '@errand/document';
import type { HookEvent } from '../hook-event.ts';
import type { Trigger } from '../hook-schema.ts';
import { readField } from './read-field.ts';

/**
 * Whether an event is what a trigger waits for. An event with a `hookId` is for that hook alone: it fits the
 * triggers of its kind, and one that a person caused fits any; whoever asks compares the id.
 */
export function triggerMatches(trigger: Trigger, event: HookEvent): boolean {
  if (event.hookId !== undefined && event.kind === 'manual') return true;
  if (trigger.kind !== event.kind) return false;
  if (event.hookId !== undefined) return true;
  const field = (path: string) => readField(event.fields, path);
  const isOneOf = (names: readonly string[], path: string) =>
    names.includes(String(field(path) ?? ''));
  switch (trigger.kind) {
    case 'agent-operation':
      return (
        field('agent') === trigger.agent &&
        field('operation') === trigger.operation &&
        field('timing') === trigger.timing
      );
    case 'file': {
      const path = field('file.path') ?? field('filePath');
      return (
        isOneOf(trigger.events, 'file.event') &&
        typeof path === 'string' &&
        path.length <= longestPath &&
        matchesGlob(trigger.glob, path)
      );
    }
    case 'git':
      return (
        isOneOf(trigger.events, 'git.event') &&
        (trigger.branch === undefined ||
          trigger.branch === (field('git.branch') ?? field('branch')))
      );
    case 'call': {
      const { server, tool, status, source } = trigger;
      return (
        (server === undefined || isServer(server, field)) &&
        (tool === undefined || field('call.tool') === tool) &&
        (status === undefined || isOneOf(status, 'call.status')) &&
        (source === undefined || field('call.source') === source)
      );
    }
    case 'server':
      return isOneOf(trigger.events, 'server.event');
    case 'mail':
      return isOneOf(trigger.events, 'mail.event');
    // These happen for one hook.
    case 'schedule':
    case 'http':
    case 'manual':
      return false;
  }
}

function isServer(wanted: string, field: (path: string) => unknown): boolean {
  const name = field('call.server');
  return (
    field('call.serverId') === wanted ||
    (typeof name === 'string' && name.toLowerCase() === wanted.toLowerCase())
  );
}

const longestPath = 10_000;
