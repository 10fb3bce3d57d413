import { describe, expect, test } from '@jest/globals';
import { completeGivenRuns } from './given-run-data.ts';

describe('completeGivenRuns', () => {
  test('completes runs, and keeps node names that are special to JavaScript as data', () => {
    const given = JSON.parse('{"__proto__":[{"data":{"main":[[{"json":{}}]]}}],"constructor":[]}');
    const runData = completeGivenRuns(given);
    expect(Object.keys(runData)).toEqual(['__proto__', 'constructor']);
    expect(Object.values(runData)[0]).toEqual([
      { startTime: 0, executionTime: 0, executionStatus: 'success', source: [], data: { main: [[{ json: {} }]] } },
    ]);
  });
});
