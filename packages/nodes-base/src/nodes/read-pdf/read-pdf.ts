import type { NodeType } from '@sluice/node-sdk';
import { pdfFacts } from '../../formats/pdf-facts.ts';
import { filesOf } from '../../shared/binary-files.ts';
import { booleanParameter, textParameter } from '../../shared/parameters.ts';
import { mapItemsAsync } from '../../shared/per-item-async.ts';
import { text, toggle, where } from '../../shared/properties.ts';

export const readPdf: NodeType = {
  description: {
    displayName: 'Read PDF',
    name: 'read-pdf',
    deprecated: true,
    group: ['input'],
    version: 1,
    description: 'Reads the text of PDF files; the predecessor of "Extract from File"',
    defaults: { name: 'Read PDF' },
    inputs: ['main'],
    outputs: ['main'],
    properties: [
      text('binaryPropertyName', 'Input Binary Field', 'Property of the item with the file', {
        default: 'data',
        required: true,
      }),
      toggle('encrypted', 'Encrypted', 'Whether the document needs a password'),
      text('password', 'Password', 'The password of the document', {
        typeOptions: { password: true },
        ...where({ encrypted: [true] }),
      }),
    ],
    icon: 'fa:file-pdf',
  },
  execute: async (context) => [
    await mapItemsAsync(context, async ({ binary }, itemIndex) => {
      const property = textParameter(context, 'binaryPropertyName', itemIndex, 'data').trim() || 'data';
      const encrypted = booleanParameter(context, 'encrypted', itemIndex, false);
      const password = encrypted ? textParameter(context, 'password', itemIndex) : '';
      const json = await pdfFacts(context, itemIndex, { property, password });
      return { json, ...filesOf(binary), pairedItem: { item: itemIndex } };
    }),
  ],
};
