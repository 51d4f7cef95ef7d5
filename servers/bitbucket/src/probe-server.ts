import type { BitbucketApi, ServerFacts } from './api/bitbucket-api.ts';

/** What is known about the installation. */
export interface ServerProbe {
  /** The facts, asked for once in five minutes; nothing when it does not answer in time. */
  facts(): Promise<ServerFacts | undefined>;
  /** The facts that are known now, and why there are none. */
  known(): { readonly facts: ServerFacts | undefined; readonly problem: unknown };
}

const keptFor = 5 * 60_000;
/** After a failure it is asked again so soon. */
const failedFor = 5_000;
/** How long lists and calls wait for it, in milliseconds. */
const patience = 2_000;

/** Asks an installation what it is, when somebody first wants to know. */
export function createServerProbe(api: Pick<BitbucketApi, 'probe'>): ServerProbe {
  let asked: { readonly at: number; readonly answer: Promise<ServerFacts | undefined> } | undefined;
  let facts: ServerFacts | undefined;
  let problem: unknown;
  const ask = async (): Promise<ServerFacts | undefined> => {
    try {
      facts = await api.probe(AbortSignal.timeout(patience * 5));
      problem = undefined;
    } catch (error) {
      problem = error;
    }
    return facts;
  };
  return {
    async facts() {
      const age = performance.now() - (asked?.at ?? Number.NEGATIVE_INFINITY);
      if (asked === undefined || age > (problem === undefined ? keptFor : failedFor)) {
        asked = { at: performance.now(), answer: ask() };
      }
      const { promise: late, resolve } = Promise.withResolvers<undefined>();
      const timer = setTimeout(() => resolve(undefined), patience);
      const found = await Promise.race([asked.answer, late]);
      clearTimeout(timer);
      return found ?? facts;
    },
    known: () => ({ facts, problem }),
  };
}

/** Why a tool cannot be used on an installation, by the metadata of the tool. */
export function whyNotOn(
  facts: ServerFacts,
  tool: { readonly name: string; readonly metadata?: Readonly<Record<string, unknown>> },
): string | undefined {
  const { serverTypes = [], leastVersion = '0' } = (tool.metadata ?? {}) as {
    readonly serverTypes?: readonly string[];
    readonly leastVersion?: string;
  };
  const isCloud = facts.edition === 'cloud';
  if (!serverTypes.includes(facts.edition)) {
    const has = isCloud ? 'Bitbucket Cloud' : 'Bitbucket Data Center';
    return `${has} has nothing that ${tool.name} could use.`;
  }
  if (isCloud || facts.version === undefined || isAtLeast(facts.version, leastVersion)) {
    return undefined;
  }
  return `${tool.name} needs Bitbucket Data Center ${leastVersion} or later; this one is ${facts.version}.`;
}

function isAtLeast(version: string, least: string): boolean {
  const [a, b] = [version, least].map((text) => text.split(/[.-]/).map(Number));
  for (const [index, wanted] of (b ?? []).entries()) {
    const part = a?.[index] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}
