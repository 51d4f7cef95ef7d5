import { findNameMistake, HostError, type ServerConfig } from '@errand/host';

/** Refuses a name that a new or renamed server cannot have, and says what to do instead. */
export function checkName(name: string, others: readonly ServerConfig[]): void {
  const mistake = findNameMistake(
    name,
    others.map((other) => other.name),
  );
  if (mistake === undefined) return;
  const taken = others.find((other) => other.name.toLowerCase() === name.toLowerCase())?.name;
  const change = taken === undefined ? '' : ` Or change it with: errand servers edit ${taken}.`;
  throw new HostError(
    'settings_invalid',
    `${mistake}${change} Nothing was saved.`,
    taken === undefined ? {} : { server: taken },
  );
}
