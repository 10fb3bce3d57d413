import { afterAll, expect, test } from '@jest/globals';
import { type JsonObject, randomId, type WorkflowNode } from '@sluice/domain';
import { aNode } from '@sluice/test-support';
import { aSet, startWebhookFleet } from './support/webhook-fleet.ts';

const fleet = await startWebhookFleet();
afterAll(() => fleet.close());

const echo = aSet('Echo', '={{ { output: $json.sessionId + ": " + $json.chatInput } }}');

async function aChat(parameters: JsonObject = {}, nodes: WorkflowNode[] = [echo], more: Partial<WorkflowNode> = {}) {
  const webhookId = randomId();
  const type = '@n8n/n8n-nodes-langchain.chatTrigger';
  await fleet.activate({ public: true, ...parameters }, nodes, { name: 'Chat', type, typeVersion: 1.3, webhookId, ...more });
  return `${webhookId}/chat`;
}

const message = { action: 'sendMessage', sessionId: 's', chatInput: 'hi' };

test('a hosted chat has a page with a content security policy and responds to messages', async () => {
  const path = await aChat({ initialMessages: '<b>Hello</b>\nAsk me', options: { title: '<Support>' } });
  const page = await fleet.call(path);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*script-src 'nonce-/);
  const text = await page.text();
  for (const part of ['&lt;Support&gt;', '&lt;b&gt;Hello&lt;/b&gt;', 'Ask me']) expect(text).toContain(part);
  for (let round = 0; round < 2; round += 1) expect((await fleet.call(path)).status).toBe(200);
  const answer = await fleet.post(path, message);
  expect([answer.status, await answer.json()]).toEqual([200, { output: 's: hi' }]);
});

test('an embedded chat has no page and responds only to pages of its origins', async () => {
  const path = await aChat({ mode: 'webhook', options: { allowedOrigins: 'https://a.example' } });
  expect((await fleet.call(path)).status).toBe(405);
  const from = async (origin: string) =>
    (await fleet.post(path, message, { origin })).headers.get('access-control-allow-origin');
  expect(await from('https://a.example')).toBe('https://a.example');
  expect(await from('https://b.example')).not.toBe('https://b.example');
});

test('files in a message are accepted only if the chat allows them', async () => {
  const count = aSet('Count', '={{ { files: Object.keys($binary ?? {}).length, chatInput: $json.chatInput } }}');
  const send = async (options: JsonObject) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(message)) body.append(name, value);
    body.append('files', new File(['x'], 'a.txt'));
    return (await fleet.call(await aChat({ options }, [count]), { method: 'POST', body })).json();
  };
  expect(await send({ allowFileUploads: true })).toEqual({ files: 1, chatInput: 'hi' });
  expect(await send({})).toEqual({ files: 0, chatInput: 'hi' });
});

test('the page and messages require the password', async () => {
  const { body } = await fleet.api.call('POST', '/credentials', {
    body: { name: 'chat', type: 'httpBasicAuth', data: { user: 'ada', password: 'secret' } },
  });
  const credentials = { httpBasicAuth: { id: String(body.id), name: 'chat' } };
  const path = await aChat({ authentication: 'basicAuth' }, [echo], { credentials });
  const authorization = `Basic ${Buffer.from('ada:secret').toString('base64')}`;
  expect([(await fleet.call(path)).status, (await fleet.post(path, message)).status]).toEqual([401, 401]);
  expect((await fleet.call(path, { headers: { authorization } })).status).toBe(200);
  expect((await fleet.post(path, message, { authorization })).status).toBe(200);
});

test('several nodes can respond to a message, and a reply resumes the execution', async () => {
  const say = (name: string, message: string, waitUserReply: boolean) =>
    aNode({ name, type: '@n8n/n8n-nodes-langchain.chat', typeVersion: 1, parameters: { message, waitUserReply } });
  const nodes = [
    say('First', 'One moment', false),
    say('Ask', 'Which size?', true),
    say('Last', '=Size {{ $json.chatInput }}', false),
  ];
  const path = await aChat({ options: { responseMode: 'responseNodes' } }, nodes);
  const linesOf = async (response: Response) =>
    (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; content?: string; metadata: { resumeUrl?: string } });
  const lines = await linesOf(await fleet.post(path, message));
  expect(lines.flatMap(({ content = [] }) => content)).toEqual(['One moment', 'Which size?']);
  const url = new URL(lines.at(-1)?.metadata.resumeUrl ?? '');
  const reply = await fetch(new URL(url.pathname, fleet.otherUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...message, chatInput: '42' }),
  });
  expect(reply.status).toBe(200);
  expect((await linesOf(reply)).flatMap(({ content = [] }) => content)).toEqual(['Size 42']);
});

test('earlier messages are loaded only if the chat is configured to do so', async () => {
  const request = { action: 'loadPreviousSession', sessionId: 's' };
  const off = await fleet.post(await aChat(), request);
  expect([off.status, await off.json()]).toEqual([200, { data: [] }]);
  const own = aSet('Own', '={{ { data: [$json.action] } }}');
  const manual = await fleet.post(await aChat({ options: { loadPreviousSession: 'manually' } }, [own]), request);
  expect(await manual.json()).toEqual({ data: ['loadPreviousSession'] });
});

test('earlier messages come from the memory of the workflow', async () => {
  const webhookId = randomId();
  const nodes = [
    aNode({
      name: 'Chat',
      type: 'ai.chat-trigger',
      typeVersion: 1.3,
      webhookId,
      parameters: { public: true, options: { loadPreviousSession: 'memory' } },
    }),
    aNode({
      name: 'Manager',
      type: 'ai.memory-manager',
      typeVersion: 1.1,
      parameters: {
        mode: 'insert',
        messages: {
          messageValues: [
            { type: 'user', message: '={{ $json.chatInput }}' },
            { type: 'ai', message: 'Yes' },
          ],
        },
      },
    }),
    aNode({ name: 'Memory', type: 'ai.memory-buffer-window', typeVersion: 1.3, parameters: {} }),
  ];
  const to = (node: string, type: string) => ({ node, type, index: 0 });
  const connections = {
    Chat: { main: [[to('Manager', 'main')]] },
    Memory: { ai_memory: [[to('Chat', 'ai_memory'), to('Manager', 'ai_memory')]] },
  };
  const { body } = await fleet.api.call('POST', '/workflows', { body: { name: 'chat', nodes, connections, settings: {} } });
  expect((await fleet.api.call('POST', `/workflows/${body.id}/activate`)).status).toBe(200);
  const path = `${webhookId}/chat`;
  expect((await fleet.post(path, message)).status).toBe(200);
  const loaded = await fleet.post(path, { action: 'loadPreviousSession', sessionId: 's' });
  const { data } = (await loaded.json()) as { data: { id: string[]; kwargs: { content: string } }[] };
  expect(data.map(({ id, kwargs }) => [id.at(-1), kwargs.content])).toEqual([
    ['HumanMessage', 'hi'],
    ['AIMessage', 'Yes'],
  ]);
});
