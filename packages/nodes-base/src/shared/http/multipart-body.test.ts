import { describe, expect, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import { type FormPart, multipartBody } from './multipart-body.ts';

const binary = {} as Parameters<typeof multipartBody>[0];

async function sent(parts: FormPart[]) {
  const { body, contentType } = await multipartBody(binary, parts);
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
  ])('arrives as it was sent: %s', async (_, value) => {
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
    expect(await longestBusy(async () => drain(await multipartBody(binary, [{ name: 'a', value }])))).toBeLessThan(100);
  });

  test('a name that is too long is refused', async () => {
    const parts = [{ name: '\n'.repeat(15_000_000), value: '' }];
    const refused = () => expect(sent(parts)).rejects.toMatchObject({ code: 'HTTP_INVALID_REQUEST' });
    expect(await longestBusy(refused)).toBeLessThan(100);
  });
});

async function drain({ body }: Awaited<ReturnType<typeof multipartBody>>): Promise<void> {
  for await (const _ of await body.open());
}
