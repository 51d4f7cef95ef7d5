import { type AssistantConfig, HostError } from '@errand/host';
import { describeAssistant } from '@errand/workspace/conversations';
import { z } from 'zod';
import type { Assistant, WorkbenchEvent } from '../../contract.ts';
import { ApiError } from '../http/api-error.ts';
import { etagOf } from '../notes/note-text.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';

type AssistantListPorts = Pick<WorkbenchPorts, 'host' | 'trust'>;

/** `seen` is that of the `Assistant` that was shown. */
export const agreeSchema = z.strictObject({ name: z.string(), seen: z.string() });

/** The assistants of the settings, and a person's approval of where they send data (D17). */
export class AssistantList {
  readonly #ports: AssistantListPorts;
  readonly #feed: (event: WorkbenchEvent) => void;
  #published = '[]';

  constructor(ports: AssistantListPorts, feed: (event: WorkbenchEvent) => void) {
    this.#ports = ports;
    this.#feed = feed;
  }

  list(): readonly Assistant[] {
    return this.#configs.map((config) => this.#describe(config));
  }

  async agree({ name, seen }: z.output<typeof agreeSchema>): Promise<void> {
    const config = this.#configs.find((each) => each.name === name);
    if (config === undefined) {
      throw new HostError('settings_invalid', `There is no assistant "${name}" any more.`);
    }
    if (this.#describe(config).seen !== seen) {
      const message =
        'Where this assistant sends things is not what was shown. Look at it again before you agree.';
      throw new ApiError('conflict', message);
    }
    await this.#ports.trust.agree([], [config]);
    this.publish();
  }

  /** Publishes the list, if it changed. */
  publish(): void {
    const assistants = this.list();
    const text = JSON.stringify(assistants);
    if (text === this.#published) return;
    this.#published = text;
    this.#feed({ kind: 'assistants-changed', assistants });
  }

  get #configs(): readonly AssistantConfig[] {
    return this.#ports.host.servers.settings.assistants;
  }

  #describe(config: AssistantConfig): Assistant {
    const { name, provider, model, baseUrl, key = null } = config;
    const { trust } = this.#ports;
    const sendsTo = baseUrl ?? provider;
    const does = describeAssistant(config);
    const seen = etagOf(JSON.stringify([name, provider, does]));
    const isAllowed = trust.mayUse(config) === undefined;
    const verdict = isAllowed ? 'trusted' : trust.verdictOfAssistant(config);
    return { name, provider, model, sendsTo, key, does, verdict, seen };
  }
}
