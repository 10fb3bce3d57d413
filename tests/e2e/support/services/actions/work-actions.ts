import { expect } from '@jest/globals';
import { connected } from '../service-requests.ts';
import type { ServiceAction } from './service-action.ts';

/** Services for tasks, projects, tickets, and devices. */
export const workActions: Readonly<Record<string, ServiceAction>> = {
  beeminder: {
    credentials: { beeminderApi: { authToken: 't1' } },
    requests: [
      [
        'POST /api/v1/users/me/goals/reading/datapoints.json?auth_token=t1',
        'value=12&comment=From+Sluice&requestid=2026-01-31',
      ],
    ],
  },
  'circle-ci': {
    credentials: { circleCiApi: { apiKey: 't1' } },
    requests: [['POST /api/v2/project/github/acme/shop/pipeline', { branch: 'main' }]],
  },
  signl4: {
    credentials: { signl4Api: { teamSecret: 'team1' } },
    requests: [
      [
        'POST /webhook/team1',
        { Title: 'Pump 7', Message: 'The pump is too hot.', 'X-S4-ExternalID': 'pump-7', 'X-S4-Status': 'new' },
      ],
    ],
  },
  asana: {
    credentials: { asanaApi: { accessToken: 't1' } },
    requests: [
      [
        'POST /api/1.0/tasks',
        { data: { workspace: '11', name: 'Call Ada', due_on: '2026-01-31', notes: 'About the order', projects: ['22'] } },
      ],
    ],
  },
  freshdesk: {
    credentials: { freshdeskApi: { apiKey: 'k1', domain: 'acme' } },
    requests: [
      ['POST /api/v2/tickets', { email: 'ada@example.com', subject: 'Broken', description: 'It does not start', priority: 2 }],
    ],
  },
  'google-tasks': {
    credentials: { googleTasksOAuth2Api: connected('ya29') },
    requests: [
      [
        'POST /tasks/v1/lists/%40default/tasks',
        { title: 'Call Ada', notes: 'About the order', due: '2026-01-31T00:00:00.000Z' },
      ],
    ],
  },
  'home-assistant': {
    credentials: { homeAssistantApi: { host: 'home.test', port: 443, ssl: true, accessToken: 't1' } },
    requests: [['POST /api/services/light/turn_on', { entity_id: 'light.kitchen' }]],
  },
  jira: {
    credentials: {
      jiraSoftwareCloudApi: { email: 'ann@acme.test', apiToken: 'token1', domain: 'https://acme.atlassian.net/' },
    },
    requests: [
      [
        'POST /rest/api/2/issue',
        {
          fields: {
            project: { id: '10000' },
            issuetype: { id: '10002' },
            summary: 'Broken',
            description: 'It does not start',
            labels: ['automated'],
          },
        },
      ],
    ],
  },
  linear: {
    credentials: { linearApi: { apiKey: 'lin_1' } },
    requests: [
      [
        'POST /graphql',
        {
          query: expect.stringContaining('issueCreate ('),
          variables: { input: { teamId: 't1', title: 'Checkout fails', description: 'Since noon', priority: 1 } },
        },
      ],
    ],
  },
  'microsoft-to-do': {
    credentials: { microsoftToDoOAuth2Api: connected('t') },
    requests: [
      [
        'POST /v1.0/me/todo/lists/l1/tasks',
        {
          title: 'Call Ada',
          importance: 'high',
          body: { contentType: 'html', content: 'About the order' },
          dueDateTime: { dateTime: '2026-01-31T00:00:00', timeZone: 'UTC' },
        },
      ],
    ],
  },
  'monday-com': {
    credentials: { mondayComApi: { apiToken: 'token1' } },
    requests: [
      [
        'POST /v2',
        {
          query: expect.stringContaining('create_item ('),
          variables: { boardId: '42', groupId: 'topics', itemName: 'Plan', columnValues: '{"status":{"label":"Done"}}' },
        },
      ],
    ],
  },
  n8n: {
    credentials: { n8nApi: { apiKey: 'key1', baseUrl: 'https://auto.example/api/v1/' } },
    requests: [['GET /api/v1/executions?status=error&workflowId=w1&limit=2']],
  },
  'service-now': {
    credentials: { serviceNowBasicApi: { user: 'ann', password: 'p1', subdomain: 'acme' } },
    requests: [
      ['POST /api/now/table/incident', { short_description: 'Mail is down', urgency: '2', caller_id: 'Ada Lovelace' }],
    ],
  },
  todoist: {
    credentials: { todoistApi: { apiKey: 'k1' } },
    requests: [
      ['POST /api/v1/tasks', { content: 'Call Ada', project_id: '6P79Pc', due_datetime: '2026-01-31T09:00:00Z', priority: 3 }],
    ],
  },
  trello: {
    credentials: { trelloApi: { apiKey: 'key1', apiToken: 'token1' } },
    requests: [['POST /1/cards', { idList: 'list1', name: 'Plan', desc: 'Ask Ann', due: '2026-02-01' }]],
  },
  zendesk: {
    credentials: { zendeskApi: { subdomain: 'acme', email: 'ann@acme.test', apiToken: 'token1' } },
    requests: [
      ['POST /api/v2/tickets', { ticket: { comment: { body: 'It does not start' }, subject: 'Broken', tags: ['web'] } }],
    ],
  },
};
