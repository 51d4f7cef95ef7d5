import type { ApprovalRule } from '@errand/host';

/** A row of a table of names and values. */
export interface Pair {
  readonly name: string;
  readonly value: string;
}

/** A server as it is typed into a form: the fields of every kind at once, so that changing the kind loses nothing. */
export interface ServerDraft {
  /** What is started, or where it is reached. */
  readonly kind: 'command' | 'image' | 'url';
  readonly name: string;
  /** Program and arguments on one line; quotes keep words together. */
  readonly command: string;
  /** Relative to the vault. */
  readonly cwd: string;
  readonly image: string;
  /** The command in the container, when not the image's own. */
  readonly inside: string;
  readonly imageTransport: 'stdio' | 'sse' | 'http';
  /** In the container; required for sse and http. */
  readonly port: string;
  /** On this machine; empty or 0 lets the engine choose. */
  readonly outsidePort: string;
  readonly path: string;
  readonly memory: string;
  readonly url: string;
  readonly urlTransport: 'sse' | 'http';
  readonly env: readonly Pair[];
  readonly headers: readonly Pair[];
  readonly approval: ApprovalRule;
  /** Seconds a call may take; empty: as for all servers. */
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
