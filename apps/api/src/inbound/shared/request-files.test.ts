import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { BinaryStore } from '@sluice/binary-store';
import { readForm } from './read-form.ts';
import { RequestFiles } from './request-files.ts';

const mebibyte = 1024 * 1024;

/** Counts the calls of a function and the maximum in flight. */
class Gauge {
  most = 0;
  calls = 0;
  #now = 0;

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.calls++;
    this.#now++;
    this.most = Math.max(this.most, this.#now);
    try {
      await nextTurn();
      return await work();
    } finally {
      this.#now--;
    }
  }
}

/** The files of a request, with their database and storage calls. */
function filesUnderWatch(announce: () => Promise<void> = async () => undefined) {
  const [statements, puts] = [new Gauge(), new Gauge()];
  const announced = new Set<string>();
  const storedSizes = new Map<string, number>();
  const put: BinaryStore['put'] = (id, content) =>
    puts.during(async () => {
      if (!announced.has(id)) throw new Error('stored before it was announced');
      let size = 0;
      for await (const chunk of content) size += chunk.byteLength;
      storedSizes.set(id, size);
      return { size };
    });
  const files = new RequestFiles({
    webhookStarts: {
      announce: (...ids) =>
        statements.during(async () => {
          await announce();
          for (const id of ids) announced.add(id);
        }),
    },
    store: { put } as BinaryStore,
    caps: { maxBytes: mebibyte, executionMaxBytes: 64 * mebibyte },
  });
  return { files, statements, puts, storedSizes };
}

/** A form of files, in chunks of 64 KiB as received from the network. */
function* formOf(count: number, bytes: number): Generator<Buffer> {
  const part = (index: number) =>
    `--B\r\ncontent-disposition: form-data; name="f${index}"; filename="a"\r\n\r\n${'x'.repeat(bytes)}\r\n`;
  const body = Buffer.from(`${Array.from({ length: count }, (_, index) => part(index)).join('')}--B--\r\n`);
  for (let at = 0; at < body.length; at += 65_536) yield body.subarray(at, at + 65_536);
}

const contentType = 'multipart/form-data; boundary=B';

test.each([
  ['995 small files', 995, 1],
  ['300 files of 60 kB', 300, 60_000],
  ['files larger than a chunk', 12, 500_000],
])('a form with %s runs one statement at a time and stores a few files concurrently', async (_, count, bytes) => {
  const { files, statements, puts, storedSizes } = filesUnderWatch();
  const form = await readForm(Readable.from(formOf(count, bytes)), contentType, { files, limitBytes: mebibyte });
  expect(form.files.map(({ field }) => field)).toEqual(Array.from({ length: count }, (_unused, index) => `f${index}`));
  expect([...storedSizes.values()]).toEqual(Array(count).fill(bytes));
  expect(files.stored).toHaveLength(count);
  expect(statements.most).toBe(1);
  expect(puts.most).toBeLessThanOrEqual(4);
  if (bytes === 1) expect(statements.calls).toBeLessThan(30);
});

test('files that cannot be registered fail the form, and no file is stored', async () => {
  const { files, storedSizes } = filesUnderWatch(async () => {
    throw Object.assign(new Error('the database is away'), { code: 'SERVICE_UNAVAILABLE' });
  });
  const reading = readForm(Readable.from(formOf(500, 1)), contentType, { files, limitBytes: mebibyte });
  await expect(reading).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(storedSizes.size).toBe(0);
});

test('a file that cannot be stored releases its slot', async () => {
  const { files } = filesUnderWatch();
  const broken = async function* (): AsyncGenerator<Uint8Array> {
    yield await Promise.reject(new Error('the client has disconnected'));
  };
  const sound = async function* (): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(3);
  };
  const pendingFiles = Array.from({ length: 20 }, (_, index) => files.take(index < 10 ? broken() : sound(), {}));
  const outcomes = await Promise.allSettled(pendingFiles);
  expect(outcomes.map(({ status }) => status)).toEqual([...Array(10).fill('rejected'), ...Array(10).fill('fulfilled')]);
});
