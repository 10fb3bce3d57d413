import { describe, expect, test } from '@jest/globals';
import { SharedRead } from './shared-read.ts';

function set() {
  const reads: { resolve: (response: string) => void; reject: (error: Error) => void }[] = [];
  const shared = new SharedRead<string>();
  const ask = (key = 'a') => shared.ask(key, () => new Promise((resolve, reject) => reads.push({ resolve, reject })));
  return { reads, ask };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('SharedRead', () => {
  test('a request during a read gets the result of a later read, shared with others that wait', async () => {
    const { reads, ask } = set();
    const first = ask();
    const others = [ask(), ask()];
    expect(reads).toHaveLength(1);
    reads[0]?.resolve('old');
    expect(await first).toBe('old');
    await settle();
    expect(reads).toHaveLength(2);
    const last = ask();
    reads[1]?.resolve('new');
    expect(await Promise.all(others)).toEqual(['new', 'new']);
    await settle();
    reads[2]?.resolve('newest');
    expect(await last).toBe('newest');
  });

  test('different keys do not wait for each other', () => {
    const { reads, ask } = set();
    void ask('a');
    void ask('b');
    expect(reads).toHaveLength(2);
  });

  test('a failure rejects only the requests that share the read', async () => {
    const { reads, ask } = set();
    const first = ask();
    const second = ask();
    reads[0]?.reject(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await settle();
    reads[1]?.resolve('back');
    expect(await second).toBe('back');
  });

  test('nothing is kept once all requests are complete', async () => {
    const { reads, ask } = set();
    const first = ask();
    reads[0]?.resolve('one');
    await first;
    await settle();
    const again = ask();
    expect(reads).toHaveLength(2);
    reads[1]?.resolve('two');
    expect(await again).toBe('two');
  });
});
