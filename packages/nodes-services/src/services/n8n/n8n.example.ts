import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Lists the failed executions of a workflow.',
  needs:
    'an API key of the service (Settings → API keys) with the scope `execution:list`, and a credential with the key; for another service also its base URL `https://<host>/api/v1`',
  notes:
    'Each operation needs the scope with its name, such as `workflow:create` or `execution:retry`. The key is sent in the headers `X-SERVICE-API-KEY` and `X-N8N-API-KEY`, and to this service also in the header that `API_KEY_HEADER` sets. This service is reached at `PUBLIC_URL`. If another service is in a private network, list its host and port in `SSRF_ALLOW`, such as `10.0.0.5:5678`.',
  parameters: {
    resource: 'execution',
    returnAll: false,
    limit: 2,
    filters: { workflowId: { __rl: true, mode: 'id', value: 'w1' }, status: 'error' },
  },
  inputs: [[{}]],
  outputs: [[{ id: '7', workflowId: 'w1', status: 'error' }]],
};
