import { expect, test } from '@jest/globals';
import { contextPrompt } from './context-prompt.ts';

test('names in braces are replaced in the template only, not in documents', () => {
  const documents = [{ text: 'Write {question} here, or {context}.', metadata: {} }];
  expect(contextPrompt('why {context}?', documents, '{question}: {context}')).toEqual([
    { role: 'system', content: 'why {context}?: Write {question} here, or {context}.' },
    { role: 'user', content: 'why {context}?' },
  ]);
});
