import type { Finding } from './finding.ts';
import type { ServerFacts, VaultFacts } from './machine-facts.ts';

/** What is right and what is wrong in a vault. */
export function diagnoseVault(vault: VaultFacts): readonly Finding[] {
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
        remedy: `Correct it in ${vault.settings}.`,
      }),
    ),
    ...(vault.secretProblem === undefined ? [] : [judgeSecrets(vault.secretProblem)]),
    ...vault.missingSecrets.map(
      (name): Finding => ({
        check: 'Secret',
        status: 'problem',
        message: `"${name}" is named in the settings and has no value here.`,
        remedy: `Set it: errand secrets set ${name}`,
      }),
    ),
    ...vault.hookProblems.map(
      ({ message, line }): Finding => ({
        check: 'Hooks',
        status: 'problem',
        message: line === undefined ? message : `line ${line}: ${message}`,
        remedy:
          'Correct it in .errand/hooks.json; errand hooks add --help shows what a hook can have.',
      }),
    ),
    ...vault.servers.map((server) => judgeServer(server, vault.settings)),
  ];
}

function judgeSecrets(message: string): Finding {
  const remedy = 'Do what that says; then this shows your secrets: errand secrets list';
  return { check: 'Secret', status: 'problem', message, remedy };
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

function judgeServer(
  { name, deploymentType, command, ...places }: ServerFacts,
  settings: string,
): Finding {
  const check = `Server ${name}`;
  if (deploymentType !== 'local' || command === undefined) {
    return { check, status: 'ok', message: deploymentType === 'managed' ? 'a container' : 'a URL' };
  }
  const { inTerminal, onDesktop = inTerminal } = places;
  if (onDesktop === undefined) {
    return {
      check,
      status: 'problem',
      message: `The program "${command}" is not found.`,
      remedy: `Install it, or ${pathRemedy(name, `/path/to/${command}`, places, settings)}`,
    };
  }
  if (places.lacksSandbox) {
    return {
      check,
      status: 'problem',
      message: 'It is to run in a sandbox, and bwrap is not found.',
      remedy: 'Install bubblewrap, for example: sudo apt install bubblewrap',
    };
  }
  if (places.onDesktop === undefined) {
    return {
      check,
      status: 'warning',
      message: `"${command}" is found here, but not by programs that the desktop starts, such as Obsidian.`,
      remedy: capitalize(pathRemedy(name, onDesktop, places, settings)),
    };
  }
  return { check, status: 'ok', message: inTerminal ?? onDesktop };
}

/** A command replaces the arguments too, and those may hold what must not be shown. */
function pathRemedy(
  name: string,
  path: string,
  { hasArguments }: Pick<ServerFacts, 'hasArguments'>,
  settings: string,
): string {
  return hasArguments
    ? `write its whole path, ${path}, as "command" of "${name}" in ${settings}, then run: errand trust ${name}`
    : `name its whole path: errand servers edit ${name} -- ${path}`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
