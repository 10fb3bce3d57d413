import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Reads the text of a document.',
  needs: 'a Mistral AI account and its API key (La Plateforme → API keys)',
  notes: 'Mistral bills each page. A file is uploaded, read, and deleted again.',
  parameters: { inputType: 'url', url: 'https://example.com/report.pdf' },
  inputs: [[{}]],
  outputs: [[{ pages: [{ index: 0, markdown: '# Report' }], model: 'mistral-ocr-latest' }]],
};
