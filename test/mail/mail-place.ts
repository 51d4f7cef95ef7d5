import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ModelServer } from '@errand/assistant/testing';
import type { MailSettings, Notice } from '@errand/host';
import type { JobEngine } from '@errand/jobs';
import type { VaultHost } from '@errand/machine/vault';
import type { MailEvent, MailMethods, Mailroom, MailService } from '@errand/mailroom';
import { type FaultProxy, startFaultProxy, startGoogle } from '@errand/server-kit/testing';
import { answerBySubject, openHost, servers } from './mail-servers.ts';
import { mailSettings, openRoomAt, type RoomPlace } from './room-at.ts';

const owner = 'owner@example.org';

/** A mail that left. */
interface SentCopy {
  readonly to: string;
  readonly subject: string;
  readonly threadId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly snippet: string;
}

/** A vault with real servers, a double of Gmail behind a fault proxy, and a scripted model over HTTP. */
export class MailPlace implements AsyncDisposable {
  readonly folder: string;
  readonly home: string;
  readonly model: ModelServer;
  readonly proxy: FaultProxy;
  readonly events: MailEvent[] = [];
  readonly notices: Notice[] = [];
  readonly faults: unknown[] = [];
  host: VaultHost;
  room!: Mailroom;
  service!: MailService;
  jobs!: JobEngine;
  /** Milliseconds that the clock of the mailroom is ahead. */
  ahead = 0;
  /** Milliseconds for one call of the vault server. */
  vaultTimeoutMs: number | undefined;
  mail: MailSettings = mailSettings;
  machine = { id: 'machine-1', name: 'desk' };
  /** Called before and after every call of a tool and every question to the model; it goes on afterwards. */
  onEffect: RoomPlace['onEffect'];
  readonly #google: Awaited<ReturnType<typeof startGoogle>>;
  readonly #sent = new Map<string, SentCopy>();
  #disk: Disposable | undefined;

  private constructor(
    made: Pick<MailPlace, 'folder' | 'home' | 'model' | 'proxy' | 'host'>,
    google: Awaited<ReturnType<typeof startGoogle>>,
  ) {
    this.folder = made.folder;
    this.home = made.home;
    this.model = made.model;
    this.proxy = made.proxy;
    this.host = made.host;
    this.#google = google;
  }

  /** `mount` puts another disk in the place of the vault, until it is disposed. */
  static async open({
    mount,
    email = owner,
  }: {
    readonly mount?: (folder: string) => Disposable;
    readonly email?: string;
  } = {}): Promise<MailPlace> {
    const home = mkdtempSync(join(tmpdir(), 'errand-mailroom-'));
    const folder = join(home, 'vault');
    mkdirSync(folder);
    const disk = mount?.(folder);
    mkdirSync(join(folder, '.errand'));
    const google = await startGoogle({ email });
    const proxy = await startFaultProxy(google.url);
    const model = await ModelServer.open();
    writeFileSync(
      join(home, 'tokens.json'),
      JSON.stringify({
        access_token: 'access-1',
        refresh_token: 'refresh-1',
        client_id: 'client',
        client_secret: 'secret',
        token_uri: `${proxy.url}/oauth2/token`,
        account: email,
        expiry_date: Date.now() + 86_400_000,
      }),
      { mode: 0o600 },
    );
    writeFileSync(
      join(folder, '.errand/settings.json'),
      JSON.stringify({ version: 1, mcpServers: servers(home, folder, proxy.url) }),
    );
    const host = await openHost(folder, home);
    const place = new MailPlace({ home, folder, model, proxy, host }, google);
    place.#disk = disk;
    place.model.always(answerBySubject);
    await place.start();
    return place;
  }

  /** Opens the mailroom as a program that starts does; nothing runs by a clock. */
  async start({ isBegun = true } = {}): Promise<void> {
    const opened = openRoomAt({
      folder: this.folder,
      home: this.home,
      host: () => this.host.host,
      settings: () => this.mail,
      assistant: this.model.assistant('openai-compatible'),
      machine: this.machine,
      ahead: () => this.ahead,
      vaultTimeoutMs: this.vaultTimeoutMs,
      emit: (event) => void this.events.push(event),
      notify: (notice) => void this.notices.push(notice),
      onFault: (error) => void this.faults.push(error),
      onEffect: (when, what) => this.onEffect?.(when, what),
    });
    this.room = opened.room;
    this.service = opened.service;
    this.jobs = opened.jobs;
    if (isBegun && !existsSync(join(this.folder, 'Logs/orchestrator_state.json'))) {
      await this.ask('begin', { take: { days: 30 } });
    }
  }

  /** Ends the mailroom as a program that leaves does. */
  async stop(): Promise<void> {
    await this.room[Symbol.asyncDispose]();
    await this.jobs[Symbol.asyncDispose]();
  }

  async restart(options?: { readonly isBegun?: boolean }): Promise<void> {
    await this.stop();
    await this.start(options);
  }

