import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A fingerprint of a string.',
  parameters: { value: '={{ $json.text }}', dataPropertyName: 'hash' },
  inputs: [[{ text: 'abc' }]],
  outputs: [[{ text: 'abc', hash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' }]],
};
