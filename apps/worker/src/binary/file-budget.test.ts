import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { FileBudget } from './file-budget.ts';

const caps = { maxBytes: 20_000, executionMaxBytes: 50_000 };

async function* chunks(...sizes: number[]): AsyncGenerator<Uint8Array> {
  for (const size of sizes) yield Buffer.alloc(size);
}

const store = async (budget: FileBudget, ...sizes: number[]) => (await budget.count(chunks(...sizes), buffer)).length;

describe('FileBudget', () => {
  test('accepts a file of exactly the maximum size, and rejects a larger file at the first byte above it', async () => {
    expect(await store(new FileBudget(caps, 0), 10_000, 10_000)).toBe(20_000);
    let reads = 0;
    const endless = async function* () {
      for (;;) {
        reads += 1;
        yield Buffer.alloc(8_000);
      }
    };
    await expect(new FileBudget(caps, 0).count(endless(), buffer)).rejects.toMatchObject({
      code: 'BINARY_TOO_LARGE',
      message: 'the file would exceed the limit of 20000 bytes',
    });
    expect(reads).toBe(3);
  });

  test('counts all files of an execution together, including earlier files', async () => {
    const budget = new FileBudget(caps, 10_000);
    expect([await store(budget, 20_000), await store(budget, 20_000)]).toEqual([20_000, 20_000]);
    await expect(store(budget, 1)).rejects.toMatchObject({
      message: 'the files of the execution would exceed the limit of 50000 bytes',
    });
  });

  test('counts files that are stored concurrently as they grow', async () => {
    const budget = new FileBudget(caps, 20_000);
    const results = await Promise.allSettled([store(budget, 9_000, 9_000), store(budget, 9_000, 9_000)]);
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeLessThan(2);
  });

  test('does not count failed files', async () => {
    const budget = new FileBudget(caps, 0);
    for (let file = 0; file < 10; file += 1) await expect(store(budget, 15_000, 15_000)).rejects.toThrow('limit');
    expect(await store(budget, 20_000)).toBe(20_000);
  });

  test('does not count files that were read completely but could not be stored', async () => {
    const budget = new FileBudget(caps, 0);
    const refuse = async (content: AsyncIterable<Uint8Array>) => {
      await buffer(content);
      throw new Error('the disk is full');
    };
    for (let file = 0; file < 10; file += 1) await expect(budget.count(chunks(20_000), refuse)).rejects.toThrow('full');
    expect(await store(budget, 20_000)).toBe(20_000);
  });

  test('does not count released files', async () => {
    const budget = new FileBudget({ ...caps, executionMaxBytes: 20_000 }, 0);
    expect(await store(budget, 20_000)).toBe(20_000);
    budget.release(20_000);
    expect(await store(budget)).toBe(0);
    await expect(store(budget, 20_000)).rejects.toThrow('limit');
    budget.release(0);
    expect(await store(budget, 20_000)).toBe(20_000);
  });

  test('also counts empty files, so that their number is limited', async () => {
    const budget = new FileBudget({ ...caps, executionMaxBytes: 10_000 }, 0);
    expect([await store(budget), await store(budget)]).toEqual([0, 0]);
    await expect(store(budget)).rejects.toMatchObject({ code: 'BINARY_TOO_LARGE' });
  });
});
