import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, WorkflowNode } from '@sluice/domain';
import type { NodeType } from '@sluice/node-sdk';
import { sourceSpecs } from './source-specs.ts';

const description = {} as NodeType['description'];
const poller: NodeType = { description, poll: async () => null };
const listener: NodeType = { description, trigger: async () => ({ close: () => undefined }) };

function specs(type: NodeType, node: Partial<WorkflowNode> = {}, more: { timezone?: string; pollTimes?: JsonValue } = {}) {
  const complete: WorkflowNode = { name: 'n', type: 'base.n', position: [0, 0], parameters: {}, ...node };
  const { timezone, pollTimes } = more;
  return sourceSpecs({ type, node: complete, typeVersion: 1, settings: timezone ? { timezone } : {}, pollTimes });
}
const fingerprint = (node: Partial<WorkflowNode>) => specs(listener, node)[0]?.fingerprint;
const withParameters = (parameters: JsonObject) => fingerprint({ parameters });

test('types that neither poll nor listen have no source', () => {
  expect(specs({ description, execute: () => [] })).toEqual([]);
});

test('a poll runs at its times in the time zone of the workflow, or every minute by default', () => {
  const pollTimes = { item: [{ mode: 'everyX', unit: 'minutes', value: 5 }] };
  expect(specs(poller)).toMatchObject([{ kind: 'poll', rules: [{ every: 'minutes', count: 1 }] }]);
  expect(specs(poller, {}, { timezone: 'Asia/Tokyo', pollTimes })).toMatchObject([
    { kind: 'poll', rules: [{ every: 'minutes', count: 5 }], timezone: 'Asia/Tokyo' },
  ]);
  expect(specs(poller, {}, { timezone: 'DEFAULT' })[0]).not.toHaveProperty('timezone');
});

describe('the fingerprint of a cursor', () => {
  test('differs for other parameters, credentials, or types', () => {
    const others = [
      fingerprint({}),
      withParameters({ url: 'a' }),
      withParameters({ url: 'b' }),
      fingerprint({ type: 'base.other' }),
      fingerprint({ credentials: { api: { id: '1', name: 'x' } } }),
      fingerprint({ credentials: { api: { id: '2', name: 'x' } } }),
    ];
    expect(new Set(others).size).toBe(others.length);
  });

  test('ignores member order, node position, and poll interval', () => {
    expect(withParameters({ a: 1, b: { c: 2, d: [3] } })).toBe(withParameters({ b: { d: [3], c: 2 }, a: 1 }));
    expect(withParameters({ pollTimes: { item: [] } })).toBe(withParameters({}));
    expect(fingerprint({ name: 'renamed', position: [1, 1] })).toBe(fingerprint({}));
    const renamed = { credentials: { api: { id: '1', name: 'renamed' } } };
    expect(fingerprint(renamed)).toBe(fingerprint({ credentials: { api: { id: '1', name: 'x' } } }));
  });

  test('is not computed for parameters that are too large', () => {
    const lists = (length: number) => ({ list: Array.from({ length }, () => 1) });
    expect(withParameters(lists(19_000))).toBeDefined();
    expect(() => withParameters(lists(21_000))).toThrow('are too large: 20000 values are allowed');
  });
});
