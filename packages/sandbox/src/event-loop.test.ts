import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { longestBusy, processorMs } from '@sluice/test-support';
import { itemsOf, makeScope, never } from '../tests/scope-fixture.ts';
import { createSandbox, type EvaluationScope } from './index.ts';
import { maxNeeds } from './limits.ts';
import { findReferences } from './scope/find-references.ts';
import { GuestScopeBuilder } from './scope/guest-scope-builder.ts';
import { type GuestRounds, runGuestRounds } from './threads/guest-rounds.ts';

const sandbox = createSandbox({ timeoutMs: 120_000, memoryMb: 512, threads: 1 });
const small = createSandbox({ timeoutMs: 120_000, memoryMb: 32, threads: 1 });
afterAll(() => Promise.all([sandbox.close(), small.close()]));

/** Maximum duration of one turn of the event loop, in milliseconds. */
const maxTurnMs = 250;

/** The result of the work, and the longest turn of the event loop during it, in milliseconds. */
async function watched<T>(work: () => T | Promise<T>): Promise<{ result: T; turnMs: number }> {
  const results: T[] = [];
  const turnMs = await longestBusy(async () => results.push(await work()));
  return { result: results[0] as T, turnMs };
}

const runCode = (source: string, scope: EvaluationScope, signal = never, on = sandbox) =>
  on.runCode({ source, mode: 'allItems', scope }, signal);

/** A list shared by a hundred items: ten million objects in the JSON, but little memory. */
const list = Array.from({ length: 100_000 }, () => ({ a: null }));
const manyValues = makeScope({ items: itemsOf(...Array.from({ length: 100 }, () => ({ list }))) });
const many = makeScope({ items: itemsOf(...Array.from({ length: 100_000 }, (_, id) => ({ id, text: 'x'.repeat(80) }))) });

test('a request of tens of megabytes never blocks the event loop', async () => {
  const code = await watched(() => runCode('return []', manyValues, never, small).catch((error: unknown) => error));
  expect(code.result).toMatchObject({ code: 'CODE_MEMORY' });
  expect(code.turnMs).toBeLessThan(maxTurnMs);
  const compiled = small.compile({ p: '={{ Object.keys($json).length }}' });
  const expression = await watched(() => small.resolve(compiled, manyValues, never));
  expect(() => expression.result.get('p', 0)).toThrow(expect.objectContaining({ code: 'EXPRESSION_ERROR' }));
  expect(expression.turnMs).toBeLessThan(maxTurnMs);
});

test('a request that the guest would reject is not written to its end', async () => {
  // A gigabyte of JSON.
  const huge = makeScope({ items: itemsOf(...Array.from({ length: 1_000 }, () => ({ list }))) });
  const refused = () => expect(runCode('return []', huge, never, small)).rejects.toMatchObject({ code: 'CODE_MEMORY' });
  expect(await processorMs(refused)).toBeLessThan(1_000);
});

test('a reply of millions of values never blocks the event loop', async () => {
  const source =
    'const none = []; const list = () => Array(9e5).fill(none); return [{ json: { first: list(), second: list() } }]';
  const { result, turnMs } = await watched(() => runCode(source, makeScope()));
  expect(result.items[0]?.json['second']).toHaveLength(900_000);
  expect(turnMs).toBeLessThan(maxTurnMs);
});

test('a reply of one string, in which JSON escapes each character, never blocks the event loop', async () => {
  const { result, turnMs } = await watched(() => runCode(`return [{ json: { text: '"'.repeat(8e6) } }]`, makeScope()));
  expect(result.items[0]?.json['text']).toHaveLength(8_000_000);
  expect(turnMs).toBeLessThan(maxTurnMs);
});

test('100,000 items never block the event loop in a Code node or an expression', async () => {
  const code = await watched(() => runCode('return $input.all()', many));
  expect(code.result.items).toHaveLength(100_000);
  expect(code.turnMs).toBeLessThan(maxTurnMs);
  const compiled = sandbox.compile({ p: '={{ $json.text.toUpperCase() + $json.id }}' });
  const expression = await watched(() => sandbox.resolve(compiled, many, never));
  expect(expression.result.get('p', 99_999)).toBe(`${'X'.repeat(80)}99999`);
  expect(expression.turnMs).toBeLessThan(maxTurnMs);
});

