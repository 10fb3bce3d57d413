import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Asks a model about a page, in a separate session.',
  needs: 'an Airtop account and its API key (Airtop portal → API Keys)',
  notes:
    'Sessions cost credits until they end, at the latest after their idle timeout: end them with "Terminate Session", even if a workflow fails. A session that the node starts itself ends with the operation, unless "Auto-Terminate Session" is off. Session and window IDs come from the item if they are not set, so Airtop nodes can be chained. Files, agents, forms, and waiting for downloads are not supported.',
  parameters: {
    resource: 'extraction',
    operation: 'query',
    sessionMode: 'new',
    url: 'https://example.com/',
    prompt: 'What is the title of the page?',
    additionalFields: {},
  },
  inputs: [[{}]],
  outputs: [[{ sessionId: 's1', windowId: 'w1', data: { modelResponse: 'Example Domain' }, meta: { status: 'success' } }]],
};
