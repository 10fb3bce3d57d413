import { describe, expect, test } from '@jest/globals';
import { runNode } from '../../testing/fake-context.ts';
import { limit } from './limit.ts';

const json = [{ id: 1 }, { id: 2 }, { id: 3 }];

describe('limit 1', () => {
  test.each([
    [{}, [0]],
    [{ maxItems: 2 }, [0, 1]],
    [{ maxItems: 2, keep: 'lastItems' }, [1, 2]],
    [{ maxItems: 9, keep: 'lastItems' }, [0, 1, 2]],
    [{ maxItems: 0 }, []],
    [{ maxItems: '' }, []],
    [{ maxItems: 1.9 }, [0]],
    [{ maxItems: 1.5, keep: 'lastItems' }, [1, 2]],
    [{ maxItems: -1 }, [0, 1]],
    [{ maxItems: -5 }, []],
    [{ maxItems: -1, keep: 'lastItems' }, []],
  ])('%j keeps items %j, paired with themselves', async (parameters, positions) => {
    const expected = positions.map((index) => ({ json: json[index], pairedItem: { item: index } }));
    expect(await runNode(limit, { json, parameters })).toEqual([expected]);
  });

  test.each(['firstItems', 'lastItems'])('an expression without a value keeps all: %s', async (keep) => {
    const [items] = await runNode(limit, { json, parameters: { keep }, written: { maxItems: '={{ $json.none }}' } });
    expect(items?.map((item) => item.json)).toEqual(json);
  });

  test.each([[{ maxItems: 'all' }], [{ keep: 'middle' }]])('%j is refused', async (parameters) => {
    await expect(runNode(limit, { json, parameters })).rejects.toThrow(/"(maxItems|keep)"/);
  });
});
