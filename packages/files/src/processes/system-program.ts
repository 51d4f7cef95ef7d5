import { win32 } from 'node:path';

/** Programs of the system that Errand itself starts. */
type SystemProgram = 'cp' | 'perl' | 'powershell' | 'ps' | 'taskkill';

/**
 * Where a program of the system is. A name alone would be looked up, on Windows in the current folder
 * first, and that may be a stranger's vault.
 */
export function systemProgram(name: SystemProgram, env: NodeJS.ProcessEnv = process.env): string {
  const root = env.SystemRoot ?? '';
  const system = win32.join(win32.isAbsolute(root) ? root : 'C:\\Windows', 'System32');
  switch (name) {
    case 'cp':
      return '/bin/cp';
    case 'perl':
      return '/usr/bin/perl';
    case 'ps':
      return '/bin/ps';
    case 'powershell':
      return win32.join(system, 'WindowsPowerShell', 'v1.0', 'powershell.exe');
    case 'taskkill':
      return win32.join(system, 'taskkill.exe');
  }
}
