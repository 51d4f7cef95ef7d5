import { open } from 'node:fs/promises';
import { DatabaseSync, StatementSync } from 'node:sqlite';

// Loaded before a server: kills it at one of the moments before and after everything that sending leaves behind.

const killAt = Number(process.env.ERRAND_KILL_AT);
let moment = 0;
let isSending = false;

function pass(): void {
  if (!isSending) return;
  moment += 1;
  if (moment === killAt) process.kill(process.pid, 'SIGKILL');
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

function watch(owner: object, name: string): void {
  const methods = owner as Record<string, Method>;
  const original = methods[name] as Method;
  methods[name] = function (...args) {
    pass();
    const result = Reflect.apply(original, this, args);
    if (result instanceof Promise) return result.finally(pass);
    pass();
    return result;
  };
}

watch(StatementSync.prototype, 'run');
watch(DatabaseSync.prototype, 'exec');
watch(globalThis, 'fetch');

const file = await open('/dev/null');
const handles = Object.getPrototypeOf(file);
await file.close();
watch(handles, 'sync');
// The line in the audit log is the first step of sending; what came before belongs to the start.
const { writeFile } = handles;
handles.writeFile = function (...args: unknown[]) {
  isSending = true;
  pass();
  return Reflect.apply(writeFile, this, args);
};
