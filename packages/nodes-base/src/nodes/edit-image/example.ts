import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A new image of 200 × 100 pixels with text, in the field `data` of the files of the item, as PNG.',
  parameters: {
    operation: 'multiStep',
    operations: {
      operations: [
        { operation: 'create', width: 200, height: 100, backgroundColor: '#ffeecc' },
        { operation: 'text', text: 'Sluice', fontSize: 32, positionX: 20, positionY: 60 },
      ],
    },
    options: { fileName: 'title.png', format: 'png' },
  },
  inputs: [[{ project: 'Sluice' }]],
  outputs: [[{ project: 'Sluice' }]],
};
