import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type LoopbackServer, listening } from '@sluice/http-client/testing';
import type { JsonObject } from '@sluice/node-sdk';
import { SMTPServer } from 'smtp-server';
import { realPorts } from '../../testing/credential-ports.ts';
import { type FakeRun, runNode } from '../../testing/fake-context.ts';
import { memoryBinary } from '../../testing/memory-binary.ts';
import { example } from './example.ts';
import { sendEmail } from './send-email.ts';

const ports = realPorts();
let server: LoopbackServer;
let connections = 0;
let messages: { from: string; to: string[]; raw: string }[] = [];

beforeAll(async () => {
  const smtp = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onConnect: (_, callback) => {
      connections++;
      callback();
    },
    onAuth: ({ username, password }, _, callback) =>
      password === 'right' ? callback(null, { user: username }) : callback(new Error('who are you?')),
    onRcptTo: ({ address }, _, callback) => callback(address.startsWith('nobody') ? new Error('no such mailbox') : null),
    onData(stream, { envelope }, callback) {
      void buffer(stream).then((raw) => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        messages.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw: raw.toString() });
        callback();
      });
    },
  });
  server = await listening(smtp.server);
});
afterEach(() => {
  messages = [];
  connections = 0;
});
afterAll(async () => {
  await server.close();
  await ports.close();
});

const addresses = { fromEmail: 'Shop <shop@example.com>', toEmail: 'ada@example.com, bob@example.com', subject: 'Hi' };

function run(parameters: JsonObject, more: Partial<FakeRun> = {}, data: JsonObject = {}) {
  return runNode(sendEmail, {
    connect: ports.connect,
    parameters: { ...addresses, ...parameters },
    credentials: { smtp: { host: '127.0.0.1', port: server.port, secure: false, ...data } },
    ...more,
  });
}

async function sent(parameters: JsonObject, more: Partial<FakeRun> = {}): Promise<string> {
  await run(parameters, more);
  return messages[0]?.raw.replaceAll('\r\n', '\n') ?? '';
}

describe('the message', () => {
  test('is sent to all recipients; blind copies are not shown', async () => {
    const options = { ccEmail: 'cc@example.com', bccEmail: 'bcc@example.com', replyTo: 'back@example.com' };
    const raw = await sent({ text: 'hello', emailFormat: 'text', options });
    expect(messages[0]).toMatchObject({
      from: 'shop@example.com',
      to: ['ada@example.com', 'bob@example.com', 'cc@example.com', 'bcc@example.com'],
    });
    expect(raw).toContain('From: Shop <shop@example.com>\n');
    expect(raw).toContain('Cc: cc@example.com\n');
    expect(raw).toContain('Reply-To: back@example.com\n');
    expect(raw).not.toContain('bcc@');
  });

  test.each<[number, JsonObject, RegExp, RegExp]>([
    [2, { text: 'plain', html: '<p>' }, /text\/plain[\s\S]*plain/, /text\/html/],
    [2.1, { text: 'plain', html: '<p>rich' }, /text\/html[\s\S]*<p>rich/, /text\/plain/],
    [
      2.1,
      { emailFormat: 'both', text: 'plain', html: '<p>rich' },
      /multipart\/alternative[\s\S]*plain[\s\S]*<p>rich/,
      /Sluice|n8n/,
    ],
    [1, { text: 'plain', html: '<p>rich' }, /multipart\/alternative[\s\S]*plain[\s\S]*<p>rich/, /Sluice|n8n/],
    [1, { text: 'plain' }, /text\/plain/, /text\/html/],
  ])('in version %d with %j', async (typeVersion, parameters, holds, lacks) => {
    const raw = await sent(parameters, { typeVersion });
    expect(raw).toMatch(holds);
    expect(raw).not.toMatch(lacks);
  });

  test.each<[number, JsonObject]>([
    [1, { attachments: 'pdf, pic' }],
    [2.1, { options: { attachments: 'pdf,pic' } }],
    [2.1, { options: { fileAttachments: 'pdf', attachments: 'pic' } }],
  ])('version %d: files are attached, and HTML can show them: %j', async (typeVersion, parameters) => {
    const binary = memoryBinary();
    const pdf = await binary.store(Buffer.from('PDF!'), { fileName: 'a\r\nX-Evil: 1.pdf', mimeType: 'application/pdf' });
    const pic = await binary.store(Buffer.from('PNG!'), { fileName: 'p.png', mimeType: 'image/png' });
    const inputs = [[{ json: {}, binary: { pdf, pic } }]];
    const html = '<img src="cid:pic">';
    const raw = await sent({ html, ...parameters }, { typeVersion, binary, inputs });
    expect(raw).toContain(Buffer.from('PDF!').toString('base64'));
    expect(raw).toContain(Buffer.from('PNG!').toString('base64'));
    expect(raw).toContain('Content-ID: <pic>');
    expect(raw).not.toContain('Content-ID: <pdf>');
    expect(raw).not.toMatch(/^X-Evil/m);
  });

  test('removes line breaks in a subject, and rejects them in an address', async () => {
    expect(await sent({ subject: 'Hi\r\nX-Evil: 1', text: 't' })).toMatch(/^Subject: Hi X-Evil: 1$/m);
    await expect(run({ toEmail: 'a@example.com\r\nRCPT TO:<b@example.com>' })).rejects.toThrow('"toEmail" has a line break');
    await expect(run({ options: { replyTo: 'a@example.com\nX: y' } })).rejects.toThrow('"options.replyTo" has a line break');
  });

  test('treats text that looks like a path or a URL as text', async () => {
    expect(await sent({ emailFormat: 'text', text: '/etc/passwd' })).toContain('/etc/passwd');
  });
});

