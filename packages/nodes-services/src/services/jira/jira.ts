import type { JsonObject, MethodContext } from '@sluice/node-sdk';
import { choice, choices, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import { choicesFrom, matching } from '../../shared/list-choices.ts';
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
  description: 'Reads and changes issues, comments, and attachments in Jira',
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
      getProjects: async (context, filter) => matching(choicesFrom(await projects(context)), filter),
      getIssueTypes: async (context, filter) => matching(choicesFrom(await issueTypes(context)), filter),
      getUsers: async (context, filter = '') => {
        const query = isCloud(context) ? { query: filter } : { username: filter || '.' };
        const response = await jiraClient.send(context, { path: '/2/user/search', query: { ...query, maxResults: 100 } });
        return { results: choicesFrom(objectsOf(response), 'displayName', isCloud(context) ? 'accountId' : 'name') };
      },
      getPriorities: async (context, filter) =>
        matching(choicesFrom(objectsOf(await jiraClient.send(context, { path: '/2/priority' }))), filter),
      getTransitions: async (context, filter) => {
        const key = encodeURIComponent(context.parameter<string>('issueKey', ''));
        const response = objectOf(await jiraClient.send(context, { path: `/2/issue/${key}/transitions` }));
        return matching(choicesFrom(objectsOf(response['transitions'])), filter);
      },
      getCustomFields: async (context, filter) => {
        const response = objectsOf(await jiraClient.send(context, { path: '/2/field' }));
        return matching(choicesFrom(response.filter(({ custom }) => custom === true)), filter);
      },
    },
  },
});

const projects = (context: MethodContext): Promise<JsonObject[]> =>
  isCloud(context) ? allOf(context, '/2/project/search', 'values') : allOf(context, '/2/project', '');

/** Types of the chosen project, or all. */
async function issueTypes(context: MethodContext): Promise<JsonObject[]> {
  const project = chosenId(context, 'project');
  if (project === '') return objectsOf(await jiraClient.send(context, { path: '/2/issuetype' }));
  const response = await jiraClient.send(context, { path: `/2/project/${encodeURIComponent(project)}` });
  return objectsOf(objectOf(response)['issueTypes']);
}
