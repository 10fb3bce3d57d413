import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './telegram.example.ts';
import { telegram } from './telegram.ts';
import { telegramServer, token } from './testing/telegram-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await telegramServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  http: server.http,
  credentials: { telegramApi: { accessToken: token, baseUrl: server.origin } },
  ...more,
});
const route = (name: string) => `POST /bot${token}/${name}`;
const sent = () =>
  server.received.map(({ url, body }) => [url.split('/').at(-1), JSON.parse(body.toString() || 'null')] as [string, JsonValue]);

const buttons = [{ text: 'Yes', additionalFields: { callback_data: 'y', url: '' } }];
const keyboard = { rows: [{ row: { buttons } }] };

test.each<[JsonObject, string, JsonObject]>([
  [{ text: 'Hi' }, 'sendMessage', { text: 'Hi', parse_mode: 'Markdown' }],
  [
    { text: 'Hi', additionalFields: { parse_mode: 'HTML', reply_to_message_id: 3 } },
    'sendMessage',
    { text: 'Hi', parse_mode: 'HTML', reply_to_message_id: 3 },
  ],
  [
    { text: 'Hi', additionalFields: { disable_web_page_preview: false } },
    'sendMessage',
    { text: 'Hi', parse_mode: 'Markdown', disable_web_page_preview: false },
  ],
  [
    { text: 'Hi', additionalFields: { appendAttribution: true } },
    'sendMessage',
    { text: 'Hi\n\nThis message was sent automatically with Sluice', parse_mode: 'Markdown' },
  ],
  [
    { text: 'Hi', replyMarkup: 'inlineKeyboard', inlineKeyboard: keyboard },
    'sendMessage',
    { text: 'Hi', parse_mode: 'Markdown', reply_markup: { inline_keyboard: [[{ text: 'Yes', callback_data: 'y' }]] } },
  ],
  [
    { text: 'Hi', replyMarkup: 'replyKeyboard', replyKeyboard: keyboard, replyKeyboardOptions: { one_time_keyboard: true } },
    'sendMessage',
    {
      text: 'Hi',
      parse_mode: 'Markdown',
      reply_markup: { keyboard: [[{ text: 'Yes', callback_data: 'y' }]], one_time_keyboard: true },
    },
  ],
  [
    { text: 'Hi', replyMarkup: 'forceReply', forceReply: { force_reply: true } },
    'sendMessage',
    { text: 'Hi', parse_mode: 'Markdown', reply_markup: { force_reply: true } },
  ],
  [
    { text: 'Hi', replyMarkup: 'replyKeyboardRemove', replyKeyboardRemove: { remove_keyboard: true } },
    'sendMessage',
    { text: 'Hi', parse_mode: 'Markdown', reply_markup: { remove_keyboard: true } },
  ],
  [{ operation: 'editMessageText', messageId: 7, text: 'New' }, 'editMessageText', { message_id: '7', text: 'New' }],
  [{ operation: 'deleteMessage', messageId: '7' }, 'deleteMessage', { message_id: '7' }],
  [
    { operation: 'pinChatMessage', messageId: '7', additionalFields: { disable_notification: true } },
    'pinChatMessage',
    { message_id: '7', disable_notification: true },
  ],
  [{ operation: 'unpinChatMessage', messageId: '7' }, 'unpinChatMessage', { message_id: '7' }],
  [
    { operation: 'sendPhoto', file: 'https://a.example/p.png', additionalFields: { caption: 'A' } },
    'sendPhoto',
    { photo: 'https://a.example/p.png', caption: 'A' },
  ],
  [{ operation: 'sendDocument', file: 'd' }, 'sendDocument', { document: 'd' }],
  [{ operation: 'sendAudio', file: 'a', additionalFields: { performer: 'P' } }, 'sendAudio', { audio: 'a', performer: 'P' }],
  [{ operation: 'sendVideo', file: 'v', additionalFields: { width: 4 } }, 'sendVideo', { video: 'v', width: 4 }],
  [{ operation: 'sendAnimation', file: 'a' }, 'sendAnimation', { animation: 'a' }],
  [{ operation: 'sendSticker', file: 's' }, 'sendSticker', { sticker: 's' }],
  [{ operation: 'sendLocation', latitude: 1.5, longitude: -2 }, 'sendLocation', { latitude: 1.5, longitude: -2 }],
  [
    {
      operation: 'sendMediaGroup',
      media: {
        media: [
          { type: 'photo', media: 'a' },
          { type: 'video', media: 'b', additionalFields: { caption: 'B' } },
        ],
      },
    },
    'sendMediaGroup',
    {
      media: [
        { type: 'photo', media: 'a' },
        { type: 'video', media: 'b', caption: 'B' },
      ],
    },
  ],
  [{ operation: 'sendChatAction', action: 'upload_photo' }, 'sendChatAction', { action: 'upload_photo' }],
  [{ resource: 'chat' }, 'getChat', {}],
  [{ resource: 'chat', operation: 'leave' }, 'leaveChat', {}],
  [{ resource: 'chat', operation: 'member', userId: 9 }, 'getChatMember', { user_id: '9' }],
  [{ resource: 'chat', operation: 'setDescription', description: 'D' }, 'setChatDescription', { description: 'D' }],
  [{ resource: 'chat', operation: 'setTitle', title: 'T' }, 'setChatTitle', { title: 'T' }],
])('%j calls %s', async (parameters, method, expected) => {
  const [json] = await runForJson(telegram, runOf({ chatId: 5, ...parameters }));
  expect(json).toMatchObject({ ok: true });
  const defaults = method === 'sendMessage' && { disable_web_page_preview: true };
  expect(sent()).toEqual([[method, { chat_id: '5', ...defaults, ...expected }]]);
});

