import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import type { BinaryStore } from '@sluice/binary-store';
import type { BinaryRepository } from '@sluice/db';
import { MemoryBudget } from '@sluice/domain';
import { ExecutionFiles } from './execution-files.ts';

const mebibyte = 1024 * 1024;
const reference = { id: 'a', mimeType: 'text/plain' };
const { signal } = new AbortController();

test('executions that read large files as a whole take turns', async () => {
  const budget = new MemoryBudget({ limit: 100 * mebibyte, inUse: () => 1 });
  let opened = 0;
  const binaries = { findReadable: async () => ({ ...reference, fileName: null, size: 30 * mebibyte }) };
  const store = {
    open: async () => {
      opened += 1;
      return Readable.from([Buffer.from('bytes')]);
    },
  };
  const executions = Array.from({ length: 4 }, () => {
    const memory = budget.open(signal);
    const options = {
      binaries: binaries as unknown as BinaryRepository,
      store: store as unknown as BinaryStore,
      caps: { maxBytes: 100 * mebibyte, executionMaxBytes: 100 * mebibyte },
      claim: { ensure: async () => {} },
      memory,
    };
    return { memory, reading: new ExecutionFiles(options, '1', signal).read(reference) };
  });
  await executions[0]?.reading;
  await new Promise(setImmediate);
  expect(opened).toBe(1);
  for (const { memory, reading } of executions) {
    expect(Buffer.from(await reading).toString()).toBe('bytes');
    memory[Symbol.dispose]();
  }
  expect(opened).toBe(4);
});
