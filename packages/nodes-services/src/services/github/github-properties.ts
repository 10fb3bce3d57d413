import { choice, choices, collection, number, text, where } from '@sluice/nodes-base/node-tools';
import type { ApiRequest } from '../../shared/api-client.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { pageSize, pages } from './github-client.ts';

/** Matches browser URLs of a repository. */
export const ownerUrl = /^https?:\/\/[^/]+\/([^/?#]+)/;
export const repositoryUrl = /^https?:\/\/[^/]+\/[^/]+\/([^/?#]+?)(?:\.git)?(?:[/?#]|$)/;

export const authentication = choice(
  'authentication',
  'Authentication',
  choices(['accessToken', 'Access Token'], ['oAuth2', 'OAuth2']),
);
export const credentials = [
  { name: 'githubApi', required: true, ...where({ authentication: ['accessToken'] }) },
  { name: 'githubOAuth2Api', required: true, ...where({ authentication: ['oAuth2'] }) },
];

export const owner = text('owner', 'Repository Owner', 'The user or organization: by name or by URL', { required: true });
export const repository = text('repository', 'Repository', 'The repository: from the list, by name, or by URL', {
  required: true,
  typeOptions: { searchListMethod: 'getRepositories' },
});
export const inRepository = [owner, repository];

export const listProperties = listPropertiesOf();

export const issueNumber = number('issueNumber', 'Issue Number', 0, 'Number of the issue', { required: true });

const several = { typeOptions: { multipleValues: true } };
export const labels = collection('labels', 'Labels', [text('label', 'Label', 'Name of the label')], several);
export const assignees = collection('assignees', 'Assignees', [text('assignee', 'Assignee', 'Name of the user')], several);

const part = (value: string) => encodeURIComponent(value);

export function ownerOf(item: ServiceItem): string {
  return part(item.id('owner', ownerUrl));
}

/** Path of a repository, or of a resource in it; encode the values in `more`. */
export function repositoryPath(item: ServiceItem, more = ''): string {
  return `/repos/${ownerOf(item)}/${part(item.id('repository', repositoryUrl))}${more}`;
}

/** Git accepts longer paths, but file systems do not. */
const maxPath = 4_096;

/** Path of a file, whose folders are separated by slashes. */
export function filePath(item: ServiceItem, path: string): string {
  if (path.length > maxPath) throw item.error(`the path has more than ${maxPath} characters`, 'Check the path of the file');
  const parts = path.split('/').filter((name) => name !== '' && name !== '.');
  if (parts.includes('..')) throw item.error('the path leads out of the repository', 'Remove the part ".." from the path');
  return repositoryPath(item, `/contents/${parts.map(part).join('/')}`);
}

/** Requests a list, limited by the parameters `returnAll` and `limit`. */
export function listed(item: ServiceItem, path: string, query: ApiRequest['query'] = {}) {
  return item.list({ path, query: { ...query, per_page: Math.min(item.limit(), pageSize) } }, pages);
}
