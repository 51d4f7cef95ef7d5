import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';

/** The real nginx with one site, in a folder of its own. */
export class Nginx implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'errand-nginx-'));
  #process: ChildProcess | undefined;

  /** What nginx says about the configuration of a site; empty when it is right. */
  check(site: string): string {
    this.#write(site);
    const { status, stderr } = spawnSync(program(), [...this.#args(), '-t'], { encoding: 'utf8' });
    return status === 0 ? '' : stderr;
  }

  /** Starts with a site; resolves when it listens. */
  async start(site: string, address: { readonly host: string; readonly port: number }) {
    this.#write(site);
    this.#process = spawn(program(), this.#args(), { stdio: 'ignore' });
    await once(this.#process, 'spawn');
    await expect.poll(() => canConnect(address)).toBe(true);
  }

  /** Goes on with another site; resolves when no process serves the one before. */
  async reload(site: string): Promise<void> {
    const before = this.#workers();
    this.#write(site);
    this.#process?.kill('SIGHUP');
    await expect
      .poll(() => {
        const now = this.#workers();
        return now.length > 0 && now.every((pid) => !before.includes(pid));
      })
      .toBe(true);
  }

  /** What it noted about failures. */
  log(): string {
    return readFileSync(join(this.#folder, 'error.log'), 'utf8');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { exitCode } = this.#process ?? { exitCode: 0 };
    if (this.#process !== undefined && exitCode === null) {
      this.#process.kill('SIGTERM');
      await once(this.#process, 'exit');
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #workers(): readonly string[] {
    const pid = this.#process?.pid;
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  }

  #args(): readonly string[] {
    return ['-p', this.#folder, '-c', join(this.#folder, 'nginx.conf'), '-e', 'error.log'];
  }

  #write(site: string): void {
    mkdirSync(join(this.#folder, 'temp'), { recursive: true });
    writeFileSync(join(this.#folder, 'site.conf'), site);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path temp/${name};`)
      .join('\n  ');
    writeFileSync(
      join(this.#folder, 'nginx.conf'),
      `daemon off;
pid nginx.pid;
error_log error.log;
worker_processes 1;
events {}
http {
  access_log off;
  ${temporary}
  include site.conf;
}
`,
    );
  }
}

function program(): string {
  return process.env.ERRAND_TEST_NGINX ?? 'nginx';
}

function canConnect({ host, port }: { readonly host: string; readonly port: number }) {
  return new Promise<boolean>((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
