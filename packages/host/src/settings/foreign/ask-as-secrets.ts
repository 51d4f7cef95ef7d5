import { isRecord } from '@errand/wire';
import type { Advice } from '../../advice.ts';
import type { ForeignTarget } from './foreign-server.ts';

/** Makes a secret of each question that VS Code would ask, and notes how to answer it once. */
export function askAsSecrets(
  inputs: readonly unknown[],
  server: string,
  { takenSecrets = [] }: ForeignTarget,
  note: (text: string, advice: Advice) => void,
): (inputId: string) => string {
  const taken = new Set(takenSecrets);
  return (inputId) => {
    const plain = inputId.replace(/[^\w.-]+/g, '-');
    const secret = taken.has(plain) ? `${server}-${plain}` : plain;
    const input = inputs.find((candidate) => isRecord(candidate) && candidate.id === inputId);
    const question = isRecord(input) ? input.description : undefined;
    const what = typeof question === 'string' ? `"${question}"` : `"${inputId}"`;
    note(`It asks for ${what}, which is the secret "${secret}" here.`, {
      kind: 'set-secret',
      name: secret,
    });
    return secret;
  };
}
