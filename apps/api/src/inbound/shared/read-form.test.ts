import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { readForm } from './read-form.ts';
import type { RequestFiles } from './request-files.ts';

const contentType = 'multipart/form-data; boundary=B';
const form = '--B\r\ncontent-disposition: form-data; name="f"; filename="a"\r\n\r\ncontent\r\n--B--\r\n';
const defect = new TypeError('a defect of ours');

async function read(source: Readable, files?: Partial<RequestFiles>): Promise<unknown> {
  return readForm(source, contentType, { files: files as RequestFiles | undefined, limitBytes: 1_000 });
}

/** Reads and discards files. */
const discarded = {
  bytes: 0,
  allStarted: async () => undefined,
  take: async (content: AsyncIterable<Uint8Array>) => {
    for await (const _ of content);
    return { id: 'file', mimeType: 'text/plain' };
  },
};

test.each<[string, Partial<RequestFiles>]>([
  [
    'while a file is stored',
    {
      ...discarded,
      take: async () => {
        throw defect;
      },
    },
  ],
  [
    'when the parser reports a file',
    {
      ...discarded,
      take: () => {
        throw defect;
      },
    },
  ],
  [
    'between two chunks',
    {
      ...discarded,
      allStarted: async () => {
        throw defect;
      },
    },
  ],
])('a defect %s is not reported as an unreadable form', async (_, files) => {
  await expect(read(Readable.from([Buffer.from(form)]), files)).rejects.toBe(defect);
});

test('a defect of the source is not reported as an unreadable form', async () => {
  const broken = async function* () {
    yield Buffer.from(form.slice(0, 70));
    throw defect;
  };
  await expect(read(Readable.from(broken()), discarded)).rejects.toBe(defect);
});

test.each([
  ['in a file', form.slice(0, 70)],
  ['before the last boundary', form.slice(0, -6)],
  ['without any part', 'content'],
])('a form that ends %s is rejected as unreadable', async (_, text) => {
  const refusal = { code: 'VALIDATION_ERROR', message: 'the form cannot be read' };
  await expect(read(Readable.from([Buffer.from(text)]), discarded)).rejects.toMatchObject(refusal);
});

test('a client that disconnects within a file is not reported as an unreadable form', async () => {
  const source = new Readable({ read: () => undefined });
  source.push(form.slice(0, 70));
  setImmediate(() => source.destroy());
  await expect(read(source, discarded)).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
});
