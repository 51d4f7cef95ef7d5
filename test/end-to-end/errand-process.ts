import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerConfig } from '@errand/host';
import { readJournal, type ServerScript, scriptedServerConfig } from '@errand/machine/testing';
import { builtErrand } from '../built-errand.ts';

const root = join(import.meta.dirname, '../..');
/** What a person's `errand` starts. */
export const program = await builtErrand();

/** For tests of many commands: a busy machine needs seconds for each. */
export const patient = { timeout: 90_000 };

/** A deadline that only a hang reaches, also when several commands start at once. */
export function eventually(): AbortSignal {
  return AbortSignal.timeout(60_000);
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a vault made for a test holds. */
export interface VaultContent {
  readonly servers?: readonly ServerConfig[];
  /** More of the settings; or all of them as text, however broken. */
  readonly settings?: Readonly<Record<string, unknown>> | string;
  readonly notes?: Readonly<Record<string, string>>;
}

/** A vault, and the `errand` command run in it as a person runs it, with a home of its own. */
export class TestVault implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'errand-vault-'));
  readonly folder = join(this.#folder, 'vault');
  readonly home = join(this.#folder, 'home');
  /** Where `scripted` servers write down what happens to them. */
  readonly journal = join(this.#folder, 'journal.jsonl');
  /** The environment that keeps a test's state, cache and settings to itself. */
  readonly env: NodeJS.ProcessEnv = {
    ...process.env,
    HOME: this.home,
    XDG_STATE_HOME: join(this.home, 'state'),
    XDG_CACHE_HOME: join(this.home, 'cache'),
    XDG_CONFIG_HOME: join(this.home, 'config'),
  };

  /** A copy of a vault, or one with this content; the example vault when nothing is said. */
  constructor(original: string | VaultContent = join(root, 'examples/vault')) {
    writeFileSync(this.journal, '');
    if (typeof original === 'string') cpSync(original, this.folder, { recursive: true });
    else this.#fill(original);
  }

  /** A vault whose settings may start what they name, as if a person had made them here. */
  static trusted(content: VaultContent = {}): TestVault {
    const vault = new TestVault(content);
    vault.env.ERRAND_TRUST = '1';
    return vault;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  writeSettings(text: string): void {
    writeFileSync(this.path('.errand/settings.json'), text);
  }

  settings(): { readonly mcpServers: readonly ServerConfig[] } {
    return JSON.parse(this.read('.errand/settings.json'));
  }

  /** The entry of a scriptable server that keeps this vault's journal. */
  scripted(script: ServerScript = {}, entry: Partial<ServerConfig> = {}): ServerConfig {
    return scriptedServerConfig({ journal: this.journal, ...script }, { name: 'fix', ...entry });
  }

  /** Registers servers behind Errand's back. */
  add(...servers: readonly ServerConfig[]): this {
    const settings = this.settings();
    const mcpServers = [...settings.mcpServers, ...servers];
    this.writeSettings(JSON.stringify({ ...settings, mcpServers }));
    return this;
  }

  /** A vault with a server that a person has agreed to for good, so that programs share it. */
  static async agreed(script: ServerScript = {}, content: VaultContent = {}): Promise<TestVault> {
    const vault = new TestVault(content);
    vault.add(vault.scripted(script));
    await vault.errand('trust', '--yes');
    return vault;
  }

  errand(...args: readonly string[]): Promise<Ended> {
    return run(process.execPath, [program, ...args], this);
  }

  /** Runs a command that writes one JSON document and nothing else. */
  async json(...args: readonly string[]): Promise<{ readonly code: number | null; json: unknown }> {
    const { code, stdout } = await this.errand(...args, '--json');
    return { code, json: JSON.parse(stdout) };
  }

  start(...args: readonly string[]): RunningProgram {
    return new RunningProgram(process.execPath, [program, ...args], this);
  }

  /** What a shell has to be told instead of `errand`. */
  commandLine(): string {
    return `'${process.execPath}' '${program}'`;
  }

  /** Types a command into a terminal of its own. */
  startOnTerminal(command: string): RunningProgram {
    // A terminal that nobody looks at has no size.
    const typed = `stty rows 30 cols 100; ${command.replace(/^errand/, this.commandLine())}`;
    return new RunningProgram('script', ['-qefc', typed, '/dev/null'], this);
  }

  [Symbol.dispose](): void {
    this.#endServers();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** A test that failed may have left servers which only force ends. */
  #endServers(): void {
    for (const { pid } of readJournal(this.journal)) {
      try {
        // The number may belong to somebody else by now; this home does not.
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
        if (environment.includes(this.home)) process.kill(pid, 'SIGKILL');
      } catch {
        // It has gone, as it should.
      }
    }
  }

  #fill({ servers = [], settings = {}, notes = {} }: VaultContent): void {
    mkdirSync(this.path('.errand'), { recursive: true });
    const stored = {
      version: 1,
      mcpServers: servers,
      ...(typeof settings === 'object' && settings),
    };
    this.writeSettings(typeof settings === 'string' ? settings : JSON.stringify(stored));
    for (const [name, text] of Object.entries(notes)) writeFileSync(this.path(name), text);
  }
}

interface Surroundings {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A program that runs in a vault. Disposing kills it if it still does. */
export class RunningProgram implements Disposable {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  #stdout = '';
  #stderr = '';
  #look: () => void = () => {};

  constructor(command: string, args: readonly string[], { folder, env }: Surroundings) {
    const child = spawn(command, args, { cwd: folder, env, stdio: 'pipe' });
    this.child = child;
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      this.#stdout += chunk;
      this.#look();
    });
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      this.#stderr += chunk;
      this.#look();
    });
    this.ended = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => {
        resolve({ code, stdout: this.#stdout, stderr: this.#stderr });
        this.#look();
      });
    });
  }

  /** What it has written to standard output so far. */
  get stdout(): string {
    return this.#stdout;
  }

  /** What it has written to standard error so far. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Waits until the program has written something like this, to whichever stream. */
  says(wanted: RegExp): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#look = () => {
        if (wanted.test(this.#stdout + this.#stderr)) resolve();
        else if (this.child.exitCode !== null) {
          reject(new Error(`It ended without saying ${wanted}: ${this.#stdout}${this.#stderr}`));
        }
      };
      this.#look();
    });
  }

  type(text: string): void {
    this.child.stdin?.write(text);
  }

  [Symbol.dispose](): void {
    this.child.kill('SIGKILL');
  }
}

/** Runs a program in a vault to its end, with nothing to read. */
export function run(
  command: string,
  args: readonly string[],
  surroundings: Surroundings,
): Promise<Ended> {
  const running = new RunningProgram(command, args, surroundings);
  running.child.stdin?.end();
  return running.ended;
}
