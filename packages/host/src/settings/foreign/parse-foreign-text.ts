import { type ParseError, parse } from 'jsonc-parser';
import { parse as parseToml, TomlError } from 'smol-toml';
import { HostError } from '../../host-error.ts';
import { explainSyntax, positionAt, withinStack, withoutByteOrderMark } from '../parse-json.ts';

/**
 * The value of a file that is JSON, JSON with comments and trailing commas, TOML, or the inside of a
 * JSON object as manuals print it. Throws `settings_invalid` with line and column.
 */
export function parseForeignText(text: string, file: string): unknown {
  return withinStack(file, () => parseAny(withoutByteOrderMark(text), file));
}

function parseAny(source: string, file: string): unknown {
  const json = parseJsonc(source);
  if (json.error === undefined) return json.value;
  const inside = parseJsonc(`{${source}}`);
  if (inside.error === undefined) return inside.value;
  if (looksLikeToml(source)) return parseTomlText(source, file);
  const { line, column } = positionAt(source, json.error.offset);
  throw invalid(file, line, column, explainSyntax(json.error));
}

function parseJsonc(source: string): { readonly value: unknown; readonly error?: ParseError } {
  const errors: ParseError[] = [];
  const value: unknown = parse(source, errors, { allowTrailingComma: true });
  const [error] = errors;
  return error === undefined ? { value } : { value, error };
}

function looksLikeToml(source: string): boolean {
  return /^\s*(#|\[|[\w."'-]+\s*=)/.test(source);
}

function parseTomlText(source: string, file: string): unknown {
  try {
    return parseToml(source);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The rest of the message quotes the file, which may hold a secret.
    const [summary = ''] = error.message.split('\n');
    throw invalid(file, error.line, error.column, `${summary}.`);
  }
}

function invalid(file: string, line: number, column: number, mistake: string): HostError {
  const message = `${file}, line ${line}, column ${column}: ${mistake}`;
  return new HostError('settings_invalid', message, { line, column });
}
