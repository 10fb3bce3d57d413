import { afterAll, expect } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/domain';
import { createSandbox, type EvaluationScope, type ResolvedParameters } from '../src/index.ts';
import { itemsOf, makeScope, never } from './scope-fixture.ts';

/** As JSON, so that the field order matters. */
export const textOf = (value: JsonValue | undefined): string => JSON.stringify(value) ?? 'undefined';

export const item: JsonObject = {
  n: 21,
  half: 0.5,
  minus: -3,
  zero: 0,
  text: 'ab',
  digits: '12',
  empty: '',
  yes: true,
  key: 'n',
  no: false,
  nothing: null,
  list: [1, 'x'],
  deep: { n: 7, text: 'cd' },
  spaced: ' Ä-b,c ',
  written: '{"list":[1,{"a":7}]}',
  people: [
    { name: 'Ada', age: 36, tags: ['a'] },
    { name: 'Tim', age: 41, tags: ['c', 'd'] },
  ],
  tags: ['x', null, 2.5, true],
  'a b': { 2: 'two', 1: 'one\u2028\ud800' },
};
export const scope = makeScope({
  items: itemsOf(item),
  runs: { A: [{ outputs: [itemsOf({ v: 4 }, { v: 5 }).map((item, index) => ({ ...item, pairedItem: index }))] }] },
  vars: { rate: '1.5' },
});

/** A sandbox for a file's tests, with helper functions. It is closed after the last test. */
export function useSandbox() {
  const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 64, threads: 1 });
  afterAll(() => sandbox.close());

  const resolve = (parameters: JsonObject, over: EvaluationScope, signal = never) =>
    sandbox.resolve(sandbox.compile(parameters), over, signal);

  /**
   * The parameters if the host evaluates them, which is synchronous; nothing is evaluated in a
   * guest. Retries, because the host passes expressions on if it gets no processor time for 30 ms.
   */
  function atOnce(parameters: JsonObject, over: EvaluationScope): ResolvedParameters | undefined {
    for (let tries = 0; tries < 3; tries += 1) {
      const resolved = resolve(parameters, over, AbortSignal.abort());
      if (!(resolved instanceof Promise)) return resolved;
      resolved.catch(() => undefined);
    }
    return undefined;
  }

  const inHost = (text: string, over: EvaluationScope) => atOnce({ p: text }, over);

  /** The host has no comma operator. */
  function inGuest(text: string, over: EvaluationScope): Promise<ResolvedParameters> {
    const resolved = resolve({ p: text.replace('{{', '{{ (0,').replace('}}', ')}}') }, over);
    if (!(resolved instanceof Promise)) throw new Error(`the host has evaluated ${text}`);
    return resolved;
  }

  /** Whether the host did not evaluate all of it synchronously. */
  const hasMoved = (parameters: JsonObject, over: EvaluationScope) => atOnce(parameters, over) === undefined;

  /** Expects an expression's value in the host, and the same string in the guest. */
  async function expectBoth(source: string, value: unknown): Promise<void> {
    const text = `={{ ${source} }}`;
    const host = inHost(text, scope);
    expect(host?.get('p', 0)).toEqual(value);
    const guest = await inGuest(text, scope);
    expect(textOf(guest.get('p', 0))).toBe(textOf(host?.get('p', 0)));
  }

  /**
   * The text of an expression's value for each item for which the host evaluates it, in the host
   * and in the guest.
   */
  async function inBoth(source: string, over: EvaluationScope): Promise<[host: string[], guest: string[]]> {
    const guest = await inGuest(`={{ ${source} }}`, over);
    const [ofHost, ofGuest]: [string[], string[]] = [[], []];
    for (const index of over.items.keys()) {
      const host = inHost(`={{ ${source} }}`, { ...over, onlyItem: index });
      if (!host) continue;
      ofHost.push(textOf(host.get('p', index)));
      ofGuest.push(textOf(guest.get('p', index)));
    }
    return [ofHost, ofGuest];
  }

  return { sandbox, inHost, inGuest, inBoth, hasMoved, expectBoth };
}
