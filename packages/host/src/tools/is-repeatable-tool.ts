import type { ToolDescription } from '../connection.ts';

/** Whether a tool declares that a second call with the same parameters changes nothing more. */
export function isRepeatableTool(tool: Pick<ToolDescription, 'annotations'> | undefined): boolean {
  const { readOnlyHint, idempotentHint } = tool?.annotations ?? {};
  return readOnlyHint === true || idempotentHint === true;
}
