import { expect, test } from '@jest/globals';
import { runNode } from '@sluice/nodes-base/testing';
import { manualChatTrigger } from './manual-chat-trigger.ts';

test.each([
  [1, { chatInput: 'hi' }, { chatInput: 'hi', input: 'hi' }],
  [1, { input: 'hi' }, { input: 'hi' }],
  [1, {}, {}],
  [1.1, { chatInput: 'hi', sessionId: 's' }, { chatInput: 'hi', sessionId: 's' }],
])('version %d outputs the message %j as %j', async (typeVersion, json, output) => {
  expect(await runNode(manualChatTrigger, { typeVersion, inputs: [[{ json }]] })).toEqual([[{ json: output }]]);
});
