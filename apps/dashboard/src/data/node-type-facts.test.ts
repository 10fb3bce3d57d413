import { expect, test } from '@jest/globals';
import { identifierOf, latestVersion, outputLabels, versionsOf } from './node-type-facts.ts';

test('versions are listed newest first', () => {
  expect(versionsOf({ version: [1, 2, 1.1] })).toEqual([2, 1.1, 1]);
  expect(latestVersion({ version: [1, 2, 1.1] })).toBe(2);
  expect(versionsOf({ version: 3 })).toEqual([3]);
});

test('a type is known by the names that public workflows use', () => {
  expect(identifierOf('n8n-nodes-base.httpRequest')).toBe('base.http-request');
  expect(identifierOf('@n8n/n8n-nodes-langchain.lmChatOpenAi')).toBe('ai.lm-chat-open-ai');
  expect(identifierOf('n8n-nodes-base.gmailTool')).toBe('base.gmailTool');
  expect(outputLabels('n8n-nodes-base.if')).toEqual(['true', 'false']);
  expect(outputLabels('base.if')).toEqual(['true', 'false']);
  expect(outputLabels('acme.rocket')).toEqual([]);
});
