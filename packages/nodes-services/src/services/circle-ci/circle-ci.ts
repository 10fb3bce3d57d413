import { atLeast, choice, choices, collection, number, text } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { defineService, type Resource } from '../../shared/define-service.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { cursorPaging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://circleci.com/docs/api/v2/ */
const client = new ApiClient({ service: 'CircleCI', credentialType: 'circleCiApi', baseUrl: 'https://circleci.com/api/v2' });

const vcs = choice(
  'vcs',
  'Provider',
  choices(['bitbucket', 'Bitbucket'], ['github', 'GitHub'], ['circleci', 'CircleCI', 'GitHub App, GitLab, and others']),
);
const projectSlug = text('projectSlug', 'Project Slug', 'Organization and project, such as `acme/shop`', { required: true });
const branch = text('branch', 'Branch', 'Name of the branch');
const pages = cursorPaging('items', 'next_page_token', 'page-token');

/** Each part is encoded, and a slash separates them. */
function projectPath(item: ServiceItem): string {
  const parts = item.required('projectSlug').trim().slice(0, 500).split('/');
  return `/project/${[item.text('vcs', 'bitbucket'), ...parts].map(encodeURIComponent).join('/')}/pipeline`;
}

const pipeline: Resource = {
  displayName: 'Pipeline',
  operations: {
    get: {
      displayName: 'Get',
      description: 'Returns a pipeline',
      properties: [vcs, projectSlug, atLeast(1, number('pipelineNumber', 'Pipeline Number', 1, 'Number of the pipeline'))],
      run: (item) => item.send({ path: `${projectPath(item)}/${Math.trunc(item.number('pipelineNumber', 1))}` }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Returns the pipelines of a project, the newest first',
      properties: [vcs, projectSlug, ...listPropertiesOf(100), collection('filters', 'Filters', [branch])],
      run: (item) =>
        item.list({ path: projectPath(item), query: { branch: item.text('filters.branch') } }, pages, item.limit(100)),
    },
    trigger: {
      displayName: 'Trigger',
      description: 'Starts a pipeline',
      properties: [
        vcs,
        projectSlug,
        collection('additionalFields', 'Additional Fields', [
          { ...branch, description: 'Branch to run; default: the default branch' },
          text('parameters', 'Parameters', 'JSON object with the parameters of the pipeline', { type: 'json' }),
          text('tag', 'Tag', 'Tag to run instead of a branch'),
        ]),
      ],
      run: trigger,
    },
  },
};

function trigger(item: ServiceItem) {
  const [chosenBranch, tag] = [item.optional('additionalFields.branch'), item.optional('additionalFields.tag')];
  if (chosenBranch !== undefined && tag !== undefined)
    throw item.error('a pipeline runs for a branch or for a tag', 'Clear one of the two fields');
  const json = { branch: chosenBranch, tag, parameters: item.json('additionalFields.parameters') };
  return item.send({ path: projectPath(item), json });
}

/** Pipelines of continuous integration. */
export const circleCi = defineService({
  displayName: 'CircleCI',
  name: 'circle-ci',
  version: 1,
  description: 'Starts and lists pipelines in CircleCI',
  credentials: [{ name: 'circleCiApi', required: true }],
  icon: 'fa:circle-notch',
  group: ['output'],
  client,
  resources: { pipeline },
});
