import type { ApprovalRule } from '@errand/host';
import type { LaunchForm, ServerForm } from './server-form.ts';

/** A row of a table of names and values. */
export interface Pair {
  readonly name: string;
  readonly value: string;
}

/** A server's form as it is typed: every way at once, so that changing the way loses nothing. */
export interface ServerDraft {
  readonly kind: LaunchForm['kind'];
  readonly name: string;
  readonly command: string;
  readonly cwd: string;
  readonly image: string;
  /** What the container runs. */
  readonly inside: string;
  readonly imageTransport: 'stdio' | 'sse' | 'http';
  readonly port: string;
  readonly outsidePort: string;
  readonly path: string;
  readonly memory: string;
  readonly url: string;
  readonly urlTransport: 'sse' | 'http';
  readonly env: readonly Pair[];
  readonly headers: readonly Pair[];
  readonly approval: ApprovalRule;
  /** Seconds. */
  readonly timeout: string;
}

export const emptyDraft: ServerDraft = {
  kind: 'command',
  name: '',
  command: '',
  cwd: '',
  image: '',
  inside: '',
  imageTransport: 'stdio',
  port: '',
  outsidePort: '',
  path: '',
  memory: '',
  url: '',
  urlTransport: 'http',
  env: [],
  headers: [],
  approval: 'ask',
  timeout: '',
};

/** What is typed into a form that is there already. */
export function draftOfForm(form: ServerForm): ServerDraft {
  const { name, approval = 'ask', timeout } = form;
  const shared = { ...emptyDraft, name, approval, timeout: timeout ? String(timeout / 1_000) : '' };
  switch (form.kind) {
    case 'command': {
      const { kind, command, cwd = '', env } = form;
      return { ...shared, kind, command, cwd, env: pairsOf(env) };
    }
    case 'image': {
      const { kind, image, command = '', path = '', memory = '', env } = form;
      return {
        ...shared,
        kind,
        image,
        inside: command,
        imageTransport: form.transport ?? 'stdio',
        port: numberText(form.port),
        outsidePort: numberText(form.outsidePort),
        path,
        memory,
        env: pairsOf(env),
      };
    }
    case 'url': {
      const { kind, url, transport = 'http', headers } = form;
      return { ...shared, kind, url, urlTransport: transport, headers: pairsOf(headers) };
    }
  }
}

/** The form to send, or what is wrong in it before it can be sent. */
export type DraftForm =
  | { readonly form: ServerForm }
  | { readonly mistakes: Readonly<Record<string, string>> };

export function formOfDraft(draft: ServerDraft): DraftForm {
  const mistakes = {
    ...numberMistake('timeout', draft.timeout, 1, 300, 'Write seconds from 1 to 300.'),
    ...(draft.kind === 'image' && {
      ...numberMistake('port', draft.port, 1, 65_535, 'Write a port from 1 to 65535.'),
      ...numberMistake('outsidePort', draft.outsidePort, 0, 65_535, 'Write a port, or 0 for any.'),
    }),
    ...pairMistake('env', draft.env),
    ...pairMistake('headers', draft.headers),
  };
  if (Object.keys(mistakes).length > 0) return { mistakes };
  const timeout = draft.timeout.trim() === '' ? null : Number(draft.timeout) * 1_000;
  const { name, approval } = draft;
  return { form: { name, approval, timeout, ...launchOf(draft) } };
}

function launchOf(draft: ServerDraft): LaunchForm {
  const { command, cwd, image, inside, path, memory, url } = draft;
  const env = tableOf(draft.env);
  switch (draft.kind) {
    case 'command':
      return { kind: 'command', command, cwd, env };
    case 'image':
      return {
        kind: 'image',
        image,
        transport: draft.imageTransport,
        command: inside,
        // A program that is spoken to by its input and output has no port.
        ...(draft.imageTransport !== 'stdio' && {
          ...(draft.port !== '' && { port: Number(draft.port) }),
          ...(draft.outsidePort !== '' && { outsidePort: Number(draft.outsidePort) }),
          path,
        }),
        env,
        memory,
      };
    case 'url':
      return { kind: 'url', url, transport: draft.urlTransport, headers: tableOf(draft.headers) };
  }
}

function pairsOf(table: Readonly<Record<string, string>> = {}): readonly Pair[] {
  return Object.entries(table).map(([name, value]) => ({ name, value }));
}

function tableOf(pairs: readonly Pair[]): Readonly<Record<string, string>> {
  const filled = pairs.filter(({ name, value }) => name.trim() !== '' || value !== '');
  return Object.fromEntries(filled.map(({ name, value }) => [name.trim(), value]));
}

function numberText(number: number | undefined): string {
  return number === undefined || number === 0 ? '' : String(number);
}

function numberMistake(
  field: string,
  text: string,
  least: number,
  most: number,
  message: string,
): Readonly<Record<string, string>> {
  const number = Number(text);
  const isFine = text.trim() === '' || (number >= least && number <= most);
  return isFine ? {} : { [field]: message };
}

function pairMistake(field: string, pairs: readonly Pair[]): Readonly<Record<string, string>> {
  const names = pairs.map(({ name }) => name.trim());
  const nameless = pairs.some(({ name, value }) => name.trim() === '' && value !== '');
  if (nameless) return { [field]: 'A value has no name. Name it, or remove the row.' };
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  return twice === undefined
    ? {}
    : { [field]: `"${twice}" is there twice. Remove one of the rows.` };
}