test.each<[JsonObject, string, JsonObject]>([
  [
    { operation: 'answerQuery', queryId: 'q', additionalFields: { text: 'Done', show_alert: true } },
    'answerCallbackQuery',
    { callback_query_id: 'q', text: 'Done', show_alert: true },
  ],
  [
    { operation: 'answerInlineQuery', queryId: 'q', results: '[{"id":"1"}]' },
    'answerInlineQuery',
    { inline_query_id: 'q', results: [{ id: '1' }] },
  ],
])('callback %j calls %s', async (parameters, method, expected) => {
  await runForJson(telegram, runOf({ resource: 'callback', ...parameters }));
  expect(sent()).toEqual([[method, expected]]);
});

test('an inline message is edited by its own identifier', async () => {
  await runForJson(
    telegram,
    runOf({ operation: 'editMessageText', messageType: 'inlineMessage', inlineMessageId: 'i', text: 'New' }),
  );
  expect(sent()).toEqual([['editMessageText', { inline_message_id: 'i', text: 'New' }]]);
});

test('administrators are one item each', async () => {
  expect(await runForJson(telegram, runOf({ resource: 'chat', operation: 'administrators', chatId: '@room' }))).toEqual([
    { status: 'creator' },
    { status: 'administrator' },
  ]);
});

test.each([
  ['sendPhoto', 'photo'],
  ['sendDocument', 'document'],
  ['sendAudio', 'audio'],
  ['sendVideo', 'video'],
  ['sendAnimation', 'animation'],
  ['sendSticker', 'sticker'],
])('%s uploads a file of the item', async (operation, field) => {
  const binary = memoryBinary();
  const picture = await binary.store(Buffer.from('bytes'), { fileName: 'a.png' });
  let body: unknown;
  server.on(route(operation), (call) => {
    body = call.body;
    return { json: { ok: true, result: {} } };
  });
  const parameters = {
    operation,
    chatId: '5',
    binaryData: true,
    binaryPropertyName: 'picture',
    additionalFields: { fileName: 'b.png', reply_to_message_id: 3 },
  };
  await runNode(telegram, runOf(parameters, { binary, inputs: [[{ json: {}, binary: { picture } }]] }));
  expect(body).toEqual({
    chat_id: '5',
    reply_to_message_id: '3',
    [field]: { name: 'b.png', type: 'image/png', text: 'bytes' },
  });
});

test('a file is downloaded, with the type derived from its name', async () => {
  const binary = memoryBinary();
  const [items] = await runNode(telegram, runOf({ resource: 'file', fileId: 'f' }, { binary }));
  const item = items?.[0];
  expect(item).toMatchObject({
    json: { ok: true, result: { file_id: 'f' } },
    binary: { data: { fileName: 'file 1.png', mimeType: 'image/png' } },
  });
  expect(Buffer.from(await binary.read(item?.binary?.['data'] as never)).toString()).toBe('PNG');
});

