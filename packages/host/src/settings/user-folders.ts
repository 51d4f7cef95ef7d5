import { joinPath, type Platform } from './platform.ts';

/** The folders for data of the user that belongs to no vault. */
export interface UserFolders {
  /** Trust, secrets where there is no keychain, records of started processes. */
  readonly state: string;
  /** Caches. */
  readonly cache: string;
  /** Configuration for all vaults. */
  readonly config: string;
}

/** The user's folders by the custom of the platform. */
export function userFolders({ os, home, env }: Platform): UserFolders {
  if (os === 'win32') {
    const local = env.LOCALAPPDATA || joinPath(os, home, 'AppData', 'Local');
    const roaming = env.APPDATA || joinPath(os, home, 'AppData', 'Roaming');
    return {
      state: joinPath(os, local, 'errand', 'state'),
      cache: joinPath(os, local, 'errand', 'cache'),
      config: joinPath(os, roaming, 'errand'),
    };
  }
  if (os === 'darwin') {
    return {
      state: joinPath(os, home, 'Library', 'Application Support', 'errand', 'state'),
      cache: joinPath(os, home, 'Library', 'Caches', 'errand'),
      config: joinPath(os, home, 'Library', 'Application Support', 'errand'),
    };
  }
  // The specification of these variables says that a relative path is to be ignored.
  const given = (path: string | undefined) => (path?.startsWith('/') ? path : undefined);
  return {
    state: joinPath(
      os,
      given(env.XDG_STATE_HOME) ?? joinPath(os, home, '.local', 'state'),
      'errand',
    ),
    cache: joinPath(os, given(env.XDG_CACHE_HOME) ?? joinPath(os, home, '.cache'), 'errand'),
    config: joinPath(os, given(env.XDG_CONFIG_HOME) ?? joinPath(os, home, '.config'), 'errand'),
  };
}
