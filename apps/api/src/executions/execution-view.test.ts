import { expect, test } from '@jest/globals';
import { JsonText, type NodeRun, type NodeRunRecord } from '@sluice/domain';
import { toResultData } from './execution-view.ts';

const aRun = (run: Partial<NodeRun>): NodeRun => ({
  startTime: 0,
  executionTime: 0,
  executionStatus: 'success',
  source: [],
  ...run,
});
const records: NodeRunRecord[] = [
  { nodeName: 'A', runIndex: 0, run: aRun({ customData: { order: '1', region: 'eu' } }) },
  { nodeName: 'B', runIndex: 0, run: aRun({ data: { main: [[{ json: {} }]] } }) },
  { nodeName: 'A', runIndex: 1, run: aRun({ customData: { order: '2' } }) },
];

test('metadata merges the custom data of all node runs; later values win', () => {
  expect(toResultData({ error: null }, records).metadata).toEqual({ order: '2', region: 'eu' });
});

test('metadata is absent if no custom data was set', () => {
  expect(toResultData({ error: null }, records.slice(1, 2))).not.toHaveProperty('metadata');
});

test('a failed run shows an empty output', () => {
  const error = { message: 'no', node: 'A' };
  const failed: NodeRunRecord = { nodeName: 'A', runIndex: 0, run: aRun({ executionStatus: 'error', error }) };
  expect(toResultData({ error }, [failed]).runData['A']).toEqual([{ ...failed.run, data: { main: [[]] } }]);
});

test('runs in serialized form are shown like parsed runs', () => {
  const asText = records.map((record) => ({
    ...record,
    run: record.nodeName === 'B' ? new JsonText(JSON.stringify(record.run)) : record.run,
  }));
  const resultDataOf = (nodeRuns: Parameters<typeof toResultData>[1]) =>
    JSON.parse(JSON.stringify(toResultData({ error: null }, nodeRuns)));
  expect(resultDataOf(asText)).toEqual(resultDataOf(records));
});
