import { type JsonValue, optionalCredentialText } from '@sluice/node-sdk';
import { choice, choices, text, where, withoutFinalSlashes } from '@sluice/nodes-base/node-tools';
import { ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { objectOf } from '../../shared/json-values.ts';
import { linkPaging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://docs.gitlab.com/api/rest/ */
export const gitlabClient = new ApiClient({
  service: 'GitLab',
  credentialType: ({ parameter }) =>
    parameter<string>('authentication', 'accessToken') === 'oAuth2' ? 'gitlabOAuth2Api' : 'gitlabApi',
  baseUrl: (credential) => `${withoutFinalSlashes(optionalCredentialText(credential, 'server', 'https://gitlab.com'))}/api/v4`,
  refusalOf: ({ body }) => ({ text: textOf(objectOf(body)['message'] ?? objectOf(body)['error']) }),
});

/** A message is a text, a list, or the problems of each field. */
function textOf(message: JsonValue | undefined): string {
  if (typeof message === 'string') return message;
  return message === undefined || message === null ? '' : JSON.stringify(message).slice(0, 500);
}

export const authentication = choice(
  'authentication',
  'Authentication',
  choices(['accessToken', 'Access Token'], ['oAuth2', 'OAuth2']),
);
export const credentials = [
  { name: 'gitlabApi', required: true, ...where({ authentication: ['accessToken'] }) },
  { name: 'gitlabOAuth2Api', required: true, ...where({ authentication: ['oAuth2'] }) },
];

export const owner = text(
  'owner',
  'Project Owner',
  'The user or group; a subgroup includes its parent groups: `group/subgroup`',
  {
    required: true,
  },
);
export const repository = text('repository', 'Project Name', 'Name of the project, as in its URL', { required: true });
export const inProject = [owner, repository];

/** Path of a project, or of a resource in it; encode the values in `more`. */
export function projectPath(item: Pick<ServiceItem, 'required'>, more = ''): string {
  const project = `${item.required('owner').trim()}/${item.required('repository').trim()}`;
  return `/projects/${encodeURIComponent(project)}${more}`;
}

export const pageSize = 100;

/** Requests a list, limited by the parameters `returnAll` and `limit`. */
export function listed(item: ServiceItem, path: string, query: ApiRequest['query'] = {}, limit = item.limit()) {
  return item.list({ path, query: { ...query, per_page: Math.min(limit, pageSize) } }, linkPaging(''), limit);
}
