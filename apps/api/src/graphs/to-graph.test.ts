import { describe, expect, test } from '@jest/globals';
import { toGraph } from './to-graph.ts';

const current = { name: 'n', nodes: [], connections: {}, settings: { timezone: 'UTC' }, pinData: { a: [{ json: {} }] } };

describe('toGraph', () => {
  test('copies absent parts from the current graph and replaces all others entirely', () => {
    expect(toGraph({}, current)).toEqual(current);
    expect(toGraph({ settings: { executionOrder: 'v1' } }, current).settings).toEqual({ executionOrder: 'v1' });
  });

  test('treats empty settings and pinned data as absent', () => {
    expect(Object.keys(toGraph({ settings: {}, pinData: null }, current))).toEqual(['name', 'nodes', 'connections']);
    expect(Object.keys(toGraph({ pinData: {} }))).toEqual(['name', 'nodes', 'connections']);
  });
});
