import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Reads a web page as Markdown.',
  needs: 'a Jina AI account and its API key (jina.ai → API)',
  notes:
    'Each request counts toward the tokens of the account. The page is loaded by Jina AI, so it must be reachable from the internet. Deep research takes up to several minutes.',
  parameters: { url: 'https://example.com/', options: { outputFormat: 'markdown' } },
  inputs: [[{}]],
  outputs: [[{ title: 'Example Domain', url: 'https://example.com/', content: 'This domain is for use in examples.' }]],
};