test('a million items of this node and of another are collected for the guest without blocking the event loop', async () => {
  const items = Array.from({ length: 1_000_000 }, () => ({ json: {} }));
  const scope = makeScope({ items, runsOf: () => [{ outputs: [items, [{ json: {} }]] }] });
  const builder = new GuestScopeBuilder(scope, { ...findReferences(['$("A").all()']), items: true, jsonFields: undefined });
  const { turnMs } = await watched(() => builder.start());
  expect(turnMs).toBeLessThan(maxTurnMs);
  const { table, nodes } = builder.build();
  expect(table).toHaveLength(1_000_001);
  expect(nodes[0]?.[1].runs?.[0]?.map((places) => places?.length)).toEqual([1_000_000, 1]);
});

test('data that code requests repeatedly is collected once, without blocking the event loop', async () => {
  const items = itemsOf(...Array.from({ length: 1_000 }, (_, id) => ({ id })));
  let reads = 0;
  const pairedItem = (_: string, itemIndex: number) => {
    reads += 1;
    return { item: items[itemIndex] };
  };
  const scope = makeScope({ items, runs: { A: [{ outputs: [items] }] }, pairedItem });
  const source = `const name = 'A';
for (let at = 0; at < 50_000; at += 1) try { return [$(name).item] } catch {}`;
  const { result, turnMs } = await watched(() => runCode(source, scope));
  expect(result.items[0]?.json).toEqual({ id: 0 });
  expect(reads).toBe(items.length);
  expect(turnMs).toBeLessThan(maxTurnMs);
});

test('a guest that requests a million nodes gets some of them, without blocking the event loop', async () => {
  const reply = JSON.stringify({ needs: Array.from({ length: 1_000_000 }, (_, at) => ({ node: `${at}`, aspect: 'runs' })) });
  let reads = 0;
  const runsOf = () => {
    reads += 1;
    return undefined;
  };
  const scope = makeScope({ runsOf });
  const rounds: GuestRounds = {
    run: 'code',
    image: 'plain',
    timeoutMs: 1_000,
    origin: { projectId: 'p1', workflowId: 'w1', nodeName: 'Self' },
    builder: new GuestScopeBuilder(scope, findReferences([])),
    requestFor: () => ({}),
    signal: never,
  };
  const caller = { maxRequestLength: 1_000, run: async () => ({ outcome: { reply }, durationMs: 500 }) };
  const { result, turnMs } = await watched(() => runGuestRounds(caller, rounds));
  expect(result).toEqual({ failure: 'timeout' });
  expect(reads).toBe(2 * maxNeeds);
  expect(turnMs).toBeLessThan(maxTurnMs);
});

describe('an expression that reads the parameters of 100 nodes', () => {
  const names = Array.from({ length: 100 }, (_, at) => `Node ${at}`);
  const parameters = Object.fromEntries(names.map((name) => [name, { a: '={{ 1 }}' }]));
  const source = names.map((name) => `$node["${name}"].parameter.a`).join('+');
  const compiled = sandbox.compile({ p: `={{ ${source} }}` });
  let compiledNodes = 0;
  /** Takes as long as for a node with as many expressions as the host parses. */
  const compiledParametersOf = (name: string) => {
    const until = performance.now() + 10;
    while (performance.now() < until);
    compiledNodes += 1;
    return sandbox.compile(parameters[name] ?? {});
  };
  const scope = makeScope({ parameters, compiledParametersOf });

  test('never blocks the event loop while they are compiled', async () => {
    const { result, turnMs } = await watched(() => sandbox.resolve(compiled, scope, never));
    expect(result.get('p', 0)).toBe(100);
    expect(turnMs).toBeLessThan(maxTurnMs);
  });

  test('ends at an abort', async () => {
    compiledNodes = 0;
    const abort = new AbortController();
    const resolving = sandbox.resolve(compiled, scope, abort.signal);
    await nextTurn();
    abort.abort(new Error('canceled'));
    await expect(resolving).rejects.toThrow('canceled');
    expect(compiledNodes).toBeLessThan(50);
  });
});

test('an abort takes effect while a large request is written', async () => {
  const abort = new AbortController();
  const running = runCode('return []', manyValues, abort.signal, small);
  await nextTurn();
  abort.abort(new Error('canceled'));
  await expect(running).rejects.toThrow('canceled');
});

test('an object with too many keys in a large reply is rejected with a reason', async () => {
  const source = 'return [{ json: Object.fromEntries(Array.from({ length: 100_001 }, (_, at) => [String(at), at])) }]';
  await expect(runCode(source, makeScope())).rejects.toMatchObject({
    code: 'CODE_ERROR',
    message: expect.stringContaining('100000 keys'),
  });
});
