import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Asks a chat model, and outputs its answer.',
  needs: 'an API key of OpenAI: Settings → API keys',
  notes: [
    'A restricted key needs the permission to write *Model capabilities*. The limits depend on the model and the tier of the organization (Settings → Limits); after more requests,',
    'the node waits.',
  ].join('\n'),
  parameters: {
    resource: 'chat',
    model: 'gpt-4o-mini',
    prompt: {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'What is the capital of Italy?' },
      ],
    },
    options: { temperature: 0.3, maxTokens: 100 },
  },
  inputs: [[{}]],
  outputs: [[{ index: 0, message: { role: 'assistant', content: 'Rome' }, finish_reason: 'stop' }]],
};
