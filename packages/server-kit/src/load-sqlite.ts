/**
 * Loads Node's own SQLite, without the warning some versions print that it is experimental.
 * Undefined on a Node that has none.
 */
export function loadSqlite(): typeof import('node:sqlite') | undefined {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!String(warning).includes('SQLite is an experimental feature')) {
      emitWarning.call(process, warning, ...rest);
    }
  }) as typeof process.emitWarning;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}
