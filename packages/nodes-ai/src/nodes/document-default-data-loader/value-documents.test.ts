import { expect, test } from '@jest/globals';
import type { JsonValue } from '@sluice/node-sdk';
import { valueDocuments } from './value-documents.ts';

const { signal } = new AbortController();

test('other work runs while a large value becomes text', async () => {
  let hasRun = false;
  setImmediate(() => {
    hasRun = true;
  });
  const [document] = await valueDocuments(
    Array.from({ length: 200_000 }, (_, id) => ({ id })),
    signal,
  );
  expect(hasRun).toBe(true);
  expect(document?.text).toMatch(/^\[\n {2}\{\n {4}"id": 0\n/);
});

test('a value whose indented text exceeds the maximum length is an error', async () => {
  let value: JsonValue = Array.from({ length: 600_000 }, () => 1);
  for (let depth = 0; depth < 300; depth += 1) value = [value];
  await expect(valueDocuments(value, signal)).rejects.toMatchObject({
    code: 'NODE_OPERATION_ERROR',
    message: expect.stringMatching(/^the value is too large for a document/),
  });
});
