import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, text } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import { inRepository, listed, listProperties, owner, ownerOf, repositoryPath } from './github-properties.ts';

const states = choices(['all', 'All'], ['closed', 'Closed'], ['open', 'Open']);
const directions = choices(['desc', 'Descending'], ['asc', 'Ascending']);
const issueFilters: readonly NodeProperty[] = [
  text('assignee', 'Assignee', 'Only issues of this user'),
  text('creator', 'Creator', 'Only issues that this user created'),
  text('mentioned', 'Mentioned', 'Only issues that mention this user'),
  text('labels', 'Labels', 'Only issues with these labels, separated by commas'),
  text('since', 'Updated Since', 'Only issues that changed after this time'),
  choice('state', 'State', states, { default: 'open' }),
  choice('sort', 'Sort', choices(['created', 'Created'], ['updated', 'Updated'], ['comments', 'Comments'])),
  choice('direction', 'Direction', directions),
];
const inUserLists = new Set(['mentioned', 'labels', 'since', 'state', 'sort', 'direction']);
const pullFilters: readonly NodeProperty[] = [
  choice('state', 'State', states, { default: 'open' }),
  choice(
    'sort',
    'Sort',
    choices(['created', 'Created'], ['updated', 'Updated'], ['popularity', 'Popularity'], ['long-running', 'Long-Running']),
  ),
  choice('direction', 'Direction', directions),
];

/** An operation without further parameters. */
const one = (displayName: string, description: string, path: string): Operation => ({
  displayName,
  description,
  properties: inRepository,
  run: (item) => item.send({ path: repositoryPath(item, path) }),
});

export const repositoryResource: Resource = {
  displayName: 'Repository',
  initial: 'getIssues',
  operations: {
    get: one('Get', 'Gets a repository', ''),
    getIssues: {
      displayName: 'Get Issues',
      description: 'Lists the issues of a repository',
      properties: [...inRepository, ...listProperties, collection('getRepositoryIssuesFilters', 'Filters', issueFilters)],
      run: (item) => listed(item, repositoryPath(item, '/issues'), item.fields('getRepositoryIssuesFilters')),
    },
    getLicense: one('Get License', 'Gets the license of a repository', '/license'),
    getProfile: one('Get Profile', 'Gets the community profile of a repository', '/community/profile'),
    getPullRequests: {
      displayName: 'Get Pull Requests',
      description: 'Lists the pull requests of a repository',
      properties: [...inRepository, ...listProperties, collection('getRepositoryPullRequestsFilters', 'Filters', pullFilters)],
      run: (item) => listed(item, repositoryPath(item, '/pulls'), item.fields('getRepositoryPullRequestsFilters')),
    },
    listPopularPaths: one('List Popular Paths', 'Lists the most visited pages of the last 14 days', '/traffic/popular/paths'),
    listReferrers: one(
      'List Referrers',
      'Lists the sites that most visitors of the last 14 days came from',
      '/traffic/popular/referrers',
    ),
  },
};

export const organization: Resource = {
  displayName: 'Organization',
  operations: {
    getRepositories: {
      displayName: 'Get Repositories',
      description: 'Lists the repositories of an organization',
      properties: [owner, ...listProperties],
      run: (item) => listed(item, `/orgs/${ownerOf(item)}/repos`),
    },
  },
};

export const user: Resource = {
  displayName: 'User',
  operations: {
    getRepositories: {
      displayName: 'Get Repositories',
      description: 'Lists the public repositories of a user',
      properties: [owner, ...listProperties],
      run: (item) => listed(item, `/users/${ownerOf(item)}/repos`),
    },
    getUserIssues: {
      displayName: 'Get Issues',
      description: 'Lists the issues that are assigned to the account',
      properties: [
        ...listProperties,
        collection(
          'getUserIssuesFilters',
          'Filters',
          issueFilters.filter(({ name }) => inUserLists.has(name)),
        ),
      ],
      run: (item) => listed(item, '/issues', item.fields('getUserIssuesFilters')),
    },
    invite: {
      displayName: 'Invite',
      description: 'Invites a person to an organization',
      properties: [
        text('organization', 'Organization', 'Name of the organization', { required: true }),
        text('email', 'Email', 'Email address of the person', { required: true }),
      ],
      run: (item) => {
        const json: JsonObject = { email: item.required('email') };
        return item.send({ path: `/orgs/${encodeURIComponent(item.required('organization'))}/invitations`, json });
      },
    },
  },
};
