import type { AssistantConfig } from '../settings.ts';
import { assistantSchema } from './assistant-schema.ts';
import { type Report, reportIssues } from './settings-problem.ts';

/** Reads the list of assistants entry by entry, so that one mistake costs one entry. */
export function readAssistants(raw: unknown, report: Report): readonly AssistantConfig[] {
  if (raw === undefined) return [];
  if (!Array.isArray(raw)) {
    report('error', ['assistants'], 'Write a list of assistants, or [].');
    return [];
  }
  const assistants: AssistantConfig[] = [];
  for (const [index, value] of raw.entries()) {
    const path = ['assistants', index];
    const result = assistantSchema.safeParse(value);
    if (!result.success) {
      reportIssues(result.error, path, report);
      continue;
    }
    const { data } = result;
    if (assistants.some(({ name }) => name.toLowerCase() === data.name.toLowerCase())) {
      report('error', [...path, 'name'], 'Another assistant has this name. Write another one.');
      continue;
    }
    assistants.push(data);
  }
  return assistants;
}
