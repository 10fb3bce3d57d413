import type { JsonObject, ListSearchResult, MethodContext } from '@sluice/node-sdk';
import { choice, choices, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import { chosenId } from '../../shared/service-item.ts';
import { issue } from './issue.ts';
import { issueAttachment } from './issue-attachment.ts';
import { issueComment } from './issue-comment.ts';
import { allOf, isCloud, jiraClient } from './jira-client.ts';
import { user } from './user.ts';

export const jira = defineService({
  displayName: 'Jira Software',
  name: 'jira',
  version: 1,
  description: 'Reads and changes issues, comments, and attachments of Jira',
  credentials: [
    { name: 'jiraSoftwareCloudApi', required: true, ...where({ jiraVersion: ['cloud'] }) },
    { name: 'jiraSoftwareServerApi', required: true, ...where({ jiraVersion: ['server'] }) },
    { name: 'jiraSoftwareServerPatApi', required: true, ...where({ jiraVersion: ['serverPat'] }) },
  ],
  icon: 'fa:ticket',
  iconColor: 'blue',
  client: jiraClient,
  leading: [
    choice(
      'jiraVersion',
      'Jira Version',
      choices(['cloud', 'Cloud'], ['server', 'Server (Password)'], ['serverPat', 'Server (Token)']),
    ),
  ],
  resources: { issue, issueAttachment, issueComment, user },
  methods: {
    listSearch: {
      getProjects: async (context, filter) =>
        searched(
          isCloud(context) ? await allOf(context, '/2/project/search', 'values') : await allOf(context, '/2/project', ''),
          filter,
        ),
      getIssueTypes: async (context, filter) => searched(await issueTypes(context), filter),
      getUsers: async (context, filter = '') => {
        const query = isCloud(context) ? { query: filter } : { username: filter || '.' };
        const found = await jiraClient.send(context, { path: '/2/user/search', query: { ...query, maxResults: 100 } });
        const shown = objectsOf(found).map((one) => ({
          ...one,
          id: one['accountId'] ?? one['name'] ?? '',
          name: one['displayName'] ?? '',
        }));
        return searched(shown);
      },
      getPriorities: async (context, filter) =>
        searched(objectsOf(await jiraClient.send(context, { path: '/2/priority' })), filter),
      getTransitions: async (context, filter) => {
        const key = encodeURIComponent(context.parameter<string>('issueKey', ''));
        const found = objectOf(await jiraClient.send(context, { path: `/2/issue/${key}/transitions` }));
        return searched(objectsOf(found['transitions']), filter);
      },
      getCustomFields: async (context, filter) => {
        const found = objectsOf(await jiraClient.send(context, { path: '/2/field' }));
        return searched(
          found.filter(({ custom }) => custom === true),
          filter,
        );
      },
    },
  },
});

/** Types of the chosen project, or all. */
async function issueTypes(context: MethodContext): Promise<JsonObject[]> {
  const project = chosenId(context, 'project');
  if (project === '') return objectsOf(await jiraClient.send(context, { path: '/2/issuetype' }));
  const found = await jiraClient.send(context, { path: `/2/project/${encodeURIComponent(project)}` });
  return objectsOf(objectOf(found)['issueTypes']);
}

function searched(found: readonly JsonObject[], filter = ''): ListSearchResult {
  const wanted = filter.toLowerCase();
  const results = found.map(({ id = '', name = '' }) => ({ name: String(name), value: String(id) }));
  return { results: results.filter(({ name }) => name.toLowerCase().includes(wanted)) };
}
