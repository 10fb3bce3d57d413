import { type Attacks, large, manyObjects } from '../../../testing/attack.ts';

const results = () => JSON.stringify(manyObjects(900_000));

export const attacks: Attacks = {
  phantombuster: () => [
    {
      name: 'many results',
      parameters: { operation: 'getOutput', agentId: '1' },
      answer: (path) => (path.endsWith('fetch-output') ? '{"containerId":"7"}' : `{"resultObject":${results()}}`),
    },
    {
      name: 'a large argument',
      parameters: { agentId: '1', additionalFields: { argument: large() } },
      answer: () => '{"containerId":"7"}',
    },
  ],
};
