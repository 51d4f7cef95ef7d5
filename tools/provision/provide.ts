import { join } from 'node:path';
import { useDockerEngine } from './docker-engine.ts';
import { installPackages } from './install-packages.ts';
import { lookAtMachine } from './look-at-machine.ts';
import { provideNode22 } from './node-22.ts';
import { browsers, type Need, type Provision } from './plan.ts';
import { readProgram, runProgram } from './run-program.ts';
import { provideTestImage } from './test-image.ts';

interface Provided extends AsyncDisposable {
  /** What tests find in their environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Why a need could not be met after all. */
  readonly failures: ReadonlyMap<Need, string>;
}

interface ProvideOptions {
  readonly projectFolder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Installs and starts what the plan names. Disposing it stops what was started. */
export async function provide(
  provisions: readonly Provision[],
  options: ProvideOptions,
): Promise<Provided> {
  const started = new AsyncDisposableStack();
  const env: Record<string, string> = {};
  const failures = new Map<Need, string>();
  for (const { need, packages } of provisions) {
    if (options.signal.aborted) break;
    try {
      if (packages.length > 0) await installPackages(packages, options);
      Object.assign(env, await providers[need](options, started));
    } catch (error) {
      failures.set(need, error instanceof Error ? error.message : String(error));
    }
  }
  return { env, failures, [Symbol.asyncDispose]: () => started.disposeAsync() };
}

type Provider = (
  options: ProvideOptions,
  started: AsyncDisposableStack,
) => Promise<Readonly<Record<string, string>>>;

const providers: Readonly<Record<Need, Provider>> = {
  async docker({ projectFolder, env, say }, started) {
    const given = lookAtMachine(env).given.dockerHost;
    if (given === undefined) say('Starting a private Docker engine');
    const host = given ?? started.use(await useDockerEngine(projectFolder, env)).host;
    const image = await provideTestImage(host, join(projectFolder, '.cache'), say);
    return { ERRAND_TEST_DOCKER_HOST: host, ERRAND_TEST_IMAGE: image };
  },
  async chromium({ env }) {
    const { given, programs } = lookAtMachine(env);
    const [found] = browsers.flatMap((name) => programs[name] ?? []);
    return { ERRAND_TEST_CHROMIUM: given.chromium ?? found ?? '' };
  },
  async keychain() {
    return {};
  },
  async bwrap() {
    // Installed is not enough: some machines and containers allow no namespaces.
    await readProgram('bwrap', ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', 'true']);
    return {};
  },
  async bundle({ projectFolder, say, signal }) {
    const node = await provideNode22(join(projectFolder, '.cache'), say);
    const code = await runProgram('npm', ['run', '--silent', 'build'], {
      cwd: projectFolder,
      signal,
    });
    if (code !== 0) throw new Error('npm run build failed');
    return { ERRAND_TEST_NODE22: node };
  },
};
