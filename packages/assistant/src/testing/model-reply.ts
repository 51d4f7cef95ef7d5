/** What a scripted model does with one request. */
export type ModelStep = ModelReply | ModelFailure;

/** An answer, sent as the provider sends it: word by word, call by call. */
export interface ModelReply {
  /** Each is sent on its own. */
  readonly text?: readonly string[];
  readonly calls?: readonly ModelCall[];
  /** Why it ends, when not because all is said. */
  readonly stop?: 'length' | 'refusal' | 'malformed-call';
  readonly tokens?: { readonly input: number; readonly output: number };
  /** After the text the connection is lost, or ends as if all were said. */
  readonly cut?: 'lost' | 'ended';
  /** Waited for after the first words. */
  readonly hold?: Promise<unknown>;
}

export interface ModelCall {
  readonly name: string;
  /** A string is sent as it is, whatever it may be. */
  readonly arguments: Readonly<Record<string, unknown>> | string;
}

/** A refusal of the whole request. */
export interface ModelFailure {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Pieces of an event stream, and the places where the script may wait or break off. */
export type StreamPiece = string | typeof afterText | typeof afterFirstText;

/** Behind the first words. */
export const afterFirstText = Symbol('after the first text');
/** Behind all words, before calls and the end. */
export const afterText = Symbol('after the text');

/** One way of saying it all over HTTP. */
export interface WireFormat {
  /** Whether a request to this path is of this format. */
  owns(path: string): boolean;
  stream(reply: ModelReply, id: string): Iterable<StreamPiece>;
  failure(failure: ModelFailure): unknown;
  /** The names of the tools that a request offers. */
  toolNames(body: Readonly<Record<string, unknown>>): readonly string[];
}

export function argumentsText(call: ModelCall): string {
  return typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
}

/** Marks the places between texts. */
export function* spoken(reply: ModelReply, say: (text: string) => string): Generator<StreamPiece> {
  for (const [index, text] of (reply.text ?? []).entries()) {
    yield say(text);
    if (index === 0) yield afterFirstText;
  }
  yield afterText;
}
