import { describe, expect, test } from '@jest/globals';
import { maxRefsPerJob, parseJob, runExecution } from './contracts.ts';

const ref = { executionId: '17', attempt: 2 };
const refs = (count: number) => Array.from({ length: count }, (_, i) => ({ executionId: String(i + 1), attempt: 1 }));

describe('the run-execution job', () => {
  test.each([1, 2, maxRefsPerJob])('with %i executions is parsed as enqueued', (count) => {
    expect(parseJob(JSON.parse(JSON.stringify(runExecution.jobOf(refs(count)))))).toEqual(refs(count));
  });

  test('contains the trace of each execution and ignores a malformed trace', () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const traced = [
      { ...ref, traceparent },
      { executionId: '18', attempt: 1 },
    ];
    expect(parseJob(JSON.parse(JSON.stringify(runExecution.jobOf(traced))))).toEqual(traced);
    expect(parseJob({ v: 2, executions: [['17', 2, 'no trace']] })).toEqual([ref]);
  });

  test('names the workflow of an execution if it is known', () => {
    const named = [
      { ...ref, workflowId: 'w' },
      { executionId: '18', attempt: 1 },
    ];
    expect(parseJob(JSON.parse(JSON.stringify(runExecution.jobOf(named))))).toEqual(named);
    expect(parseJob({ v: 2, executions: [['17', 2, null, 5]] })).toEqual([ref]);
  });

  test('of an earlier version can be parsed', () => {
    expect(parseJob({ v: 1, ...ref })).toEqual([ref]);
  });

  test.each([
    null,
    {},
    { v: 3, executions: [['17', 1]] },
    { v: 2, executionId: '17', attempt: 1 },
    { v: 2, executions: [] },
    { v: 2, executions: '17' },
    { v: 2, executions: [null] },
    { v: 2, executions: [['17', 1], ['18']] },
    { v: 2, executions: [[17, 1]] },
    runExecution.jobOf(refs(maxRefsPerJob + 1)),
    { v: 1, executionId: '0', attempt: 1 },
    { v: 1, executionId: 17, attempt: 1 },
    { v: 1, executionId: '17; drop', attempt: 1 },
    { v: 1, executionId: '17', attempt: 0 },
    { v: 1, executionId: '17', attempt: '1' },
  ])('%j is rejected', (data) => {
    expect(() => parseJob(data)).toThrow(expect.objectContaining({ code: 'JOB_INVALID' }));
  });

  test('has a different ID for each attempt, in a format that BullMQ accepts', () => {
    const id = runExecution.jobId(ref);
    expect(id).toBe('execution-17-2');
    expect(id).not.toMatch(/:|^\d+$/);
  });
});
