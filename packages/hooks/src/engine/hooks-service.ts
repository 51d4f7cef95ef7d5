import { randomUUID } from 'node:crypto';
import { isRecord } from '@errand/wire';
import type { AgentTurns } from '../bridge/agent-turns.ts';
import { isChain } from '../hook-chain.ts';
import type { HookEvent } from '../hook-event.ts';
import type { HookRun } from '../hook-run.ts';
import { type Hook, triggerSchema } from '../hook-schema.ts';
import { answerAgent } from './answer-agent.ts';
import { HookEditing, type HookEditingPorts } from './hook-editing.ts';
import { HookInspection, type HookInspectionPorts } from './hook-inspection.ts';
import { HooksError } from './hooks-error.ts';
import type { HooksMethods } from './hooks-methods.ts';

export interface HooksServicePorts extends HookEditingPorts, HookInspectionPorts {
  endpoint?(hookId: string): Promise<{ readonly url: string; readonly token: string } | undefined>;
  readonly turns?: AgentTurns;
  /** Takes secrets out of what agents are told. */
  readonly redact?: (text: string) => string;
}

const kinds: ReadonlySet<unknown> = new Set(
  triggerSchema.options.map((option) => option.shape.kind.value),
);

/** Answers what programs ask about the hooks of a vault. */
export class HooksService {
  readonly #ports: HooksServicePorts;
  readonly #editing: HookEditing;
  readonly #inspection: HookInspection;

  constructor(ports: HooksServicePorts) {
    this.#ports = ports;
    this.#editing = new HookEditing(ports);
    this.#inspection = new HookInspection(ports);
  }

  /** Answers a request that came as JSON, from any program of the same user. */
  async answer(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    if (!Object.hasOwn(this.#methods, method)) {
      throw new HooksError('invalid', `Hooks do not know "${method}".`);
    }
    const handler = this.#methods[method as keyof HooksMethods] as (
      params: object,
      signal: AbortSignal,
    ) => unknown;
    return handler(params, signal);
  }

  readonly #methods: {
    readonly [Method in keyof HooksMethods]: (
      params: HooksMethods[Method]['params'],
      signal: AbortSignal,
    ) => HooksMethods[Method]['result'] | Promise<HooksMethods[Method]['result']>;
  } = {
    list: async () => ({
      hooks: await this.#inspection.views(),
      problems: this.#ports.engine.problems,
    }),
    reload: async () => {
      await this.#ports.engine.reload();
      return {};
    },
    run: async ({ hook, fields, chain }) => ({
      run: await this.#ports.engine.run(
        this.#find(hook).id,
        isRecord(fields) ? fields : {},
        isChain(chain) ? chain : undefined,
      ),
    }),
    rerun: async ({ run }) => ({
      run: await this.#ports.engine.rerun((await this.#findRun(run)).id),
    }),
    wait: async ({ run }, signal) => {
      const ended = await this.#ports.engine.ended(run, signal);
      if (ended === undefined) throw unknownRun(run);
      return { run: ended };
    },
    cancel: async ({ run }) => ({
      isCancelled: await this.#ports.engine.cancel((await this.#findRun(run)).id),
    }),
    runs: async ({ hook, limit = 20 }) => {
      const hookId = hook === undefined ? undefined : this.#find(hook).id;
      const query = { limit, ...(hookId !== undefined && { hookId }) };
      return { runs: await this.#ports.engine.runs(query) };
    },
    'show-run': async ({ run }) => ({ run: await this.#findRun(run) }),
    emit: async ({ event }) => {
      const checked = this.#checked(event);
      const { runs } = await this.#ports.engine.emitAndWait(checked);
      return { eventId: checked.id, runs };
    },
    bridge: (told, signal) => {
      const { engine, turns, redact = String } = this.#ports;
      if (turns === undefined) throw new HooksError('closed', 'Agents are not heard here.');
      return answerAgent(told, { engine, turns, redact }, signal);
    },
    test: ({ hook, event }, signal) =>
      this.#inspection.test(this.#find(hook), event && this.#checked(event), signal),
    why: ({ hook }) => this.#inspection.why(this.#find(hook)),
    'set-enabled': async ({ hook, enabled }) => {
      const { id } = this.#find(hook);
      await this.#ports.engine.setEnabled(id, enabled);
      return this.#inspection.view(this.#find(id));
    },
    options: () => this.#editing.options(),
    discover: async ({ refresh }) => ({ servers: await this.#editing.discover(refresh === true) }),
    preview: ({ draft }, signal) =>
      this.#editing.preview(draft, (hook) => this.#inspection.test(hook, undefined, signal)),
    save: async ({ hook, seen }) => {
      const saved = await this.#editing.save(hook, seen);
      return 'mistakes' in saved ? saved : { view: this.#inspection.view(this.#find(saved.id)) };
    },
    remove: async ({ hook }) => {
      await this.#editing.remove(this.#find(hook));
      return {};
    },
    agree: async ({ hooks }) => {
      await this.#editing.agree(hooks.map(({ hook, seen }) => ({ hook: this.#find(hook), seen })));
      return {};
    },
    endpoint: async ({ hook }) => (await this.#ports.endpoint?.(this.#find(hook).id)) ?? {},
  };

  #find(nameOrId: string): Hook {
    const { hooks, problems } = this.#ports.engine;
    const wanted = String(nameOrId).toLowerCase();
    const found =
      hooks.find(({ id }) => id === nameOrId) ??
      hooks.find(({ name }) => name.toLowerCase() === wanted);
    if (found !== undefined) return found;
    const broken = problems.find(
      ({ hookId, hookName }) => hookId === nameOrId || hookName?.toLowerCase() === wanted,
    );
    const why =
      broken === undefined
        ? `There is no hook "${nameOrId}".`
        : `The hook "${nameOrId}" cannot be used. .errand/hooks.json:${broken.line}:${broken.column}: ${broken.message}`;
    throw new HooksError('unknown_hook', why);
  }

  async #findRun(id: string): Promise<HookRun> {
    const found = await this.#ports.engine.find(String(id));
    if (found === undefined) throw unknownRun(id);
    return found;
  }

  /** An event of another program, with an id where it has none. */
  #checked(event: unknown): HookEvent {
    if (!isRecord(event) || !kinds.has(event.kind)) {
      const known = [...kinds].join(', ');
      throw new HooksError('invalid', `An event has a kind, which is one of ${known}.`);
    }
    const { id, at, fields, hookId, chain } = event;
    return {
      id: typeof id === 'string' && id !== '' ? id : `emitted:${randomUUID()}`,
      kind: event.kind as HookEvent['kind'],
      at: typeof at === 'number' ? at : this.#ports.clock.now(),
      fields: isRecord(fields) ? fields : {},
      ...(typeof hookId === 'string' && { hookId: this.#find(hookId).id }),
      ...(isChain(chain) && { chain }),
    };
  }
}

function unknownRun(id: string): HooksError {
  return new HooksError('unknown_run', `There is no run "${id}".`);
}
