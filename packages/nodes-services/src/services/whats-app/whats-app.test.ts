import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { whatsAppServer } from './testing/whats-app-server.ts';
import { example } from './whats-app.example.ts';
import { whatsApp } from './whats-app.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await whatsAppServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { whatsAppApi: { accessToken: 't', businessAccountId: '42' } };
const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters: {
    ...(parameters['template'] === undefined && { operation: 'send' }),
    phoneNumberId: '15550001',
    recipientPhoneNumber: '+1 (415) 523-8886',
    ...parameters,
  },
  http: server.http,
  credentials,
  ...more,
});
const messages = 'POST /v23.0/15550001/messages';
const requests = () => server.received.map(({ method, url }) => `${method} ${url}`);
const sent = () => JSON.parse(server.received.at(-1)?.body.toString() || 'null') as JsonObject;

const components: JsonObject = {
  component: [
    { type: 'header', headerParameters: { parameter: [{ type: 'image', imageLink: 'https://a.example/i' }] } },
    {
      type: 'body',
      bodyParameters: {
        parameter: [
          { text: 'Ann' },
          { type: 'currency', code: 'USD', fallback_value: '$5', amount_1000: 5_000 },
          { type: 'date_time', date_time: 'May 4' },
        ],
      },
    },
    { type: 'button', sub_type: 'url', index: 1, buttonParameters: { parameter: { type: 'text', text: 'x' } } },
    { type: 'button', buttonParameters: { parameter: [{ payload: 'yes' }] } },
  ],
};

test.each<[JsonObject, string, JsonValue]>([
  [{ textBody: 'Hi' }, 'text', { body: 'Hi', preview_url: false }],
  [{ textBody: 'Hi', additionalFields: { previewUrl: true } }, 'text', { body: 'Hi', preview_url: true }],
  [{ messageType: 'image', mediaLink: 'https://a.example/i' }, 'image', { link: 'https://a.example/i' }],
  [
    { messageType: 'video', mediaPath: 'useMediaId', mediaId: 'v', additionalFields: { mediaCaption: 'C' } },
    'video',
    { id: 'v', caption: 'C' },
  ],
  [
    { messageType: 'document', mediaLink: 'https://a.example/d', additionalFields: { mediaFilename: 'd.pdf' } },
    'document',
    { link: 'https://a.example/d', filename: 'd.pdf' },
  ],
  [
    { messageType: 'location', longitude: 1.5, latitude: -2, additionalFields: { nameAddress: 'Here', address: 'A' } },
    'location',
    { longitude: 1.5, latitude: -2, name: 'Here', address: 'A' },
  ],
  [
    {
      messageType: 'contacts',
      name: { data: { formatted_name: 'Ann B', first_name: 'Ann' } },
      additionalFields: {
        birthday: '2000-01-02',
        phones: { phone: [{ phone: '+1', type: '' }] },
        organization: { organization: { company: 'Acme' } },
        emails: { email: [{ email: 'a@b.example' }] },
        addresses: { address: [{ city: 'X' }] },
        urls: { url: [{ url: 'https://a.example' }] },
      },
    },
    'contacts',
    [
      {
        name: { formatted_name: 'Ann B', first_name: 'Ann' },
        birthday: '2000-01-02',
        addresses: [{ city: 'X' }],
        emails: [{ email: 'a@b.example' }],
        org: { company: 'Acme' },
        phones: [{ phone: '+1' }],
        urls: [{ url: 'https://a.example' }],
      },
    ],
  ],
  [{ template: 'hello_world|en_US' }, 'template', { name: 'hello_world', language: { code: 'en_US' } }],
  [
    { operation: 'sendTemplate', template: 'order|de', components },
    'template',
    {
      name: 'order',
      language: { code: 'de' },
      components: [
        { type: 'header', parameters: [{ type: 'image', image: { link: 'https://a.example/i' } }] },
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Ann' },
            { type: 'currency', currency: { code: 'USD', fallback_value: '$5', amount_1000: 5_000 } },
            { type: 'date_time', date_time: { fallback_value: 'May 4' } },
          ],
        },
        { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'x' }] },
        { type: 'button', sub_type: 'quick_reply', index: '0', parameters: [{ type: 'payload', payload: 'yes' }] },
      ],
    },
  ],
])('%j sends %s', async (parameters, type, content) => {
  expect(await runForJson(whatsApp, runOf(parameters))).toEqual(example.outputs?.[0]);
  const head = { messaging_product: 'whatsapp', recipient_type: 'individual', to: '14155238886' };
  expect([requests(), sent()]).toEqual([[messages], { ...head, type, [type]: content }]);
});

async function withFile(parameters: JsonObject): Promise<JsonObject[]> {
  const binary = memoryBinary();
  const data = await binary.store(Buffer.from('sound'), { fileName: 'a.mp3', mimeType: 'audio/mpeg' });
  return runForJson(whatsApp, runOf(parameters, { binary, inputs: [[{ json: {}, binary: { data } }]] }));
}

