import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Launches an agent with the address of a profile.',
  needs: 'a Phantombuster account and its API key (Workspace settings → Third party API keys)',
  notes:
    'A launch returns at once; the run takes minutes. Wait, for example with a Wait node, and then use “Get Output”. Runs use the execution time of the plan.',
  parameters: { agentId: '42', additionalFields: { bonusArgument: '{"profileUrl":"https://example.com/ada"}' } },
  inputs: [[{}]],
  outputs: [[{ containerId: '7' }]],
};
