import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Items are changed and passed on.',
  parameters: { functionCode: 'for (const item of items) item.json.n *= 2;\nreturn items;' },
  inputs: [[{ n: 1 }, { n: 2 }]],
  outputs: [[{ n: 2 }, { n: 4 }]],
};
