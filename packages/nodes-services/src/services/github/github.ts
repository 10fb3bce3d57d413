import type { ListSearchResult, MethodContext } from '@sluice/node-sdk';
import { defineService } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import { sendAll } from '../../shared/paging.ts';
import { locatedId } from '../../shared/service-item.ts';
import { file } from './file.ts';
import { githubClient, pageSize, pages } from './github-client.ts';
import { authentication, credentials, ownerUrl } from './github-properties.ts';
import { issue } from './issue.ts';
import { release } from './release.ts';
import { organization, repositoryResource, user } from './repository.ts';
import { review } from './review.ts';
import { workflow } from './workflow.ts';

export const github = defineService({
  displayName: 'GitHub',
  name: 'github',
  version: [1, 1.1],
  defaultVersion: 1.1,
  description: 'Reads and changes files, issues, releases, reviews, and repositories on GitHub',
  credentials,
  icon: 'fa:code-branch',
  client: githubClient,
  leading: [authentication],
  resources: { file, issue, organization, release, repository: repositoryResource, review, user, workflow },
  initial: 'issue',
  methods: { listSearch: { getRepositories: searchRepositories } },
});

/** Repositories of the chosen owner, by name. */
export async function searchRepositories(context: MethodContext, filter = ''): Promise<ListSearchResult> {
  const owner = locatedId({ parameter: (path, _, fallback) => context.parameter(path, fallback) }, 'owner', 0, ownerUrl);
  const request = { path: `/users/${encodeURIComponent(owner)}/repos`, query: { per_page: pageSize } };
  const records = await sendAll(githubClient, context, request, pages, 1_000);
  const wanted = filter.toLowerCase();
  const names = records.map(({ name = '' }) => asText(name)).filter((name) => name.toLowerCase().includes(wanted));
  return { results: names.map((name) => ({ name, value: name })) };
}
