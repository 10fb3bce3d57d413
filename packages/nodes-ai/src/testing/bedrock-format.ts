import { createHash, createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { isJsonObject, type JsonObject } from '@sluice/node-sdk';
import type { ModelAnswer, ReceivedRequest, ServerAnswer, WireFormat } from './provider-server.ts';

/** A credential of the server. */
export const bedrockCredential = { region: 'us-east-1', accessKeyId: 'key-1', secretAccessKey: 'secret-1' };
export const bedrockRuntime = 'https://bedrock-runtime.us-east-1.amazonaws.com';
export const bedrockControl = 'https://bedrock.us-east-1.amazonaws.com';

/**
 * The Converse API, written from
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
export const bedrockFormat: WireFormat = {
  problem: problemOf,
  isStream: ({ path }) => path.endsWith('/converse-stream'),
  completion: (answer) => ({
    output: { message: { role: 'assistant', content: blocksOf(answer) } },
    stopReason: stopReasonOf(answer),
    usage,
    metrics: { latencyMs: 1 },
  }),
  stream: (answer) => Buffer.concat(eventsOf(answer)),
  failingStream: (text) =>
    Buffer.concat([
      ...eventsOf({ text }).slice(0, text.length + 1),
      frame({ ':message-type': 'exception', ':exception-type': 'modelStreamErrorException' }, { message: 'it failed' }),
    ]),
  error: (_, message) => ({ message }),
  get: (path) => {
    if (path.startsWith('/foundation-models?')) return { modelSummaries: modelsNamed('modelId', 'modelName') };
    if (!path.startsWith('/inference-profiles?')) return undefined;
    return { inferenceProfileSummaries: modelsNamed('inferenceProfileId', 'inferenceProfileName') };
  },
};

const modelsNamed = (id: string, name: string) => ['b', 'a'].map((letter) => ({ [id]: `${letter}.${id}`, [name]: letter }));
const usage = { inputTokens: 11, outputTokens: 7, totalTokens: 18 };
const refusal = (status: number, message: string): ServerAnswer => ({ status, body: JSON.stringify({ message }) });

function problemOf(request: ReceivedRequest): ServerAnswer | undefined {
  const { method, path, headers, body } = request;
  if (method !== 'POST' || !/^\/model\/[^/]+\/(converse|converse-stream|invoke)$/.test(path)) return refusal(404, 'not found');
  if (headers.authorization !== signatureOf(request)) return refusal(403, 'The request signature does not match');
  if (path.endsWith('/invoke')) return undefined;
  return messagesProblem(body['messages']) ?? toolProblem(body) ?? systemProblem(body['system']);
}

function messagesProblem(messages: unknown): ServerAnswer | undefined {
  if (!Array.isArray(messages) || messages.length === 0) return refusal(400, 'messages are required');
  const wanted = (index: number) => (index % 2 === 0 ? 'user' : 'assistant');
  const isTurn = (message: JsonObject, index: number) =>
    message['role'] === wanted(index) && Array.isArray(message['content']) && message['content'].every(isBlock);
  return (messages as JsonObject[]).every(isTurn) ? undefined : refusal(400, 'turns must alternate and have content');
}

function toolProblem({ messages, toolConfig }: JsonObject): ServerAnswer | undefined {
  const isToolBlock = (block: JsonObject) => 'toolUse' in block || 'toolResult' in block;
  const usesTools = (messages as { content: JsonObject[] }[]).some(({ content }) => content.some(isToolBlock));
  if (toolConfig !== undefined || !usesTools) return undefined;
  return refusal(400, 'The toolConfig field must be defined when using toolUse and toolResult content blocks.');
}

const isBlock = (block: unknown) => isJsonObject(block) && Object.keys(block).length === 1 && block['text'] !== '';

function systemProblem(system: unknown): ServerAnswer | undefined {
  if (system === undefined) return undefined;
  return Array.isArray(system) && system.every(isBlock) ? undefined : refusal(400, 'invalid system');
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const keyed = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/**
 * The authorization header of a request that is signed with Signature Version 4. Except for S3,
 * paths are encoded twice.
 */
function signatureOf({ method, path, headers, body }: ReceivedRequest): string {
  const { region, accessKeyId, secretAccessKey } = bedrockCredential;
  const date = String(headers['x-amz-date']);
  const scope = `${date.slice(0, 8)}/${region}/bedrock/aws4_request`;
  const signed = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1] ?? '';
  const values = signed.split(';').map((name) => `${name}:${name === 'host' ? new URL(bedrockRuntime).host : headers[name]}\n`);
  const twice = path.split('/').map(encodeURIComponent).join('/');
  const canonical = [method, twice, '', values.join(''), signed, hash(JSON.stringify(body))].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(keyed, `AWS4${secretAccessKey}`);
  const signature = keyed(key, ['AWS4-HMAC-SHA256', date, scope, hash(canonical)].join('\n')).toString('hex');
  return `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`;
}

