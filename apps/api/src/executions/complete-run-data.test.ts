import { describe, expect, test } from '@jest/globals';
import type { SentNodeRun } from '@sluice/contract';
import type { NodeRun } from '@sluice/domain';
import { completeRunData } from './complete-run-data.ts';

describe('completeRunData', () => {
  test('completes runs and treats node names with a special meaning in JavaScript as data', () => {
    const parsed = JSON.parse('{"__proto__":[{"data":{"main":[[{"json":{}}]]}}],"constructor":[]}');
    const runData = completeRunData(parsed);
    expect(Object.keys(runData)).toEqual(['__proto__', 'constructor']);
    expect(Object.values(runData)[0]).toEqual([
      { startTime: 0, executionTime: 0, executionStatus: 'success', source: [], data: { main: [[{ json: {} }]] } },
    ]);
  });

  test('keeps sources, contexts, and failures of a run', () => {
    const ran: NodeRun = {
      startTime: 1,
      executionTime: 2,
      executionStatus: 'success',
      source: [null, { previousNode: 'A', previousNodeOutput: 1, previousNodeRun: 2 }],
      data: { main: [[{ json: {}, pairedItem: { item: 0 } }]] },
      contextAfter: { left: 3 },
    };
    const failed: NodeRun = { startTime: 1, executionTime: 2, executionStatus: 'error', source: [] };
    const sent: Record<string, SentNodeRun[]> = JSON.parse(JSON.stringify({ A: [ran], B: [failed] }));
    expect({ ...completeRunData(sent) }).toEqual({ A: [ran], B: [failed] });
  });

  test('treats any other status as a failure', () => {
    expect(completeRunData({ A: [{ executionStatus: 'canceled' }] })['A']?.[0]?.executionStatus).toBe('error');
  });
});
