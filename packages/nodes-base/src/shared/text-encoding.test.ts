import { expect, test } from '@jest/globals';
import { fakeContext } from '../testing/fake-context.ts';
import { codecParameter } from './text-encoding.ts';

test.each(['gb18030', 'shiftjis', 'utf16be', 'utf-32', 'windows1252', 'utf8'])(
  'a long string in %s is read back unchanged',
  async (encoding) => {
    const codec = await codecParameter(fakeContext({ parameters: { encoding } }), 'encoding', 0);
    const text = `${encoding === 'windows1252' ? 'é' : 'a漢'}bc`.repeat(50_000);
    const bytes = await codec.encode(text, false);
    expect(await codec.decode(bytes, true)).toBe(text);
  },
);
