import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import express, { type Request } from 'express';
import { type BodyReading, readBody } from './read-body.ts';
import type { RequestFiles } from './request-files.ts';

const limits = { limitBytes: 16 * 1024 * 1024, maxDepth: 100 };
const form = 'application/x-www-form-urlencoded';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const megabytes = (count: number, piece: string) => piece.repeat((count * 1_000_000) / piece.length);

function requestOf(type: string, body: Buffer): Request {
  const request: IncomingMessage = Object.setPrototypeOf(new IncomingMessage(new Socket()), express.request);
  request.headers = { 'content-type': type, 'content-length': String(body.length) };
  for (let start = 0; start < body.length; start += 65_536) request.push(body.subarray(start, start + 65_536));
  request.push(null);
  return request as Request;
}

async function read(type: string, body: Buffer, check?: () => void): Promise<unknown> {
  const reading = { limits, files: { take: 'none' as const }, into: {} as RequestFiles, ...(check && { check }) };
  return (await readBody(requestOf(type, body), reading)).body;
}

describe('a chunked body without a content type', () => {
  const takes = ['none', 'body', 'all'] as const;
  const stored: string[] = [];
  const into = {
    async take(content: AsyncIterable<Uint8Array>, _: unknown) {
      stored.push((await buffer(content)).toString());
      return { id: 'file' };
    },
  } as unknown as RequestFiles;

  async function readFrom(body: string, reading: Pick<BodyReading, 'check'> & { take: (typeof takes)[number] }) {
    const request = requestOf('', bytes(body));
    request.headers = { 'transfer-encoding': 'chunked' };
    const { take, ...rest } = reading;
    return readBody(request, { limits, files: { take }, into, ...rest });
  }

  test.each(takes)('is ignored if it is empty, since proxies send it for a request without a body; files: %s', async (take) => {
    for (const check of [undefined, () => undefined])
      expect(await readFrom('', { take, ...(check && { check }) })).toEqual({ body: {}, binary: {} });
    expect(stored).toEqual([]);
  });

  test('is rejected if it is not empty and the webhook accepts no files, even after a signature check', async () => {
    for (const check of [undefined, () => undefined]) {
      const reading = readFrom('abc', { take: 'none', ...(check && { check }) });
      await expect(reading).rejects.toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' });
    }
  });

  test('is stored as one file if the webhook accepts files', async () => {
    const content = 'abc'.repeat(100_000);
    expect(await readFrom(content, { take: 'all' })).toEqual({ body: {}, binary: { data: { id: 'file' } } });
    expect(stored).toEqual([content]);
  });
});

test('a JSON body without a byte is read like a missing body', async () => {
  const request = requestOf('', Buffer.alloc(0));
  request.headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
  const { body } = await readBody(request, { limits, files: { take: 'none' }, into: {} as RequestFiles });
  expect(body).toEqual({});
});

