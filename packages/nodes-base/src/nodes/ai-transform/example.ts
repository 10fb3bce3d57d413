import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Generated code keeps the items of adults.',
  parameters: {
    instructions: 'Keep only adults',
    jsCode: 'const items = $input.all();\nreturn items.filter((item) => item?.json?.age >= 18);',
  },
  inputs: [
    [
      { name: 'Ada', age: 36 },
      { name: 'Tim', age: 7 },
    ],
  ],
  outputs: [[{ name: 'Ada', age: 36 }]],
};
