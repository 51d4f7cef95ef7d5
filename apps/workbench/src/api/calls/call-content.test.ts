import type { ToolExecutionResult } from '@errand/host';
import { expect, test } from 'vitest';
import { callContent } from './call-content.ts';

const result: ToolExecutionResult = {
  content: 'hello',
  contentType: 'text',
  executionDuration: 1,
  raw: { content: [] },
};

test('shows a result, and how its tool asks to be shown', () => {
  const content = { type: 'text', text: 'hello', attachments: [], isCut: false };
  expect(callContent(result)).toEqual(content);
  expect(callContent({ ...result, displayFormat: 'collapsed' })).toEqual({
    ...content,
    displayFormat: 'collapsed',
  });
});