describe('form fields', () => {
  test.each<[string, string, unknown]>([
    ['', 'a=1&b=2&a=3&a=4', { a: ['1', '3', '4'], b: '2' }],
    ['', '&&a&=&b=c=d&', { a: '', '': '', b: 'c=d' }],
    ['', 'a+b=c+d%2B%20e', { 'a b': 'c d+ e' }],
    ['', 'a=%&b=%4&c=%zz&d=%41%4a%4A&e=%%41', { a: '%', b: '%4', c: '%zz', d: 'AJJ', e: '%A' }],
    ['', 'a=%C3%A9\xc3\xa9&b=%EF%BB%BFx', { a: 'éé', b: '\ufeffx' }],
    ['; charset=shift_jis', 'a=%81%40\x81\x40&%82%a0=%82%A2', { a: '\u3000\u3000', あ: 'い' }],
    ['; charset=latin1', 'a=%e9\xe9', { a: 'éé' }],
    ['', '__proto__=1&toString=2', Object.fromEntries([['__proto__', '1'] as const, ['toString', '2'] as const])],
  ])('%s %s', async (charset, text, expected) => {
    expect(await read(form + charset, bytes(text))).toEqual(expected);
  });

  test.each<[string, string, string, unknown]>([
    ['percent-encoding', '', 'a=%C3%A9', 'é'],
    ['raw bytes', '', 'a=\xc3\xa9', 'é'],
    ['percent-encoding of a legacy charset', '; charset=shift_jis', 'a=%82%A2', 'い'],
  ])('a character that is split across chunks is decoded completely: %s', async (_, charset, text, character) => {
    const [name, value = ''] = text.split('=');
    const body = bytes(`${name}=x${value.repeat(50_000)}`);
    expect(await read(form + charset, body)).toEqual({ a: `x${String(character).repeat(50_000)}` });
  });

  test.each([
    ['a=%ff', ''],
    ['a=%C3', ''],
    ['%C3=%A9', ''],
    ['a=%C3&b=%A9', ''],
    [`a=${'x'.repeat(100_000)}%C3`, ''],
    ['a=%81', '; charset=shift_jis'],
  ])('invalid text is rejected', async (text, charset) => {
    await expect(read(form + charset, bytes(text))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  test('a thousand fields are accepted, and more are rejected', async () => {
    expect(Object.keys((await read(form, bytes(fields(1_000)))) as object)).toHaveLength(1_000);
    await expect(read(form, bytes(fields(1_001)))).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });
});

function fields(count: number): string {
  return Array.from({ length: count }, (_, index) => `f${index}=1`).join('&');
}

describe('other requests continue while a large body is read', () => {
  const part = (text: string) => `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n${text}\r\n--x--\r\n`;

  test.each<[string, string, string]>([
    ['spaces', form, `a=${megabytes(15, '+')}`],
    ['an escaped value', form, `a=${megabytes(15, '%41')}`],
    ['an escaped name', form, megabytes(15, '%41')],
    ['invalid text', form, `a=${megabytes(15, '%ff')}`],
    ['percent-encoded UTF-8', form, `a=${megabytes(15, '%C3%A9')}`],
    ['a percent-encoded legacy charset', `${form}; charset=shift_jis`, `a=${megabytes(15, '%81%40')}`],
    ['many fields', form, Array.from({ length: 1_000 }, () => `a=${'%41'.repeat(5_000)}`).join('&')],
    ['a part with line breaks', 'multipart/form-data; boundary=x', part(megabytes(15, '\r\n-'))],
    ['a part made of carriage returns', 'multipart/form-data; boundary=x', part(megabytes(15, '\r'))],
  ])('%s', async (_, type, text) => {
    const body = bytes(text);
    const buffered = () => undefined;
    for (const check of [undefined, buffered]) {
      expect(await longestBusy(() => read(type, body, check).catch(() => undefined))).toBeLessThan(250);
    }
  });
});

test('a compressed body is decompressed once there is memory for what it may expand to', async () => {
  const text = JSON.stringify(Array.from({ length: 100_000 }, () => []));
  const compressed = gzipSync(text);
  const request = requestOf('application/json', compressed);
  request.headers['content-encoding'] = 'gzip';
  const free = Promise.withResolvers<void>();
  const sizes: number[] = [];
  const memory = {
    reserve: (bytes: number) => {
      sizes.push(bytes);
      return free.promise;
    },
    reserveOnly: (bytes: number) => void sizes.push(bytes),
  };
  let isRead = false;
  const reading = readBody(request, { limits, files: { take: 'none' }, into: { memory } as never }).then(({ body }) => {
    isRead = true;
    return body;
  });
  for (let turns = 0; turns < 100; turns++) await turn();
  expect([isRead, sizes]).toEqual([false, [compressed.length * 1_032 * 12]]);
  free.resolve();
  expect(await reading).toHaveLength(100_000);
  expect(sizes.at(-1)).toBe(text.length * 12);
});
