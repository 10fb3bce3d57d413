import { Writable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import type { Response } from 'express';
import { ResponseStream } from './relay-response.ts';

/** A response whose client does not read until `read` is called. */
class FakeResponse extends Writable {
  readonly locals = {};
  readonly head = new Map<string, unknown>();
  readonly #reads: boolean;
  text = '';
  code = 0;
  /** Milliseconds; 0: never. */
  stalledAfterMs = 0;
  #pending: (() => void) | undefined;

  constructor(reads = true) {
    super({ decodeStrings: false });
    this.#reads = reads;
    this.on('error', () => undefined);
  }

  override _write(chunk: string, _encoding: string, done: () => void): void {
    this.text += chunk;
    if (this.#reads) done();
    else this.#pending = done;
  }

  status(code: number): void {
    this.code = code;
  }
  setHeader(name: string, value: unknown): void {
    this.head.set(name.toLowerCase(), value);
  }
  hasHeader(name: string): boolean {
    return this.head.has(name.toLowerCase());
  }
  flushHeaders(): void {}
  setTimeout(afterMs: number): void {
    this.stalledAfterMs = afterMs;
  }
  get waits(): boolean {
    return this.#pending !== undefined;
  }
}

function streamTo(response: FakeResponse) {
  const head = { status: 202, headers: { 'X-Own': 'yes', Connection: 'upgrade' } };
  return new ResponseStream(response as unknown as Response, '7', head);
}

const chunk = (number: number, json = `{"n":${number}}`, attempt = 1) => ({ attempt, number, json });
const lines = ({ text }: FakeResponse) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);
const note = (code: string, content: string) => ({
  type: 'error',
  content,
  metadata: { executionId: '7', code, timestamp: expect.any(Number) },
});

describe('ResponseStream', () => {
  test('starts with the first chunk and sends only allowed headers', () => {
    const response = new FakeResponse();
    const stream = streamTo(response);
    expect([stream.started, response.code]).toEqual([false, 0]);
    stream.take([chunk(0), chunk(1)]);
    stream.take([chunk(2)]);
    stream.end();
    expect(lines(response)).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
    expect([stream.started, response.code, response.head.get('x-own')]).toEqual([true, 202, 'yes']);
    expect([response.head.has('connection'), response.head.get('content-security-policy')]).toEqual([
      false,
      expect.stringMatching(/^sandbox /),
    ]);
  });

  test('reports the number of lost chunks', () => {
    const response = new FakeResponse();
    streamTo(response).take([chunk(0), chunk(3)]);
    expect(lines(response)).toEqual([{ n: 0 }, note('ANSWER_INCOMPLETE', '2 parts of the response are lost'), { n: 3 }]);
  });

  test('continues with the worker of the next attempt', () => {
    const response = new FakeResponse();
    const stream = streamTo(response);
    const later = (number: number) => chunk(number, undefined, 2);
    stream.take([chunk(0), chunk(1), later(0), later(1)]);
    expect(lines(response)).toEqual([{ n: 0 }, { n: 1 }, { n: 0 }, { n: 1 }]);
  });

  test('drops repeated chunks and chunks of an earlier attempt', () => {
    const response = new FakeResponse();
    const later = (number: number) => chunk(number, undefined, 2);
    streamTo(response).take([chunk(0), chunk(1), chunk(0), chunk(1), later(0), chunk(2), later(0), later(1)]);
    expect(lines(response)).toEqual([{ n: 0 }, { n: 1 }, { n: 0 }, { n: 1 }]);
  });

  test('ends with the reason for a failure, and writes nothing after it', () => {
    const response = new FakeResponse();
    const stream = streamTo(response);
    stream.take([chunk(0)]);
    stream.fail('ANSWER_TIMEOUT', 'too late');
    stream.take([chunk(1)]);
    expect(lines(response)).toEqual([{ n: 0 }, note('ANSWER_TIMEOUT', 'too late')]);
    expect(response.writableEnded).toBe(true);
  });

  test('disconnects a client that does not read only after the end, since an open stream may be silent for long', () => {
    const response = new FakeResponse(false);
    const stream = streamTo(response);
    stream.take([chunk(0)]);
    expect(response.stalledAfterMs).toBe(0);
    stream.end();
    expect(response.stalledAfterMs).toBe(120_000);
  });

  test('disconnects a client with more than 1 MiB of unread data', () => {
    const response = new FakeResponse(false);
    const stream = streamTo(response);
    const json = JSON.stringify({ x: 'x'.repeat(300_000) });
    for (let number = 0; number < 3; number++) stream.take([chunk(number, json)]);
    expect([response.waits, response.destroyed]).toEqual([true, false]);
    stream.take([chunk(3, json)]);
    expect(response.destroyed).toBe(true);
  });
});
