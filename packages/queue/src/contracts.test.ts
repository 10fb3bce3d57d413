import { describe, expect, test } from '@jest/globals';
import { parseRunExecutionJob, runExecution } from './contracts.ts';

describe('the run-execution job', () => {
  test('is parsed as it was enqueued', () => {
    expect(parseRunExecutionJob(JSON.parse('{"v":1,"executionId":"17","attempt":1}'))).toEqual({
      v: 1,
      executionId: '17',
      attempt: 1,
    });
  });

  test.each([
    null,
    {},
    { v: 2, executionId: '17', attempt: 1 },
    { v: 1, executionId: '0', attempt: 1 },
    { v: 1, executionId: 17, attempt: 1 },
    { v: 1, executionId: '17; drop', attempt: 1 },
    { v: 1, executionId: '17', attempt: 0 },
    { v: 1, executionId: '17', attempt: '1' },
  ])('%j is refused', (data) => {
    expect(() => parseRunExecutionJob(data)).toThrow(expect.objectContaining({ code: 'JOB_INVALID' }));
  });

  test('has its own id for each attempt, in a format that BullMQ accepts', () => {
    const id = runExecution.jobId({ executionId: '17', attempt: 2 });
    expect(id).toBe('execution-17-2');
    expect(id).not.toMatch(/:|^\d+$/);
  });
});