test('a file is described without downloading it', async () => {
  const [items] = await runNode(telegram, runOf({ resource: 'file', fileId: 'f', download: false }));
  const item = items?.[0];
  expect(item).toEqual({
    json: { ok: true, result: { file_id: 'f', file_path: 'photos/file 1.png' } },
    pairedItem: { item: 0 },
  });
});

test('an error includes the text and the code from Telegram, and the item', async () => {
  const answer = { ok: false, error_code: 400, description: 'Bad Request: chat not found' };
  server.on(route('sendMessage'), () => ({ status: 400, json: answer }));
  await expect(runNode(telegram, runOf(example.parameters))).rejects.toMatchObject({
    code: 'NODE_API_ERROR',
    message: 'Telegram: Bad Request: chat not found (400)',
    itemIndex: 0,
    description: expect.stringContaining('parameters'),
    details: { status: 400, code: 400, body: JSON.stringify(answer) },
  });
});

test('only the failed item has an error if the node continues', async () => {
  const forbidden = { status: 403, json: { ok: false, error_code: 403, description: 'Forbidden' } };
  const fine = { status: 200, json: { ok: true, result: {} } };
  server.on(route('sendMessage'), ({ body }) => ((body as JsonObject)['text'] === 'bad' ? forbidden : fine));
  const parameters = (index: number) => ({ chatId: '5', text: ['good', 'bad', 'fine'][index] ?? '' });
  const run = { ...runOf({}), parameters, json: [{}, {}, {}], continueOnFail: true };
  expect(await runForJson(telegram, run)).toEqual([
    { ok: true, result: {} },
    { error: 'Telegram: Forbidden (403)' },
    { ok: true, result: {} },
  ]);
});

const limited = (seconds: number) => ({
  status: 429,
  json: { ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: seconds } },
});

test('a rate-limited request is retried after the pause that Telegram requests', async () => {
  server.on(route('sendMessage'), ({ count }) =>
    count === 1 ? limited(0.05) : { json: { ok: true, result: { message_id: 7 } } },
  );
  expect(await runForJson(telegram, runOf(example.parameters))).toEqual([{ ok: true, result: { message_id: 7 } }]);
  expect(server.received).toHaveLength(2);
});

test('a pause of more than a minute is an error that contains it', async () => {
  server.on(route('sendMessage'), () => limited(3_600));
  await expect(runNode(telegram, runOf(example.parameters))).rejects.toMatchObject({
    message: 'Telegram: Too Many Requests (429)',
    description: expect.stringContaining('in 3600 seconds'),
    details: { retryAfterMs: 3_600_000 },
  });
  expect(server.received).toHaveLength(1);
});

test('a cancellation ends the pause', async () => {
  const ending = new AbortController();
  server.on(route('sendMessage'), () => {
    setTimeout(() => ending.abort(new Error('stopped')), 20);
    return limited(30);
  });
  await expect(runNode(telegram, runOf(example.parameters, { signal: ending.signal }))).rejects.toThrow('stopped');
});

test('a question has buttons that open the execution page', async () => {
  let waits = false;
  const parameters = { operation: 'sendAndWait', chatId: '5', message: 'Ship it?', options: { appendAttribution: true } };
  await runNode(telegram, runOf(parameters, { suspended: () => (waits = true) }));
  expect(waits).toBe(true);
  expect(sent()).toEqual([
    [
      'sendMessage',
      {
        chat_id: '5',
        text: 'Ship it?\n\nSent automatically with Sluice',
        parse_mode: 'Markdown',
        disable_web_page_preview: true,
        reply_markup: { inline_keyboard: [[{ text: 'Approve', url: 'https://me.example/form-waiting/1/token' }]] },
      },
    ],
  ]);
});

test('a question that only some chat users may answer is rejected', async () => {
  const parameters = { operation: 'sendAndWait', chatId: '5', message: 'Ship it?', chatApproval: true };
  await expect(runNode(telegram, runOf(parameters))).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
  expect(sent()).toEqual([]);
});

test('the node does not wait for a question that was not sent', async () => {
  let waits = false;
  server.on(route('sendMessage'), () => ({ status: 400, json: { ok: false, error_code: 400, description: 'no chat' } }));
  const run = runOf(
    { operation: 'sendAndWait', chatId: '5', message: 'Ship it?' },
    { suspended: () => (waits = true), continueOnFail: true },
  );
  expect([await runForJson(telegram, run), waits]).toEqual([[{ error: 'Telegram: no chat (400)' }], false]);
});
