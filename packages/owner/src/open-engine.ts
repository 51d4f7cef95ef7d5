import type { Socket } from 'node:net';
import type { EarlierHost } from '@errand/host';
import { AttachedHost } from './attached-host.ts';
import type { Change, Engine } from './engine.ts';
import { joinVault } from './join-vault.ts';
import type { LeaseFolder } from './lease/lease-folder.ts';
import type { OwnerInfo } from './lease/owner-info.ts';
import type { Lease } from './lease/take-lease.ts';
import { OwnedVault } from './owned-vault.ts';
import { OwnerError } from './owner-error.ts';
import { protocol, type ServiceEvent } from './protocol.ts';
import { PeerGone } from './rpc-peer.ts';
import { otherVersion, runsAlone } from './runs-alone.ts';
import type { SharePorts } from './share-ports.ts';

export interface OpenEnginePorts {
  readonly ports: SharePorts;
  readonly folder: LeaseFolder;
  readonly signal: AbortSignal;
  /** Whether an owned vault takes newcomers. */
  readonly mayAttach: (engine: OwnedVault | undefined) => boolean;
  /** Answers a program that wants to own the vault instead. */
  readonly handOver: (engine: OwnedVault) => Promise<boolean>;
  /** The owner says that another program takes its place. */
  readonly onLeaving: (engine: Engine) => void;
  readonly onServiceEvent: (event: ServiceEvent) => void;
}

/** How long running calls may take when an editor hands over, and the newcomer to take its place. */
export const handOverMs = 3_000;
/** How long a command that was attached waits for the next owner before it runs alone. */
const reattachMs = 2_000;
/** Programs that make way for those that own first. */
const editors: ReadonlySet<string> = new Set(['obsidian', 'vscode']);

/** Takes part in a vault in the way that is open to a program: attached, as the owner, or alone. */
export class EngineOpener {
  readonly #with: OpenEnginePorts;

  constructor(ports: OpenEnginePorts) {
    this.#with = ports;
  }

  async open(earlier?: EarlierHost, { deposed, isHandedOver }: Change = {}): Promise<Engine> {
    const { ports, folder, signal } = this.#with;
    const { program, version, owns, notifier } = ports;
    const isOneShot = owns === 'never';
    const ownerlessMs = isOneShot && earlier !== undefined ? reattachMs : 0;
    try {
      return await joinVault<Engine>(
        {
          folder,
          claimant: { program, version, protocol, since: Date.now() },
          canOwn: !isOneShot,
          waitsForOwnerMs: isHandedOver ? handOverMs : ownerlessMs,
          ...(deposed && { deposed }),
          signal,
        },
        {
          attach: (socket, owner) => this.#attach(socket, owner, earlier),
          own: (lease, replaced) => this.#own(lease, earlier, replaced),
          runAlone: () => this.#runAlone(earlier),
        },
      );
    } catch (error) {
      if (!(error instanceof OwnerError)) throw error;
      notifier.notify(runsAlone(error.message));
      return await this.#runAlone(earlier);
    }
  }

  /** Undefined when the owner left, or made way for this program. */
  async #attach(
    socket: Socket,
    owner: OwnerInfo,
    earlier: EarlierHost | undefined,
  ): Promise<Engine | undefined> {
    const { ports, signal } = this.#with;
    const { program, version, owns } = ports;
    if (owner.protocol !== protocol) {
      socket.destroy();
      ports.notifier.notify(otherVersion(owner, version));
      return this.#runAlone(earlier);
    }
    let engine: Engine | undefined;
    const onLeaving = () => {
      if (engine !== undefined) this.#with.onLeaving(engine);
    };
    const face = { program, version, pid: process.pid, isWatching: owns !== 'never' };
    try {
      const ending = { signal, onLeaving };
      const host = await AttachedHost.attach(
        socket,
        owner,
        { ...ports, face, onServiceEvent: this.#with.onServiceEvent },
        ending,
      );
      const mayAsk = owns === 'first' && editors.has(owner.program);
      if (mayAsk && (await host.askToHandOver(signal))) {
        await host.close();
        return undefined;
      }
      engine = { kind: 'attached', host };
      return engine;
    } catch (error) {
      if (error instanceof PeerGone) return undefined;
      throw error;
    }
  }

  async #own(
    lease: Lease,
    earlier: EarlierHost | undefined,
    deposed: OwnerInfo | undefined,
  ): Promise<Engine> {
    let engine: OwnedVault | undefined;
    engine = await OwnedVault.open(lease, {
      ...this.#with.ports,
      onServiceEvent: this.#with.onServiceEvent,
      mayAttach: () => this.#with.mayAttach(engine),
      handOver: async () => engine !== undefined && this.#with.handOver(engine),
      ...(earlier && { earlier }),
      ...(deposed && { deposed }),
    });
    return engine;
  }

  async #runAlone(earlier: EarlierHost | undefined): Promise<Engine> {
    const { openHost, notifier } = this.#with.ports;
    return { kind: 'private', host: await openHost({ notifier, ...(earlier && { earlier }) }) };
  }
}