const textOf = (answer: ModelAnswer) => ('text' in answer ? (answer.text ?? '') : '');

function callsOf(answer: ModelAnswer) {
  return 'calls' in answer
    ? answer.calls.map(({ id, name, input }, index) => ({ toolUseId: id ?? `t${index}`, name, input }))
    : [];
}

function blocksOf(answer: ModelAnswer): object[] {
  const text = textOf(answer);
  return [...(text === '' ? [] : [{ text }]), ...callsOf(answer).map((toolUse) => ({ toolUse }))];
}

function stopReasonOf(answer: ModelAnswer): string {
  if ('filtered' in answer) return 'content_filtered';
  return 'calls' in answer ? 'tool_use' : 'end_turn';
}

/** Text by character, call arguments in two halves. */
function eventsOf(answer: ModelAnswer): Buffer[] {
  const delta = (contentBlockIndex: number, value: object) => event('contentBlockDelta', { contentBlockIndex, delta: value });
  const called = callsOf(answer).flatMap(({ input, ...toolUse }, index) => {
    const contentBlockIndex = index + 1;
    const json = typeof input === 'string' ? input : JSON.stringify(input);
    const half = Math.ceil(json.length / 2);
    return [
      event('contentBlockStart', { contentBlockIndex, start: { toolUse } }),
      ...[json.slice(0, half), json.slice(half)].map((part) => delta(contentBlockIndex, { toolUse: { input: part } })),
      event('contentBlockStop', { contentBlockIndex }),
    ];
  });
  return [
    event('messageStart', { role: 'assistant' }),
    ...[...textOf(answer)].map((text) => delta(0, { text })),
    event('contentBlockStop', { contentBlockIndex: 0 }),
    ...called,
    event('messageStop', { stopReason: stopReasonOf(answer) }),
    event('metadata', { usage, metrics: { latencyMs: 1 } }),
  ];
}

const event = (type: string, payload: object) =>
  frame({ ':message-type': 'event', ':event-type': type, ':content-type': 'application/json' }, payload);

/** A message of an event stream: lengths, headers, payload, and checksums. */
export function frame(headers: Readonly<Record<string, string>> | Buffer, payload?: object): Buffer {
  const encoded = Buffer.isBuffer(headers)
    ? headers
    : Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value)));
  const body = Buffer.from(payload === undefined ? '' : JSON.stringify(payload));
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(12 + encoded.length + body.length + 4, 0);
  prelude.writeUInt32BE(encoded.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const message = Buffer.concat([prelude, encoded, body]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(message));
  return Buffer.concat([message, checksum]);
}

function header(name: string, value: string): Buffer {
  const bytes = Buffer.from(value);
  const lengths = Buffer.alloc(3);
  lengths.writeUInt8(7, 0);
  lengths.writeUInt16BE(bytes.length, 1);
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), lengths, bytes]);
}
