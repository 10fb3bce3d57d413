import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a task in a project.',
  needs:
    'a site of Jira Cloud, the email address of an account with the permission to create issues, and its API token (id.atlassian.com → Security → API tokens)',
  notes:
    'Jira Data Center works with a password or a personal access token. Description and wiki-markup comments use version 2 of the API, other comments of the cloud version 3. Without a query, all issues are listed, latest first. Jira limits requests by cost and specifies how long to wait; the node waits that long.',
  parameters: {
    project: { __rl: true, mode: 'id', value: '10000' },
    issueType: { __rl: true, mode: 'id', value: '10002' },
    summary: '={{ $json.title }}',
    additionalFields: { description: '={{ $json.text }}', labels: ['automated'] },
  },
  inputs: [[{ title: 'Broken', text: 'It does not start' }]],
  outputs: [[{ id: '1', key: 'APP-5', self: 'https://acme.atlassian.net/rest/api/2/issue/1' }]],
};
