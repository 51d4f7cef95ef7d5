import type { FolderFacts, MachineFacts, ServerFacts, VaultFacts } from './machine-facts.ts';

/** One line of what the doctor says. */
export interface Finding {
  readonly check: string;
  /** A warning is about something that only some people need. */
  readonly status: 'ok' | 'warning' | 'problem';
  readonly message: string;
  /** What to do about it; there whenever something is. */
  readonly remedy?: string;
}

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
    ...judgeVault(facts.vault),
  ];
}

function judgeNode({ node }: MachineFacts): Finding {
  const major = Number(/^v(\d+)\./.exec(node.version)?.[1] ?? 0);
  const message = `${node.version} at ${node.path}`;
  if (major >= 22) return { check: 'Node', status: 'ok', message };
  const remedy = 'Install Node 22 or later, or name one: ERRAND_NODE=/path/to/node';
  return { check: 'Node', status: 'problem', message: `${message} is too old.`, remedy };
}

const folderNames: Readonly<Record<FolderFacts['name'], string>> = {
  state: 'State folder',
  cache: 'Cache folder',
  vault: 'Folder of notes',
};

function judgeFolder({ name, path, status }: FolderFacts): Finding {
  const check = folderNames[name];
  switch (status) {
    case 'ok':
      return { check, status: 'ok', message: path };
    case 'absent':
      return { check, status: 'ok', message: `${path} is made when it is first needed.` };
    case 'not-a-folder':
      return {
        check,
        status: 'problem',
        message: `${path} is not a folder.`,
        remedy: `Move that file away: mv '${path}' '${path}.old'`,
      };
    case 'not-writable':
      return {
        check,
        status: 'problem',
        message: `${path} cannot be written.`,
        remedy: `Make it yours: sudo chown -R "$(id -un)" '${path}' && chmod -R u+rwX '${path}'`,
      };
    case 'open-to-others':
      return {
        check,
        status: 'problem',
        message: `Other users of this machine can enter ${path}, which holds approvals and secrets.`,
        remedy: `Close it: chmod 700 '${path}'`,
      };
  }
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

function judgeLoopback({ loopback }: MachineFacts): Finding {
  const check = 'Ports';
  if (loopback === undefined) {
    return { check, status: 'ok', message: 'This machine can be listened on.' };
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

function judgeVault(vault: VaultFacts): readonly Finding[] {
  if (!vault.isVault) {
    const message = `${vault.folder} is not a vault yet.`;
    return [{ check: 'Vault', status: 'warning', message, remedy: 'Make it one: errand init' }];
  }
  return [
    { check: 'Vault', status: 'ok', message: vault.folder },
    judgeOwner(vault),
    ...vault.problems.map(
      ({ level, message }): Finding => ({
        check: 'Settings',
        status: level === 'error' ? 'problem' : 'warning',
        message,
        remedy: `Correct it in ${vault.settings}; docs/settings.md has every key.`,
      }),
    ),
    ...vault.missingSecrets.map(
      (name): Finding => ({
        check: 'Secret',
        status: 'problem',
        message: `"${name}" is named in the settings and has no value here.`,
        remedy: `Set it: errand secrets set ${name}`,
      }),
    ),
    ...vault.servers.map(judgeServer),
  ];
}

function judgeOwner({ owner, ownedBy = 'another program' }: VaultFacts): Finding {
  const check = 'Owner';
  switch (owner) {
    case 'nobody':
      return {
        check,
        status: 'ok',
        message: 'No program keeps the servers of this vault running.',
      };
    case 'answered':
      return { check, status: 'ok', message: `${ownedBy} runs its servers.` };
    case 'silent':
      return {
        check,
        status: 'problem',
        message: `${ownedBy} owns this vault and does not answer.`,
        remedy: 'Wait a minute, then end that process and start it again.',
      };
    case 'unreachable':
      return {
        check,
        status: 'problem',
        message: ownedBy,
        remedy: 'Make that folder yours, or end the program that uses it, and try again.',
      };
    case 'other-version':
      return {
        check,
        status: 'problem',
        message: `${ownedBy} owns this vault, and this version does not understand it.`,
        remedy: 'Update the older one of both, and start both again.',
      };
  }
}

function judgeServer({ name, deploymentType, command, ...places }: ServerFacts): Finding {
  const check = `Server ${name}`;
  if (deploymentType !== 'local' || command === undefined) {
    return { check, status: 'ok', message: deploymentType === 'managed' ? 'a container' : 'a URL' };
  }
  if (places.inTerminal === undefined) {
    return {
      check,
      status: 'problem',
      message: `The program "${command}" is not found.`,
      remedy: `Install it, or name its whole path: errand servers edit ${name} -- /path/to/${command}`,
    };
  }
  if (places.onDesktop === undefined) {
    return {
      check,
      status: 'warning',
      message: `"${command}" is found here, but not by programs that the desktop starts, such as Obsidian.`,
      remedy: `Name its whole path: errand servers edit ${name} -- ${places.inTerminal}`,
    };
  }
  return { check, status: 'ok', message: places.inTerminal };
}
