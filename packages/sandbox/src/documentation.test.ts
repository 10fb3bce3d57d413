import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Item, JsonObject, JsonValue } from '@sluice/domain';
import { makeScope, never } from '../tests/scope-fixture.ts';
import { createSandbox } from './index.ts';

const text = readFileSync(new URL('../../../docs/expressions.md', import.meta.url), 'utf8');
const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 64, threads: 1 });
afterAll(() => sandbox.close());

const item: Item = { json: JSON.parse(blocks('json item')[0] as string) as JsonObject };
const scope = makeScope({
  items: [item],
  runs: { Webhook: [{ outputs: [[item]] }] },
  previousNode: { name: 'Webhook', outputIndex: 0, runIndex: 0 },
});

/** The contents of the fenced blocks with this info string. */
function blocks(language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, content = '']) => content);
}

const examples = blocks('js').flatMap((block) => {
  const lines = block.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => line.split('//=>').map((part) => part.trim()) as [string, string]);
});

describe('the examples of docs/expressions.md', () => {
  test('exist', () => expect(examples.length).toBeGreaterThan(100));

  test.each(examples)('%s is %s', async (source, expected) => {
    const resolved = await sandbox.resolve(sandbox.compile({ p: `={{ ${source} }}` }), scope, never);
    expect(resolved.get('p', 0)).toEqual(expected === 'undefined' ? undefined : (JSON.parse(expected) as JsonValue));
  });

  test.each(blocks('js code'))('runs as code: %s', async (block) => {
    const [source = '', expected = ''] = block.split('//=>');
    const { items } = await sandbox.runCode({ source, mode: 'allItems', scope }, never);
    expect(items.map(({ json }) => json)).toEqual(JSON.parse(expected));
  });
});
