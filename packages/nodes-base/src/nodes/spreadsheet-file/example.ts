import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'An item for each row of a table.',
  parameters: { operation: 'fromFile', fileFormat: 'html', options: {} },
  inputs: [[{}]],
  files: {
    data: {
      fileName: 'stock.html',
      text: '<table><tr><td>part</td><td>count</td></tr><tr><td>bolt</td><td>12</td></tr></table>',
    },
  },
  outputs: [[{ part: 'bolt', count: 12 }]],
};
