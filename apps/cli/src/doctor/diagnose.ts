import { usualPort } from '../usual-port.ts';
import { diagnoseVault } from './diagnose-vault.ts';
import type { Finding } from './finding.ts';
import type { FolderFacts, MachineFacts } from './machine-facts.ts';

/** What is right and what is wrong on a machine, with a remedy for everything that is wrong. */
export function diagnose(facts: MachineFacts): readonly Finding[] {
  return [
    judgeNode(facts),
    ...facts.folders.map(judgeFolder),
    ...judgeDisk(facts),
    judgeKeychain(facts),
    judgeEngine(facts),
    judgeBrowser(facts),
    judgeGit(facts),
    judgeLoopback(facts),
    ...judgeWatches(facts),
    ...judgeProxies(facts),
    ...diagnoseVault(facts.vault),
  ];
}

/** The launcher starts this program on no Node that is too old for it. */
function judgeNode({ node }: MachineFacts): Finding {
  return { check: 'Node', status: 'ok', message: `${node.version} at ${node.path}` };
}

const folderNames: Readonly<Record<FolderFacts['name'], string>> = {
  state: 'State folder',
  cache: 'Cache folder',
  vault: 'Folder of notes',
};

function judgeFolder({ name, path, status, obstacle = path }: FolderFacts): Finding {
  const check = folderNames[name];
  const place = quote(obstacle);
  switch (status) {
    case 'ok':
      return { check, status: 'ok', message: path };
    case 'absent':
      return { check, status: 'ok', message: `${path} is created when it is first needed.` };
    case 'not-a-folder':
      return {
        check,
        status: 'problem',
        message: `${obstacle} is not a folder.`,
        remedy: `Move that file away: mv ${place} ${quote(`${obstacle}.old`)}`,
      };
    case 'not-writable':
      // A folder above may belong to the system, and must stay its own.
      return obstacle === path
        ? {
            check,
            status: 'problem',
            message: `${path} cannot be written.`,
            remedy: `Make it yours: sudo chown "$(id -un)" ${place} && chmod u+rwx ${place}`,
          }
        : {
            check,
            status: 'problem',
            message: `${path} cannot be created, because ${obstacle} cannot be written.`,
            remedy: `Create it: sudo install -d -m 700 -o "$(id -un)" ${quote(path)}`,
          };
    case 'read-only':
      return {
        check,
        status: 'problem',
        message: `${obstacle} is on a disk that is mounted read-only.`,
        remedy: `Mount it writable${elsewhere[name]}`,
      };
    case 'open-to-others':
      return {
        check,
        status: 'problem',
        message: `Other users of this machine can enter ${path}, which holds approvals and secrets.`,
        remedy: `Close it: chmod 700 ${quote(path)}`,
      };
  }
}

const elsewhere: Readonly<Record<FolderFacts['name'], string>> = {
  state: ', or use another folder: export XDG_STATE_HOME=/path/to/folder',
  cache: ', or use another folder: export XDG_CACHE_HOME=/path/to/folder',
  vault: '',
};

/** A word for a shell. */
function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Logs, the index and jobs need room; below this a note may fail to be written. */
const leastMegabytes = 200;

function judgeDisk({ freeMegabytes }: MachineFacts): readonly Finding[] {
  if (freeMegabytes === undefined) return [];
  const message = `${freeMegabytes} MB free`;
  if (freeMegabytes >= leastMegabytes) return [{ check: 'Disk', status: 'ok', message }];
  const remedy = `Free at least ${leastMegabytes} MB: notes, logs and jobs cannot be written on a full disk.`;
  return [{ check: 'Disk', status: 'problem', message, remedy }];
}

function judgeKeychain({ hasKeychain }: MachineFacts): Finding {
  if (hasKeychain) return { check: 'Keychain', status: 'ok', message: 'The system keeps secrets.' };
  return {
    check: 'Keychain',
    status: 'warning',
    message: 'No keychain answers: secrets go to a file that only you can read.',
    remedy: 'On a desktop, unlock or install one, such as gnome-keyring. On a server, leave it so.',
  };
}

function judgeEngine({ engine, vault }: MachineFacts): Finding {
  const check = 'Containers';
  if (engine.status === 'answers') {
    return { check, status: 'ok', message: `Docker engine ${engine.version} answers.` };
  }
  const users = vault.servers.filter(({ deploymentType }) => deploymentType === 'managed');
  if (users.length === 0) {
    const message = 'No Docker engine answers; no server of this vault needs one.';
    return { check, status: 'ok', message };
  }
  return {
    check,
    status: 'problem',
    message: `${users.map(({ name }) => name).join(', ')} cannot start: ${engine.reason}`,
    remedy: 'Start Docker or Podman, or name its address: DOCKER_HOST=unix:///path/to/docker.sock',
  };
}

function judgeBrowser({ hasBrowser }: MachineFacts): Finding {
  const check = 'Browser';
  return hasBrowser
    ? { check, status: 'ok', message: 'Pages and logins open by themselves.' }
    : { check, status: 'ok', message: 'There is no desktop here: links are printed.' };
}

function judgeGit({ git }: MachineFacts): Finding {
  if (git !== undefined) return { check: 'git', status: 'ok', message: git };
  return {
    check: 'git',
    status: 'warning',
    message: 'git is not found: hooks on commits and git actions do not work.',
    remedy: 'Install git, or leave it if no hook needs it.',
  };
}

function judgeLoopback({ loopback, isUsualPortTaken }: MachineFacts): Finding {
  const check = 'Ports';
  if (loopback === undefined) {
    const usual = isUsualPortTaken
      ? ` A program uses port ${usualPort}, so errand serve takes another one; --port names one that stays.`
      : '';
    return { check, status: 'ok', message: `This machine can be listened on.${usual}` };
  }
  return {
    check,
    status: 'problem',
    message: `No port of 127.0.0.1 can be opened: ${loopback}`,
    remedy: 'Let programs listen on 127.0.0.1: check the sandbox or firewall that errand runs in.',
  };
}

/** Below this, a vault of some thousand folders cannot be watched. */
const leastWatches = 8_192;

function judgeWatches({ watches }: MachineFacts): readonly Finding[] {
  if (watches === undefined) return [];
  const message = `${watches} files and folders can be watched.`;
  if (watches >= leastWatches) return [{ check: 'Watching', status: 'ok', message }];
  const remedy = 'Allow more: sudo sysctl fs.inotify.max_user_watches=524288';
  return [{ check: 'Watching', status: 'warning', message, remedy }];
}

function judgeProxies({ badProxies }: MachineFacts): readonly Finding[] {
  return badProxies.map((name) => ({
    check: 'Proxy',
    status: 'problem',
    message: `The value of ${name} is not an address.`,
    remedy: `Write it as http://host:port, or clear it: unset ${name}`,
  }));
}