  /** An empty vault and an empty inbox. */
  async reset(): Promise<void> {
    await this.stop();
    this.proxy.heal();
    for (const name of ['Needs_Action', 'Drafts', 'Approved', 'Done', 'Logs', 'Other']) {
      rmSync(join(this.folder, name), { recursive: true, force: true });
    }
    for (const name of readdirSync(this.home))
      if (name.startsWith('jobs.sqlite')) rmSync(join(this.home, name));
    for (const where of ['in:inbox', 'in:sent', 'in:drafts']) {
      const path = `messages?maxResults=500&q=${where}`;
      const { messages = [] } = await this.gmail<{ messages?: { id: string }[] }>('GET', path);
      for (const { id } of messages) await this.gmail('DELETE', `messages/${id}`);
    }
    this.events.length = 0;
    this.notices.length = 0;
    this.faults.length = 0;
    this.ahead = 0;
    this.vaultTimeoutMs = undefined;
    this.machine = { id: 'machine-1', name: 'desk' };
    this.mail = mailSettings;
    this.onEffect = undefined;
    this.model.always(answerBySubject);
    await this.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.host[Symbol.asyncDispose]();
    await this.model[Symbol.asyncDispose]();
    await this.proxy[Symbol.asyncDispose]();
    await this.#google[Symbol.asyncDispose]();
    this.#disk?.[Symbol.dispose]();
    rmSync(this.home, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Asks Gmail around all faults. */
  async gmail<T = unknown>(method: string, path: string, json?: object): Promise<T> {
    return (await this.#google.ask(method, path, json)) as T;
  }

  /** Puts a mail into the inbox; its subject says what the model decides. */
  async deliver(
    subject: string,
    body = 'Hello, can you come on Friday?',
    headers: readonly string[] = [],
  ): Promise<string> {
    const from = headers.some((header) => /^from:/i.test(header))
      ? []
      : ['From: Ada <ada@example.org>'];
    const encoded = /^[ -~]*$/.test(subject)
      ? subject
      : `=?UTF-8?B?${Buffer.from(subject).toString('base64')}?=`;
    const lines = [
      ...from,
      `To: ${owner}`,
      `Subject: ${encoded}`,
      `Date: ${new Date().toUTCString()}`,
      'Content-Type: text/plain; charset=utf-8',
      ...headers,
    ];
    return this.deliverRaw(`${lines.join('\r\n')}\r\n\r\n${body}`);
  }

  /** Puts a mail into the inbox, as it is. */
  async deliverRaw(text: string): Promise<string> {
    const raw = Buffer.from(text).toString('base64url');
    const { id } = await this.gmail<{ id: string }>('POST', 'messages', {
      raw,
      labelIds: ['INBOX', 'UNREAD'],
    });
    return id;
  }

  /** Lets so much time pass for the ledger of the mail server that no request can be running any more. */
  letTimePass(): void {
    const file = join(this.home, 'ledger.sqlite');
    if (!existsSync(file)) return;
    const ledger = new DatabaseSync(file);
    ledger.exec('PRAGMA busy_timeout = 5000');
    ledger.prepare('UPDATE sends SET changed_at = changed_at - 61000').run();
    ledger.close();
  }

  /** Every mail that left, as it was sent. */
  async sent(): Promise<readonly SentCopy[]> {
    const { messages = [] } = await this.gmail<{ messages?: { id: string }[] }>(
      'GET',
      'messages?q=in:sent&maxResults=500',
    );
    return Promise.all(messages.map(({ id }) => this.#sentCopy(id)));
  }

  /** What was sent stays as it is; the double of Gmail answers only so many requests an hour. */
  async #sentCopy(id: string): Promise<SentCopy> {
    const known = this.#sent.get(id);
    if (known !== undefined) return known;
    const { payload, threadId, snippet } = await this.gmail<{
      threadId: string;
      snippet: string;
      payload: { headers: { name: string; value: string }[] };
    }>('GET', `messages/${id}`);
    const headers = Object.fromEntries(
      payload.headers.map(({ name, value }) => [name.toLowerCase(), value]),
    );
    const { to = '', subject = '' } = headers;
    const copy = { to, subject, threadId, headers, snippet };
    this.#sent.set(id, copy);
    return copy;
  }

  ask<Method extends keyof MailMethods>(
    method: Method,
    params: MailMethods[Method]['params'],
  ): Promise<MailMethods[Method]['result']> {
    return this.service.answer(method, params, AbortSignal.timeout(120_000)) as Promise<
      MailMethods[Method]['result']
    >;
  }

  /** A round, and everything that follows from it. */
  async round(): Promise<void> {
    await this.ask('run', { wait: true });
  }

  notes(folder: string): readonly string[] {
    const path = join(this.folder, folder);
    return existsSync(path)
      ? readdirSync(path)
          .filter((name) => name.endsWith('.md'))
          .sort()
      : [];
  }

  /** The only note of a folder. */
  only(folder: string): string {
    const names = this.notes(folder);
    if (names.length !== 1)
      throw new Error(`${folder} has ${names.length} notes: ${names.join(', ')}`);
    return `${folder}/${names[0]}`;
  }

  text(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  write(path: string, text: string): void {
    mkdirSync(join(this.folder, path, '..'), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  /** All lines of all logs. */
  logs(): readonly Readonly<Record<string, unknown>>[] {
    const folder = join(this.folder, 'Logs');
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
      .map((line) => JSON.parse(line));
  }
}
