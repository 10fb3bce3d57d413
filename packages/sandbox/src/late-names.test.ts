import { afterAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/domain';
import { itemsOf, makeScope, never, type ScopeFixture } from '../tests/scope-fixture.ts';
import { createSandbox, type ResolvedParameters } from './index.ts';

const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 64, threads: 1 });
afterAll(() => sandbox.close());

const items = itemsOf({ id: 'a' }, { id: 'b' }, { id: 'c' });

async function evaluate(source: string, scope: ScopeFixture): Promise<JsonValue | undefined> {
  const resolved = await sandbox.resolve(sandbox.compile({ p: `=${source}` }), makeScope({ items, ...scope }), never);
  return resolved.get('p', scope.onlyItem ?? 0);
}

test('additional names are values like any other', async () => {
  const names: JsonObject = { $response: { body: { next: 'u' } }, $pageCount: 2 };
  expect(await evaluate('{{ $response.body.next }}', { names })).toBe('u');
  expect(await evaluate('{{ $response.body.none.x }}', { names })).toBeUndefined();
  expect(await evaluate('page {{ $pageCount + 1 }}', { names })).toBe('page 3');
  expect(await evaluate('{{ $pageCount + 1 }}', {})).toBeUndefined();
});

test.each([
  ['{{ $response.body.list[0] }}', 'a'],
  ['{{ $response.body.list.length > 1 && $pageCount < 3 }}', true],
  ['{{ $response.body[$value] }}', ['a', 'b']],
  ["{{ $fromAI('city', 'the city') }}", 'Rome'],
  ["{{ $fromAI('days', '', 'number', 3) + 1 }}", 4],
])('%s is evaluated in the host', (source, expected) => {
  const names = { $response: { body: { list: ['a', 'b'] } }, $pageCount: 2, $value: 'list', $fromAI: { city: 'Rome' } };
  const resolved = sandbox.resolve(sandbox.compile({ p: `=${source}` }), makeScope({ items, names }), never);
  expect((resolved as ResolvedParameters).get('p', 0)).toEqual(expected);
});

test.each<[string, JsonObject, JsonValue]>([
  ["{{ $fromAI('city', 'the city') }}", { city: 'Rome' }, 'Rome'],
  ["{{ $fromAI('days', '', 'number', 3) + 1 }}", {}, 4],
  ["to {{ $fromAI('city', '', 'string', 'Oslo') }}", { city: 'Rome' }, 'to Rome'],
  ["{{ $fromAI('toString') ?? 'none' }}", {}, 'none'],
])('arguments of a tool: %s of %j is %j', async (source, values, expected) => {
  expect(await evaluate(source, { names: { $fromAI: values } })).toEqual(expected);
});

test('an expression for a single item can read all other items', async () => {
  const sources: [string, JsonValue][] = [
    ['{{ $json.id }}', 'b'],
    ['{{ $json.id + $itemIndex }}', 'b1'],
    ['{{ $input.all().length + $pageCount }}', 7],
    ['{{ $input.first().json.id }}', 'a'],
  ];
  for (const [source, expected] of sources) {
    expect([source, await evaluate(source, { onlyItem: 1, names: { $pageCount: 4 } })]).toEqual([source, expected]);
  }
});

test('a failing expression is an error of its item', async () => {
  const failing = evaluate('{{ $pageCount.constructor }}', { onlyItem: 2, names: { $pageCount: 4 } });
  await expect(failing).rejects.toMatchObject({ itemIndex: 2 });
});