test('the example works', async () => {
  await run(example.parameters);
  expect(messages).toMatchObject([{ from: 'shop@example.com', to: ['ada@example.com', 'bob@example.com'] }]);
});

test('the output contains the server’s response for each item', async () => {
  const [items] = await run({ text: 't' }, { json: [{}, {}, {}] });
  expect(items?.[2]).toMatchObject({
    json: {
      accepted: ['ada@example.com', 'bob@example.com'],
      rejected: [],
      response: expect.stringMatching(/^250/),
      envelope: { from: 'shop@example.com' },
      messageId: expect.stringContaining('@example.com'),
    },
    pairedItem: { item: 2 },
  });
  expect([messages.length, connections]).toEqual([3, 1]);
});

describe('a failure', () => {
  test.each<[JsonObject, JsonObject, JsonObject]>([
    [{}, { user: 'ann', password: 'wrong' }, { code: 'NODE_API_ERROR', description: /user and password/ as never }],
    [{ toEmail: 'nobody@example.com' }, {}, { code: 'NODE_API_ERROR', message: /no such mailbox/ as never }],
    [{}, { port: 1 }, { message: /refused|ECONNREFUSED/ as never, description: /host, port/ as never }],
    [{}, { secure: true }, { description: /SSL\/TLS/ as never }],
    [{ toEmail: ' ' }, {}, { message: /"toEmail" is required/ as never, description: /Fill it in/ as never }],
    [{ options: { attachments: 'none' } }, {}, { message: /no file in "none"/ as never }],
    [{ operation: 'sendAndWait' }, {}, { message: /"message" is required/ as never }],
  ])('%j with %j is an error of its item', async (parameters, data, expected) => {
    const error = await run(parameters, {}, data).then(
      () => ({}),
      (reason: object) => reason,
    );
    const matching = Object.entries(expected).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : expect.stringMatching(value as never),
    ]);
    expect(error).toMatchObject({ itemIndex: 0, ...Object.fromEntries(matching) });
  });

  test('becomes an item if the node continues, and the next message is sent', async () => {
    const parameters = (index: number) => ({
      ...addresses,
      text: 't',
      toEmail: index === 0 ? 'nobody@example.com' : 'a@example.com',
    });
    const [items] = await run({}, { parameters, json: [{}, {}], continueOnFail: true });
    expect(items).toMatchObject([
      { json: { error: expect.stringContaining('no such mailbox') } },
      { json: { accepted: ['a@example.com'] } },
    ]);
  });

  test('a fired signal ends the node with its reason', async () => {
    const reason = new Error('canceled');
    await expect(run({ text: 't' }, { signal: AbortSignal.abort(reason), continueOnFail: true })).rejects.toBe(reason);
  });
});

describe('a question', () => {
  const question: JsonObject = { operation: 'sendAndWait', message: 'Ship it?', responseType: 'freeText' };

  test('is one message for all items, with a link to the execution’s page', async () => {
    let waits = false;
    const output = await run(question, { typeVersion: 2.1, json: [{}, {}], suspended: () => (waits = true) });
    expect([output, waits, messages.length]).toEqual([[], true, 1]);
    const [{ raw = '', to = [] } = {}] = messages;
    expect(to).toEqual(['ada@example.com', 'bob@example.com']);
    expect(raw.replaceAll('=\r\n', '')).toContain('https://me.example/form-waiting/1/token');
  });

  test('that was not sent is not waited for', async () => {
    let waits = false;
    const failing = run({ ...question, toEmail: 'nobody@example.com' }, { typeVersion: 2.1, suspended: () => (waits = true) });
    await expect(failing).rejects.toThrow();
    expect(waits).toBe(false);
  });
});
