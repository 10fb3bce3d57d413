import { describe, expect, test } from '@jest/globals';
import { abortable } from './binary-content.ts';

describe('abortable', () => {
  test('returns all chunks in order', async () => {
    const content = async function* () {
      yield Buffer.from('a');
      yield Buffer.from('b');
    };
    const chunks: string[] = [];
    for await (const chunk of abortable(content(), new AbortController().signal)) chunks.push(String(chunk));
    expect(chunks).toEqual(['a', 'b']);
  });

  test('throws the reason of the signal while it waits for a chunk that never arrives', async () => {
    const stop = new AbortController();
    const silent = async function* (): AsyncGenerator<Uint8Array> {
      await new Promise(() => undefined);
    };
    const reading = abortable(silent(), stop.signal).next();
    stop.abort(new Error('canceled'));
    await expect(reading).rejects.toThrow('canceled');
    await expect(abortable(silent(), stop.signal).next()).rejects.toThrow('canceled');
  });

  test('releases its source when its reader stops', async () => {
    let released = false;
    const content = async function* () {
      try {
        for (;;) yield Buffer.from('a');
      } finally {
        released = true;
      }
    };
    for await (const _ of abortable(content(), new AbortController().signal)) break;
    expect(released).toBe(true);
  });
});
