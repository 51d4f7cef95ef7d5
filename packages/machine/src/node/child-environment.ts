/** Variables a child may see without being given them: where things are, never a secret. */
const inherited: readonly string[] =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'COMSPEC',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'NUMBER_OF_PROCESSORS',
        'PATHEXT',
        'PROCESSOR_ARCHITECTURE',
        'PROGRAMDATA',
        'PROGRAMFILES',
        'PROGRAMFILES(X86)',
        'PROGRAMW6432',
        'SYSTEMDRIVE',
        'SYSTEMROOT',
        'TEMP',
        'TMP',
        'USERDOMAIN',
        'USERNAME',
        'USERPROFILE',
        'WINDIR',
      ]
    : [
        'HOME',
        'LANG',
        'LC_ALL',
        'LC_CTYPE',
        'LOGNAME',
        'SHELL',
        'TERM',
        'TMPDIR',
        'TZ',
        'USER',
        'XDG_CACHE_HOME',
        'XDG_CONFIG_HOME',
        'XDG_DATA_HOME',
        'XDG_RUNTIME_DIR',
        'XDG_STATE_HOME',
      ];

/**
 * The environment of a child: what it is given, over PATH and the harmless part of ours. On Windows it
 * does not look for programs in the folder it runs in.
 */
export function childEnvironment(
  path: string,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of inherited) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  if (process.platform !== 'win32') return { ...environment, PATH: path, ...given };
  // There the names of variables have no case.
  const { PATH = path, ...others } = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [/^path$/i.test(name) ? 'PATH' : name, value]),
  );
  return { ...environment, NoDefaultCurrentDirectoryInExePath: '1', ...others, PATH };
}
