import { describe, expect, test } from '@jest/globals';
import { evaluateInBatch } from './evaluate-in-batch.ts';

/** Records requests. Returns expressions as values, or errors for all if one is `endless`. */
function newService() {
  const requests: Record<string, string>[] = [];
  const evaluate = async (parameters: Readonly<Record<string, string>>) => {
    requests.push({ ...parameters });
    const isEndless = Object.values(parameters).includes('endless');
    const error = { code: 'EXPRESSION_ERROR', message: 'it took too long' };
    return Object.entries(parameters).map(([path, value]) => (isEndless ? { path, error } : { path, value }));
  };
  return { requests, evaluate };
}

describe('expressions that are requested in the same tick', () => {
  test('are evaluated by one request', async () => {
    const { requests, evaluate } = newService();
    const previews = await Promise.all(['a', 'b', 'a'].map((one) => evaluateInBatch('node', one, evaluate)));
    expect(previews.map((preview) => preview?.value)).toEqual(['a', 'b', 'a']);
    expect(requests).toHaveLength(1);
    expect((await evaluateInBatch('node', 'c', evaluate))?.value).toBe('c');
    expect(requests).toHaveLength(2);
  });

  test('are evaluated separately if they belong to different nodes or data', async () => {
    const { requests, evaluate } = newService();
    await Promise.all(['one', 'other'].map((key) => evaluateInBatch(key, 'a', evaluate)));
    expect(requests).toHaveLength(2);
  });

  test('are evaluated one by one if one of them makes all fail', async () => {
    const { evaluate } = newService();
    const previews = await Promise.all(['a', 'endless'].map((one) => evaluateInBatch('node', one, evaluate)));
    expect(previews).toMatchObject([{ value: 'a' }, { error: { message: 'it took too long' } }]);
  });

  test('all fail with the request', async () => {
    const evaluate = async () => Promise.reject(new Error('unreachable'));
    const previews = ['a', 'b'].map((one) => evaluateInBatch('node', one, evaluate));
    expect((await Promise.allSettled(previews)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
