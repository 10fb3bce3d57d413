import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import type { ExecuteContext, HttpClient } from '@sluice/node-sdk';
import { noNetwork } from '@sluice/node-sdk/testing';
import { fakeContext } from '../testing/fake-context.ts';
import { binaryToBuffer } from './binary-helpers.ts';
import { requestHelpers } from './request-helpers.ts';

/** `this.helpers` with a client that returns this response body, and a count of the bytes read. */
function helpers(body: AsyncIterable<Uint8Array>, status = 200) {
  const seen = { caps: [] as unknown[], ended: Promise.withResolvers<unknown>() };
  const http: HttpClient = {
    guard: noNetwork.guard,
    request: async () => {
      throw new Error('a body that is requested as a stream is not read as a whole');
    },
    async stream(request, _signal, read) {
      seen.caps.push(request.maxResponseBytes);
      const reading = read({ status, statusText: '', headers: { 'x-a': 'b' }, url: request.url, body });
      reading.then(seen.ended.resolve, seen.ended.resolve);
      return reading;
    },
  };
  return { seen, ...requestHelpers(fakeContext({ over: { http } as Partial<ExecuteContext> })) };
}

describe('a response requested as a stream', () => {
  test("is read at the package's pace and may exceed the limit of whole responses", async () => {
    let sent = 0;
    const endless = async function* () {
      for (; sent < 10_000; sent += 1) yield Buffer.alloc(64 * 1024);
    };
    const { seen, httpRequest } = helpers(endless());
    const body = (await httpRequest({ url: 'http://a/', encoding: 'stream' })) as Readable;
    let bytes = 0;
    for await (const chunk of body) {
      bytes += (chunk as Buffer).byteLength;
      expect(sent * 64 * 1024 - bytes).toBeLessThan(1024 * 1024);
      if (bytes > 60 * 1024 * 1024) break;
    }
    expect([seen.caps, bytes > 60 * 1024 * 1024]).toEqual([[Number.POSITIVE_INFINITY], true]);
    // The rest is discarded with the stream.
    await seen.ended.promise;
    expect(sent).toBeLessThan(10_000);
  });

  test('cannot exhaust memory: conversion to bytes is limited to 50 MiB', async () => {
    const large = async function* () {
      for (let i = 0; i < 900; i += 1) yield Buffer.alloc(64 * 1024);
    };
    const { httpRequest } = helpers(large());
    const body = await httpRequest({ url: 'http://a/', encoding: 'stream' });
    await expect(binaryToBuffer(body)).rejects.toThrow('50 MiB');
    const small = await helpers(Readable.from([Buffer.from('x')])).httpRequest({ url: 'http://a/', encoding: 'stream' });
    expect(String(await binaryToBuffer(small))).toBe('x');
  });

  test('has status and headers on request', async () => {
    const { httpRequest } = helpers(Readable.from([Buffer.from('x')]));
    const options = { url: 'http://a/', encoding: 'stream', returnFullResponse: true } as const;
    const { body, ...head } = (await httpRequest(options)) as { body: Readable };
    expect([head, await text(body)]).toEqual([{ statusCode: 200, statusMessage: '', headers: { 'x-a': 'b' } }, 'x']);
  });

  test('is supported by the older request function, too', async () => {
    const { request } = helpers(Readable.from([Buffer.from('x')]));
    expect(await text((await request({ uri: 'http://a/', useStream: true })) as Readable)).toBe('x');
  });

  test('with an error status is an error', async () => {
    const { httpRequest } = helpers(Readable.from([Buffer.from('gone')]), 404);
    await expect(httpRequest({ url: 'http://a/', encoding: 'stream' })).rejects.toMatchObject({ statusCode: 404 });
  });

  test('that breaks off fails its reader', async () => {
    const broken = async function* () {
      yield Buffer.from('half');
      throw new Error('broken off');
    };
    const { httpRequest } = helpers(broken());
    const body = (await httpRequest({ url: 'http://a/', encoding: 'stream' })) as Readable;
    await expect(text(body)).rejects.toThrow('broken off');
  });

  test('that breaks off without a reader is harmless', async () => {
    const broken = async function* () {
      yield Buffer.alloc(0);
      throw new Error('broken off');
    };
    const { seen, httpRequest } = helpers(broken());
    const body = (await httpRequest({ url: 'http://a/', encoding: 'stream' })) as Readable;
    await seen.ended.promise;
    if (!body.closed) await once(body, 'close');
    expect(body.errored?.message).toBe('broken off');
  });
});
