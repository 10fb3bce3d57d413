import type { NodeType } from '@sluice/node-sdk';
import { extractHtmlContent } from '../html/extract-html-content.ts';
import { extractionProperties } from '../html/html-properties.ts';

export const htmlExtract: NodeType = {
  description: {
    displayName: 'HTML Extract',
    name: 'html-extract',
    deprecated: true,
    group: ['transform'],
    version: 1,
    description: 'Extracts values from HTML by CSS selectors; the predecessor of the HTML node',
    defaults: { name: 'HTML Extract' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: extractionProperties({}),
    icon: 'fa:cut',
  },
  execute: async (context) => [await extractHtmlContent(context, { readable: false, isHtmlExtract: true })],
};
