import { expect, test } from '@jest/globals';
import { checkParameters, type JsonObject } from '@sluice/node-sdk';
import { fakeContext } from '@sluice/nodes-base/testing';
import { chatTrigger } from './chat-trigger.ts';
import { chatTriggerSpecs } from './chat-trigger-spec.ts';

function pageOf(parameters: JsonObject) {
  const { node, parameter } = fakeContext({ parameters: { public: true, mode: 'hostedChat', ...parameters } });
  const source = { node: { ...node, webhookId: 'hook' }, typeVersion: 1.3, parameter };
  const specs = chatTriggerSpecs({ ...source, workflow: { id: 'w', name: 'W', settings: {} } });
  return specs.flatMap(({ page }) => page ?? [])[0];
}

test('the page greets with each line', () => {
  expect(pageOf({ initialMessages: 'a\n\nb' })).toMatchObject({ greetings: ['a', 'b'] });
});

test.each<[JsonObject, string | undefined]>([
  [{}, undefined],
  [{ showWelcomeScreen: false, getStarted: 'Go' }, undefined],
  [{ showWelcomeScreen: true }, 'New Conversation'],
  [{ showWelcomeScreen: true, getStarted: 'Go' }, 'Go'],
])('with %j, the button of the welcome screen is %j', (options, start) => {
  expect(pageOf({ options })?.start).toBe(start);
});

test.each<[string, JsonObject, RegExp]>([
  ['millions of greetings', { initialMessages: 'a\n'.repeat(5_000_000) }, /may start with at most 1000 messages/],
  ['a long title', { options: { title: '"'.repeat(1_000_000) } }, /a page may have 300000 characters at most/],
])('a chat with %s is refused, because its page would block the API', (_, parameters, message) => {
  expect(() => pageOf(parameters)).toThrow(message);
});

test('the parameters of an agent in a chat hub are accepted', () => {
  const agentIcon = { type: 'icon', value: 'messages-square' };
  const parameters = { availableInChat: true, agentIcon, agentName: 'Nathan', agentDescription: 'Helps' };
  expect(checkParameters(chatTrigger, parameters, 1.4)).toEqual([]);
});
