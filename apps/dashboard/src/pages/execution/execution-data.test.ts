import { describe, expect, test } from '@jest/globals';
import type { RunData } from '../../data/run-data.ts';
import { schemaOf } from '../../ui/schema-of.ts';
import { adviceFor } from './advice.ts';
import { edgeItems, edgeKey, inputsOf, nodeStates } from './node-states.ts';
import { timelineOf } from './timeline-of.ts';

const run = { startTime: 1000, executionTime: 40, executionStatus: 'success' as const, source: [] };
const items = (...values: object[]) => values.map((json) => ({ json: json as Record<string, unknown> }));
const runData: RunData = {
  Orders: [{ ...run, data: { main: [items({ id: 1 }, { id: 2 })] } }],
  If: [
    { ...run, startTime: 1040, source: [{ previousNode: 'Orders' }], data: { main: [items({ id: 1 }), items({ id: 2 })] } },
    {
      ...run,
      startTime: 1100,
      executionTime: 10,
      executionStatus: 'error',
      source: [{ previousNode: 'If', previousNodeOutput: 1 }],
    },
  ],
};

describe('node runs', () => {
  test('a node has the status of its last run and the total time; a node that is in progress is running', () => {
    const states = nodeStates(runData, new Set(['Next', 'Orders']));
    expect(states.get('If')).toEqual({ status: 'error', runs: 2, durationMs: 50, items: 0 });
    expect(states.get('Orders')).toEqual({ status: 'running', runs: 2, durationMs: 40, items: 2 });
    expect(states.get('Next')).toEqual({ status: 'running', runs: 1, durationMs: 0, items: 0 });
  });

  test('connections carry the items of the last run of their source', () => {
    expect(edgeItems({ If: runData['If']?.slice(0, 1) ?? [] }).get(edgeKey('If', 'main', 1))).toBe(1);
    expect(edgeItems(runData).get(edgeKey('Orders', 'main', 0))).toBe(2);
  });

  test('the input of a run is the output of its source runs', () => {
    const [, second] = runData['If'] ?? [];
    expect(second && inputsOf(second, runData)).toEqual([{ from: 'If', output: 1, items: items({ id: 2 }) }]);
  });

  test('the timeline has each run in order, as a share of the total time', () => {
    const { bars, spanMs } = timelineOf(runData, { from: 960, to: 1160 });
    expect(spanMs).toBe(200);
    expect(bars.map(({ name, runIndex, start, width }) => [name, runIndex, start, width])).toEqual([
      ['Orders', 0, 0.2, 0.2],
      ['If', 0, 0.4, 0.2],
      ['If', 1, 0.7, 0.05],
    ]);
  });

  test('the timeline shows failed attempts within their run, and the waiting run', () => {
    const failedTries = [{ startTime: 1000, executionTime: 20, message: 'no' }];
    const waiting = { node: 'Wait', startTime: 1100 };
    const { bars } = timelineOf({ Fetch: [{ ...run, metadata: { failedTries } }] }, { from: 1000, to: 1200, waiting });
    expect(bars).toMatchObject([
      { name: 'Fetch', failedTries: [{ start: 0, width: 0.1, message: 'no' }] },
      { name: 'Wait', runIndex: 0, status: 'waiting', start: 0.5, width: 0.5 },
    ]);
    expect(nodeStates({}, new Set(), 'Wait').get('Wait')).toMatchObject({ status: 'waiting', runs: 1 });
  });
});

test.each([[null], ['no'], [{}], [{ startTime: 1, executionTime: null, message: 'no' }]])(
  'a failed attempt of another shape is ignored: %j',
  (entry) => {
    const [bar] = timelineOf({ Fetch: [{ ...run, metadata: { failedTries: [entry] } }] }, { from: 1000, to: 1200 }).bars;
    expect(bar).toMatchObject({ name: 'Fetch', failedTries: [] });
  },
);

test('a schema has the fields of all items, with their types and an example', () => {
  const fields = schemaOf([{ a: 1, list: [{ x: 'y' }] }, { a: null }]);
  expect(fields).toEqual([
    { path: 'a', depth: 0, name: 'a', types: ['number', 'null'], count: 2, example: '1' },
    { path: 'list', depth: 0, name: 'list', types: ['array'], count: 1 },
    { path: 'list[ ]', depth: 1, name: '[ ]', types: ['object'], count: 1 },
    { path: 'list[ ].x', depth: 2, name: 'x', types: ['string'], count: 1, example: 'y' },
  ]);
});

test.each([
  ['error', 'Request failed with status 401', /credential/],
  ['error', 'connect ECONNREFUSED 127.0.0.1:80', /could not be reached/],
  ['error', 'x is not defined', /expression or code/],
  ['error', 'The card was declined', /Look at the input/],
  ['crashed', 'anything', /worker ended/],
])('%s, %s: has advice', (status, message, advice) => {
  expect(adviceFor({ status, message })).toMatch(advice);
});
