import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { findProcess, isDroppedInstance, ownInstance } from '@errand/files/processes';

/** The host process that a container belongs to. */
export interface HostIdentity {
  /** Tells apart machines, and parts of a machine in which process ids mean something else. */
  readonly machine: string;
  readonly pid: number;
  readonly startedAt: string;
  /** Tells it from others in the same process. */
  readonly instance?: string | undefined;
}

/** This process, as it is written on its containers. */
export async function thisHost(): Promise<HostIdentity> {
  const startedAt = (await startOf(process.pid)) ?? '';
  return { machine: machineId(), pid: process.pid, startedAt, instance: ownInstance() };
}

/** Whether a host of this machine is certainly gone; nobody can tell about another machine's. */
export async function isGone(host: HostIdentity): Promise<boolean> {
  if (host.machine !== machineId()) return false;
  if (isDroppedInstance(host.pid, host.instance)) return true;
  return (await startOf(host.pid)) !== host.startedAt;
}

async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'win32') return (await findProcess(pid))?.startedAt;
  try {
    process.kill(pid, 0);
    return 'running';
  } catch (error) {
    // Windows tells no start time without a helper program; a process of somebody else's may not be signalled.
    const isOthers = error instanceof Error && 'code' in error && error.code === 'EPERM';
    return isOthers ? 'running' : undefined;
  }
}

/** Reads an identity from a label; anybody can have written it. */
export function parseHostIdentity(label: string | undefined): HostIdentity | undefined {
  const [machine, pid, ...startedAt] = (label ?? '').split(' ');
  if (!machine || !/^\d+$/.test(pid ?? '') || startedAt.length === 0) return undefined;
  return { machine, pid: Number(pid), startedAt: startedAt.join(' ') };
}

export function formatHostIdentity({ machine, pid, startedAt }: HostIdentity): string {
  return `${machine} ${pid} ${startedAt}`;
}

let cachedMachineId: string | undefined;
function machineId(): string {
  cachedMachineId ??= createHash('sha256')
    .update(
      [tryTo(() => readFileSync('/etc/machine-id', 'utf8')) || hostname(), processes()].join(),
    )
    .digest('hex')
    .slice(0, 16);
  return cachedMachineId;
}

/** On Linux a host inside a container counts its processes anew. */
function processes(): string {
  return tryTo(() => readlinkSync('/proc/self/ns/pid'));
}

function tryTo(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
