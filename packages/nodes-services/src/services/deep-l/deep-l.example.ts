import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Translates a text into French.',
  needs: 'an account of the DeepL API and its key (Account → API keys)',
  notes:
    'A key that ends with `:fx` belongs to the free plan, and the node uses the address of that plan. Each character counts toward the plan. A request may have up to 128 KiB.',
  parameters: { text: '={{ $json.text }}', translateTo: 'FR', additionalFields: { formality: 'prefer_more' } },
  inputs: [[{ text: 'Hello, world!' }]],
  outputs: [[{ detected_source_language: 'EN', text: 'Bonjour, le monde !' }]],
};
