import { expect, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import { csvText } from './csv-text.ts';
import { tableOfItems } from './table-of-items.ts';

async function textOf(json: readonly { [name: string]: string | number }[]): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of csvText(await tableOfItems(json.map((one) => ({ json: one }))), {
    delimiter: ',',
    headerRow: true,
  }))
    pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test('rows of long strings are written like rows of short strings', async () => {
  const long = 'a"b\n'.repeat(60_000);
  const quoted = `"${long.replaceAll('"', '""')}"`;
  expect(
    await textOf([
      { n: 1, text: long },
      { n: 2, text: 'x' },
      { n: 3, text: long },
    ]),
  ).toBe(`\uFEFFn,text\n1,${quoted}\n2,x\n3,${quoted}`);
});

test('many long strings do not block the event loop', async () => {
  const text = 'a"b,c '.repeat(2_000);
  const rows = Array.from({ length: 3_000 }, (_, n) => ({ n, text }));
  await textOf([{ n: 0 }]); // loads the library
  expect(await longestBusy(() => textOf(rows))).toBeLessThan(250);
}, 60_000);
