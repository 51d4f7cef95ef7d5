'use strict';
// Plain old JavaScript on purpose: a Node too old for the program must still be able to read this
// file and say so.

const { spawn, spawnSync } = require('child_process');
const { existsSync, lstatSync, mkdirSync } = require('fs');
const { enableCompileCache } = require('module');
const { homedir } = require('os');
const path = require('path');
const { pathToFileURL } = require('url');

exports.launch = launch;

function launch(folder) {
  const program = programOf(folder);
  if (isAtLeast(process.version, program.minimum)) {
    process.argv[1] = program.entry;
    cacheCompiledCode();
    import(pathToFileURL(program.entry).href).catch((error) => {
      process.stderr.write(`${error.stack}\n`);
      process.exitCode = 1;
    });
    return;
  }
  const node = findNode(folder, program.minimum);
  if (node === undefined) {
    process.stderr.write(
      `Errand needs Node ${program.minimum} or later; this is ${process.version}.\n` +
        'Install a newer Node, or name one: ERRAND_NODE=/path/to/node\n',
    );
    process.exitCode = 2;
    return;
  }
  runOn(node, program.entry);
}

/** From the second start on the program is loaded in half the time. */
function cacheCompiledCode() {
  if (enableCompileCache === undefined) return;
  try {
    const folder = path.join(userCacheFolder(), 'errand', 'compiled');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (isPrivate(folder)) enableCompileCache(folder);
  } catch {
    // Without a folder of our own the program starts slower, and that is all.
  }
}

/** Whoever can write there decides what runs here. On Windows the folder is the user's by its place. */
function isPrivate(folder) {
  const found = lstatSync(folder);
  if (!found.isDirectory()) return false;
  return (
    process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o077) === 0)
  );
}

/** Where a user's caches are by the custom of the platform, as `userFolders` of the host has it. */
function userCacheFolder() {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  if (process.platform === 'win32') return LOCALAPPDATA || path.join(homedir(), 'AppData', 'Local');
  if (process.platform === 'darwin') return path.join(homedir(), 'Library', 'Caches');
  const isGiven = XDG_CACHE_HOME !== undefined && path.isAbsolute(XDG_CACHE_HOME);
  return isGiven ? XDG_CACHE_HOME : path.join(homedir(), '.cache');
}

function programOf(folder) {
  const source = path.join(folder, 'src', 'main.ts');
  if (existsSync(source)) return { entry: source, minimum: '24' };
  // The first with the modules, SQLite's full-text search among them, that programs use.
  return { entry: path.join(folder, 'dist', 'main.js'), minimum: '22.16' };
}

function findNode(folder, minimum) {
  const named = process.env.ERRAND_NODE;
  const candidates = (named ? [named] : []).concat(bundledNode(folder), nodesOnPath());
  return candidates.find((node) => {
    const answer = spawnSync(node, ['--version'], { encoding: 'utf8', timeout: 5000 });
    return answer.status === 0 && isAtLeast(answer.stdout, minimum);
  });
}

/** The Node that npm installed beside us, if there is one for this platform. */
function bundledNode(folder) {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${system}-${process.arch}`;
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  try {
    const manifest = require.resolve(`${name}/package.json`, { paths: [folder] });
    return [path.join(path.dirname(manifest), 'bin', program)];
  } catch {
    return [];
  }
}

function nodesOnPath() {
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  return (
    (process.env.PATH || '')
      .split(path.delimiter)
      // A relative one would lead into whatever folder, such as a stranger's vault, we are started in.
      .filter(path.isAbsolute)
      .map((folder) => path.join(folder, program))
      .filter((node) => existsSync(node))
  );
}

function runOn(node, entry) {
  // The channel tells the program when this launcher is killed, so that it does not stay behind.
  const child = spawn(node, [entry].concat(process.argv.slice(2)), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const forwarded = ['SIGTERM', 'SIGHUP', 'SIGINT'];
  for (const signal of forwarded) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the whole group; passing it on would be a second Ctrl-C.
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    });
  }
  child.on('error', (error) => {
    process.stderr.write(`${node} could not be started: ${error.message}\n`);
    process.exitCode = 2;
  });
  child.on('exit', (code, signal) => {
    if (signal === null) {
      process.exitCode = code === null ? 1 : code;
      return;
    }
    for (const name of forwarded) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}

function isAtLeast(version, minimum) {
  const match = /^v?(\d+)\.(\d+)\./.exec(version.trim());
  if (match === null) return false;
  const [major, minor = 0] = minimum.split('.').map(Number);
  return Number(match[1]) > major || (Number(match[1]) === major && Number(match[2]) >= minor);
}
