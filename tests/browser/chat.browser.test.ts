import { expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { aNode } from '@sluice/test-support';
import { createWorkflow } from '../e2e/support/runs.ts';
import { startDashboard } from './support/dashboard.ts';

const { service, open, inspect } = await startDashboard();

/**
 * Creates a chat whose memory stores each message and whose response repeats it. Resolves to its
 * path.
 */
async function aChat(webhookId: string, options: JsonObject, answer: JsonObject): Promise<string> {
  const messages = [
    { type: 'user', message: '={{ $json.chatInput }}' },
    { type: 'ai', message: '=Noted: {{ $json.chatInput }}' },
  ];
  const parameters = { public: true, initialMessages: 'Hello <b>you</b>', options };
  const to = (node: string, type: string) => ({ node, type, index: 0 });
  const id = await createWorkflow(service, {
    name: `chat ${webhookId}`,
    nodes: [
      aNode({ name: 'Chat', type: 'ai.chat-trigger', typeVersion: 1.3, webhookId, parameters }),
      aNode({
        name: 'Note',
        type: 'ai.memory-manager',
        typeVersion: 1.1,
        parameters: { mode: 'insert', messages: { messageValues: messages } },
      }),
      aNode({ name: 'Memory', type: 'ai.memory-buffer-window', typeVersion: 1.3, parameters: {} }),
      aNode({ name: 'Answer', ...(answer as { type: string }) }),
    ],
    connections: {
      Chat: { main: [[to('Note', 'main')]] },
      Note: { main: [[to('Answer', 'main')]] },
      Memory: { ai_memory: [[to('Chat', 'ai_memory'), to('Note', 'ai_memory')]] },
    },
  });
  const { status } = await service.call('POST', `/workflows/${id}/activate`);
  expect(status).toBe(200);
  return `/webhook/${webhookId}/chat`;
}

const text = '={{ "You said: " + $("Chat").item.json.chatInput }}';
const evil = '<img src=x onerror="document.title=1"> & more';

test('a user writes to a chat, sees the response as text, and finds the messages again', async () => {
  const set = {
    type: 'base.set',
    typeVersion: 3.4,
    parameters: { mode: 'raw', jsonOutput: `={{ { output: ${text.slice(3, -2)} } }}` },
  };
  const path = await aChat('support', { title: 'Support', loadPreviousSession: 'memory' }, set);
  await inspect({
    name: 'chat',
    path,
    signedIn: false,
    ready: (page) => page.getByText('Hello <b>you</b>').waitFor(),
  });
  const page = await open(path, { signedIn: false });
  await page.getByLabel('Message').fill(evil);
  await page.keyboard.press('Enter');
  await page.getByText(`You said: ${evil}`).waitFor();
  expect(await page.title()).toBe('Support');
  await page.reload();
  await page.getByText(`Noted: ${evil}`).waitFor();
  expect(await page.locator('#log .user').allTextContents()).toEqual([evil]);
});

test('a streamed response and a failure are shown', async () => {
  const parameters = { respondWith: 'text', responseBody: text };
  const path = await aChat(
    'stream',
    { responseMode: 'streaming' },
    { type: 'base.respond-to-webhook', typeVersion: 1.5, parameters },
  );
  const page = await open(path, { signedIn: false });
  await page.getByLabel('Message').fill('one');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('You said: one').waitFor();
  // Waits for the end of the response: until then, the form sends nothing.
  await page.locator('button:enabled', { hasText: 'Send' }).waitFor();
  await page.route('**/chat', (route) => route.fulfill({ status: 500 }));
  await page.getByLabel('Message').fill('two');
  await page.keyboard.press('Enter');
  await page.getByText('There is no answer: status 500').waitFor();
});

test('a welcome screen is shown before the messages', async () => {
  const parameters = { respondWith: 'text', responseBody: text };
  const path = await aChat(
    'welcome',
    { responseMode: 'responseNode', showWelcomeScreen: true, getStarted: 'Let’s go' },
    { type: 'base.respond-to-webhook', typeVersion: 1.5, parameters },
  );
  const page = await open(path, { signedIn: false });
  const start = page.getByRole('button', { name: 'Let’s go' });
  await start.waitFor();
  expect(await page.getByLabel('Message').isVisible()).toBe(false);
  await start.click();
  await page.getByText('Hello <b>you</b>').waitFor();
  expect(await start.isVisible()).toBe(false);
  await page.keyboard.type('one');
  await page.keyboard.press('Enter');
  await page.getByText('You said: one').waitFor();
});
