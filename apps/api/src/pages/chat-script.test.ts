import { setImmediate as nextTurn } from 'node:timers/promises';
import { createContext, runInContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { chatScript } from './chat-script.ts';

/** The parts of an element that the script uses. */
class FakeElement {
  className = '';
  textContent = '';
  value = '';
  disabled = false;
  hidden = false;
  readonly dataset = { loadsSession: 'no' };
  readonly children: FakeElement[] = [];
  readonly listeners: Record<string, (event: { preventDefault(): void }) => Promise<void>> = {};

  append(child: FakeElement): void {
    this.children.push(child);
  }

  addEventListener(name: string, listener: (event: { preventDefault(): void }) => Promise<void>): void {
    this.listeners[name] = listener;
  }

  querySelector(): FakeElement {
    return this;
  }

  scrollIntoView(): void {}
  focus(): void {}
  reset(): void {}
}

/** Runs the script with these responses. Resolves to its requests and the lines that it shows. */
async function chatOf(texts: readonly string[], responses: Response[], more: Record<string, FakeElement> = {}) {
  const requests: [to: string, text: string][] = [];
  const elements: Record<string, FakeElement> = {
    chat: new FakeElement(),
    log: new FakeElement(),
    message: new FakeElement(),
    ...more,
  };
  const fetch = async (to: string, { body }: { body: string }) => {
    requests.push([to, (JSON.parse(body) as { chatInput: string }).chatInput]);
    return responses.shift();
  };
  const document = { getElementById: (id: string) => elements[id], createElement: () => new FakeElement() };
  const localStorage = { getItem: () => 's1' };
  const location = new URL('https://sluice.example/webhook/x/chat');
  const globals = { document, fetch, localStorage, location, crypto, URL, Uint8Array, TextDecoderStream };
  runInContext(chatScript, createContext(globals));
  for (const text of texts) {
    if (elements['message']) elements['message'].value = text;
    await elements['chat']?.listeners['submit']?.({ preventDefault: () => {} });
  }
  return { requests, lines: elements['log']?.children.map(({ className, textContent }) => `${className}: ${textContent}`) };
}

const chunk = (type: string, content?: string, metadata = {}) => `${JSON.stringify({ type, content, metadata })}\n`;
const reply = (text: string, metadata = {}) => chunk('begin') + chunk('item', text) + chunk('end', undefined, metadata);
const address = 'https://sluice.example/webhook/x/chat';
const waiting = (id: number) => ({ resumeUrl: `https://sluice.example/webhook-waiting/${id}/t` });

test('each message of a stream is shown as a line, and a reply goes to the execution that waits for it', async () => {
  const { requests, lines } = await chatOf(
    ['shoes', '42', 'bye'],
    [
      new Response(reply('One moment') + reply('Which size?', waiting(1))),
      new Response(reply('Size 42')),
      new Response('{"output":"Bye"}'),
    ],
  );
  expect(requests).toEqual([
    [address, 'shoes'],
    ['/webhook-waiting/1/t', '42'],
    [address, 'bye'],
  ]);
  expect(lines).toEqual([
    'user: shoes',
    'bot: One moment',
    'bot: Which size?',
    'user: 42',
    'bot: Size 42',
    'user: bye',
    'bot: Bye',
  ]);
});

test.each([404, 409])('a reply that no execution waits for (%d) starts a new execution', async (status) => {
  const { requests, lines } = await chatOf(
    ['shoes', '42'],
    [
      new Response(JSON.stringify({ output: 'Which size?', ...waiting(1) })),
      new Response('', { status }),
      new Response(reply('Hello')),
    ],
  );
  expect(requests.map(([to]) => to)).toEqual([address, '/webhook-waiting/1/t', address]);
  expect(lines?.at(-1)).toBe('bot: Hello');
});

test('a failed workflow is shown as an error, not as a response', async () => {
  const { lines } = await chatOf(['shoes'], [new Response('', { status: 500 })]);
  expect(lines).toEqual(['user: shoes', 'error: There is no answer: status 500']);
});

function welcomeScreen() {
  const [start, conversation, log] = [new FakeElement(), new FakeElement(), new FakeElement()];
  conversation.hidden = true;
  return { start, conversation, log };
}

test('the button of the welcome screen opens the chat', async () => {
  const screen = welcomeScreen();
  await chatOf([], [], screen);
  expect(screen.conversation.hidden).toBe(true);
  await screen.start.listeners['click']?.({ preventDefault: () => {} });
  expect([screen.conversation.hidden, screen.start.hidden]).toEqual([false, true]);
});

test.each([
  [[{ id: ['HumanMessage'], kwargs: { content: 'hi' } }], false],
  [[], true],
])('with the earlier messages %j, the chat stays hidden: %j', async (data, hidden) => {
  const screen = welcomeScreen();
  screen.log.dataset.loadsSession = 'yes';
  await chatOf([], [Response.json({ data })], screen);
  await nextTurn();
  expect(screen.conversation.hidden).toBe(hidden);
  expect(screen.log.children.map(({ textContent }) => textContent)).toEqual(hidden ? [] : ['hi']);
});
