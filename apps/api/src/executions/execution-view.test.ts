import { expect, test } from '@jest/globals';
import type { NodeRun, NodeRunRecord } from '@sluice/domain';
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
  { nodeName: 'B', runIndex: 0, run: aRun({}) },
  { nodeName: 'A', runIndex: 1, run: aRun({ customData: { order: '2' } }) },
];

test('metadata are the custom data of all node runs, later ones over earlier ones', () => {
  expect(toResultData({ error: null }, records).metadata).toEqual({ order: '2', region: 'eu' });
});

test('metadata are absent if none were set', () => {
  expect(toResultData({ error: null }, records.slice(1, 2))).not.toHaveProperty('metadata');
});