test('a file of the item is uploaded, then sent', async () => {
  await withFile({ messageType: 'document', mediaPath: 'useMedian8n' });
  expect(requests()).toEqual(['POST /v23.0/15550001/media', messages]);
  expect(sent()['document']).toEqual({ id: 'm1', filename: 'a.mp3' });
});

test('a file is uploaded under another name', async () => {
  let body: unknown;
  server.on('POST /v23.0/15550001/media', (call) => {
    body = call.body;
    return { json: { id: 'm1' } };
  });
  const parameters = { resource: 'media', operation: 'mediaUpload', additionalFields: { mediaFileName: 'b.mp3' } };
  expect(await withFile(parameters)).toEqual([{ id: 'm1' }]);
  expect(body).toEqual({
    messaging_product: 'whatsapp',
    type: 'audio/mpeg',
    file: { name: 'b.mp3', type: 'audio/mpeg', text: 'sound' },
  });
});

test('the URL of a file is read, and the file is deleted', async () => {
  const get = runOf({ resource: 'media', operation: 'mediaUrlGet', mediaGetId: 'm1' });
  expect(await runForJson(whatsApp, get)).toMatchObject([{ id: 'm1', url: 'https://graph.facebook.com/file' }]);
  const remove = runOf({ resource: 'media', operation: 'mediaDelete', mediaDeleteId: 'm1' });
  expect(await runForJson(whatsApp, remove)).toEqual([{ success: true }]);
});

test('a file is downloaded with the credential', async () => {
  const binary = memoryBinary();
  const run = runOf({ resource: 'media', operation: 'mediaDownload', mediaGetId: 'm1' }, { binary });
  const [items] = await runNode(whatsApp, run);
  const item = items?.[0];
  expect(item).toMatchObject({ json: { id: 'm1' }, binary: { data: { mimeType: 'audio/ogg' } } });
  expect(Buffer.from(await binary.read(item?.binary?.['data'] as never)).toString()).toBe('sound');
});

const refusal = (code: number) => ({
  status: 400,
  json: { error: { message: '(#131) Failed', type: 'OAuthException', code, error_data: { details: 'Because' } } },
});

test('an error includes text, details, and code from WhatsApp', async () => {
  server.on(messages, () => refusal(131_047));
  await expect(runNode(whatsApp, runOf(example.parameters))).rejects.toMatchObject({
    message: 'WhatsApp: (#131) Failed: Because (131047)',
    itemIndex: 0,
    details: { status: 400, code: 131_047 },
  });
});

test('only the failed item has an error if the node continues', async () => {
  server.on(messages, ({ count }) => (count === 1 ? refusal(100) : { json: { messages: [] } }));
  const output = await runForJson(whatsApp, runOf(example.parameters, { json: [{}, {}], continueOnFail: true }));
  expect(output).toEqual([{ error: 'WhatsApp: (#131) Failed: Because (100)' }, { messages: [] }]);
});

test('a rate-limited request is retried', async () => {
  server.on(messages, ({ count }) =>
    count === 1 ? { ...refusal(130_429), headers: { 'retry-after': '0' } } : { json: { messages: [] } },
  );
  await runNode(whatsApp, runOf(example.parameters));
  expect(requests()).toEqual([messages, messages]);
});

test.each<[JsonObject, string]>([
  [{ recipientPhoneNumber: 'nobody', textBody: 'Hi' }, 'the parameter "recipientPhoneNumber" has no digits'],
  [{ messageType: 'contacts' }, 'the parameter "name.formatted_name" is required'],
  [
    { operation: 'sendTemplate', template: 't', components: { component: [{ bodyParameters: { parameter: [{}] } }] } },
    'a parameter of the template has no "text"',
  ],
])('%j is refused before a request', async (parameters, message) => {
  await expect(runNode(whatsApp, runOf(parameters))).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('numbers and templates of the account are listed', async () => {
  const context: MethodContext = webhookContext({ http: server.http, credentials });
  const { loadOptions = {} } = whatsApp.methods ?? {};
  expect(await loadOptions['getSendPhoneIdOptions']?.(context)).toEqual([{ name: 'Acme (+1 555 0001)', value: '15550001' }]);
  expect(await loadOptions['getTemplates']?.(context)).toEqual([{ name: 'hello_world (en_US)', value: 'hello_world|en_US' }]);
});

test('a question has links that open the execution page', async () => {
  let waits = false;
  await runNode(whatsApp, runOf({ operation: 'sendAndWait', message: 'Ship it?' }, { suspended: () => (waits = true) }));
  expect(waits).toBe(true);
  const body = 'Ship it?\n\nApprove: https://me.example/form-waiting/1/token';
  expect(sent()).toMatchObject({ to: '14155238886', type: 'text', text: { body, preview_url: false } });
});
