import { expect, test } from '@jest/globals';
import { createNodeTypeRegistry } from '../../node-type-registry.ts';
import { runNode } from '../../testing/fake-context.ts';
import { memoryBinary } from '../../testing/memory-binary.ts';
import { samplePdf } from '../../testing/sample-pdf.ts';
import { readPdf } from './read-pdf.ts';

test('read PDF returns the text of all pages, and keeps the file', async () => {
  const binary = memoryBinary();
  const data = await binary.store(samplePdf([['One'], ['Two']]), { fileName: 'a.pdf' });
  expect(await runNode(readPdf, { binary, inputs: [[{ json: { id: 1 }, binary: { data } }]] })).toEqual([
    [
      {
        json: expect.objectContaining({ numpages: 2, text: 'One\n\nTwo' }),
        binary: { data },
        pairedItem: { item: 0 },
      },
    ],
  ]);
});

test('the type is also found under the name with capitals in the format', () => {
  expect(createNodeTypeRegistry([readPdf]).find('n8n-nodes-base.readPDF')).toBe(readPdf);
});
