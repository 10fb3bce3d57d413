import { describe, expect, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import { encodeMultipart, type MultipartPart } from './encode-multipart.ts';

async function sent(parts: MultipartPart[]) {
  const { body, contentType } = await encodeMultipart(parts);
  const chunks: Uint8Array[] = [];
  for await (const chunk of await body.open()) chunks.push(chunk);
  return { bytes: Buffer.concat(chunks), byteLength: body.byteLength, contentType };
}

describe('a form of parts', () => {
  test.each<[string, string]>([
    ['short', 'a\nb'],
    ['line breaks where it is divided', `${'x'.repeat(65_535)}\r\ny\r\rz\n`],
    ['a surrogate pair where it is divided', `${'x'.repeat(65_535)}😀`],
    ['only line breaks', '\r\n\n'.repeat(60_000)],
  ])('arrives unchanged: %s', async (_, value) => {
    const { bytes, byteLength, contentType } = await sent([
      { name: 'before', value: '1' },
      { name: 'a', value },
      { name: 'after', value: '2' },
    ]);
    const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
    expect([...form]).toEqual([
      ['before', '1'],
      ['a', value.replaceAll(/\r\n?|\n/g, '\r\n')],
      ['after', '2'],
    ]);
    expect(byteLength).toBe(bytes.length);
  });

  test.each([['\n'], ['\r'], ['é']])('other work continues while a large value is written: %j', async (character) => {
    const value = character.repeat(15_000_000);
    expect(await longestBusy(async () => drain(await encodeMultipart([{ name: 'a', value }])))).toBeLessThan(250);
  });

  test.each<[string, () => MultipartPart[]]>([
    ['a long name', () => [{ name: '\n'.repeat(15_000_000), value: '' }]],
    ['many long names', () => Array.from({ length: 1_000 }, () => ({ name: '\n'.repeat(15_000), value: '' }))],
    ['a million parts', () => Array.from({ length: 1_000_000 }, () => ({ name: 'a', value: '' }))],
  ])('headers that are too large are refused: %s', async (_, make) => {
    const parts = make();
    const refused = () => expect(sent(parts)).rejects.toMatchObject({ code: 'HTTP_INVALID_REQUEST' });
    expect(await longestBusy(refused)).toBeLessThan(250);
  });

  test('other work continues while the maximum number of parts is written', async () => {
    const parts = Array.from({ length: 10_000 }, () => ({ name: '\n'.repeat(26), value: '\n'.repeat(1_000) }));
    expect(await longestBusy(async () => drain(await encodeMultipart(parts)))).toBeLessThan(250);
  });
});

async function drain({ body }: Awaited<ReturnType<typeof encodeMultipart>>): Promise<void> {
  for await (const _ of await body.open());
}
