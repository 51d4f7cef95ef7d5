import type { ContentPart } from './connection.ts';

/** Lets a language model answer for a server. It gets no tools, so calls cannot go in circles (D18). */
export interface Sampler {
  /** Returns nothing when the server may not ask, or no model is there. */
  sample(request: SampleRequest, signal: AbortSignal): Promise<SampleAnswer | undefined>;
}

export interface SampleRequest {
  /** The name of the server that asks. */
  readonly server: string;
  readonly messages: readonly SampleMessage[];
  readonly systemPrompt?: string;
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
}

interface SampleMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ContentPart[];
}

export interface SampleAnswer {
  readonly text: string;
  readonly model: string;
  readonly stopReason?: string;
}
