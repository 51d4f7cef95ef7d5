import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { provideCodeServer } from './code-server.ts';
import { useDockerEngine } from './docker-engine.ts';
import { installPackages } from './install-packages.ts';
import { lookAtMachine } from './look-at-machine.ts';
import { provideNode } from './older-node.ts';
import { browsers, type Need, type Provision } from './plan.ts';
import { startPostgres } from './postgres.ts';
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
  /** Whether what takes minutes may still be on its way; `await-code-server.ts` waits for it. */
  readonly mayComeLater?: boolean;
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
      Object.assign(env, await providers[need](options, started, env));
    } catch (error) {
      failures.set(need, error instanceof Error ? error.message : String(error));
    }
  }
  return { env, failures, [Symbol.asyncDispose]: () => started.disposeAsync() };
}

type Provider = (
  options: ProvideOptions,
  started: AsyncDisposableStack,
  /** What the needs before this one have put into the environment of tests. */
  provided: Readonly<Record<string, string>>,
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
  async postgres({ env }, started) {
    const given = lookAtMachine(env).given.postgres;
    return { ERRAND_TEST_POSTGRES: given ?? started.use(await startPostgres()).url };
  },
  async nginx({ env }) {
    return { ERRAND_TEST_NGINX: lookAtMachine(env).programs.nginx ?? '' };
  },
  async bundle({ say, ...options }) {
    const node = await provideNode(22, join(options.projectFolder, '.cache'), say);
    await runScript('build', options);
    return { ERRAND_TEST_NODE22: node };
  },
  async pack({ say, ...options }, _, { ERRAND_TEST_NODE22: bundled }) {
    const node = await provideNode(20, join(options.projectFolder, '.cache'), say);
    await runScript('pack', options, bundled === undefined ? [] : ['--', '--built']);
    return { ERRAND_TEST_NODE20: node };
  },
  async vscode(options, started) {
    const given = lookAtMachine(options.env).given.codeServer;
    if (given !== undefined) return { ERRAND_TEST_CODE_SERVER: given };
    const failure = join(mkdtempSync(join(tmpdir(), 'errand-provide-')), 'code-server.failure');
    started.defer(() => rmSync(dirname(failure), { recursive: true, force: true }));
    const { program, installed } = provideCodeServer(
      join(options.projectFolder, '.cache'),
      options,
    );
    if (!options.mayComeLater) await installed;
    const settled = installed.catch((error) => writeFileSync(failure, String(error)));
    started.defer(() => settled);
    return { ERRAND_TEST_CODE_SERVER: program, ERRAND_TEST_CODE_SERVER_FAILURE: failure };
  },
};

async function runScript(
  name: string,
  { projectFolder, env, signal }: Pick<ProvideOptions, 'projectFolder' | 'env' | 'signal'>,
  args: readonly string[] = [],
): Promise<void> {
  // In an environment that vitest has changed, the page would be built for development.
  const options = { cwd: projectFolder, env, signal };
  const code = await runProgram('npm', ['run', '--silent', name, ...args], options);
  if (code !== 0) throw new Error(`npm run ${name} failed`);
}
