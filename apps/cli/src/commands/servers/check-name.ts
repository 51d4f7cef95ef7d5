import { findNameMistake, HostError, type ServerConfig, suggestServerName } from '@errand/host';

/** Refuses a name that a new or renamed server cannot have, and says what to do instead. */
export function checkName(name: string, others: readonly ServerConfig[]): void {
  const mistake = findNameMistake(name);
  if (mistake !== undefined)
    throw new HostError('settings_invalid', `${mistake} Nothing was saved.`);
  const taken = others.find((other) => other.name.toLowerCase() === name.toLowerCase());
  if (taken === undefined) return;
  const free = suggestServerName(
    name,
    others.map((other) => other.name),
  );
  throw new HostError(
    'settings_invalid',
    `There is a server "${taken.name}" already. Change it with: errand servers edit ${taken.name}. Or take another name, such as "${free}". Nothing was saved.`,
    { server: taken.name },
  );
}
