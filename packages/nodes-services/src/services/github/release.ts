import type { JsonValue, NodeProperty } from '@sluice/node-sdk';
import { collection, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { inRepository, listed, listProperties, repositoryPath } from './github-properties.ts';

const fields: readonly NodeProperty[] = [
  text('name', 'Name', 'Name of the release'),
  text('body', 'Body', 'Text in Markdown'),
  toggle('draft', 'Draft', 'Whether the release is not published yet'),
  toggle('prerelease', 'Prerelease', 'Whether the release is not ready for production'),
  text('target_commitish', 'Target Commitish', 'Branch or commit of the tag, if there is no such tag yet'),
];
const tag = text('releaseTag', 'Tag', 'Tag of the release', { required: true });
const releaseId = text('release_id', 'Release ID', 'ID of the release', { required: true });

const pathOf = (item: ServiceItem) => repositoryPath(item, `/releases/${encodeURIComponent(item.id('release_id'))}`);

export const release: Resource = {
  displayName: 'Release',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a release',
      properties: [...inRepository, tag, collection('additionalFields', 'Additional Fields', fields)],
      run: (item) => {
        const json: Record<string, JsonValue> = { tag_name: item.required('releaseTag'), ...item.fields('additionalFields') };
        return item.send({ path: repositoryPath(item, '/releases'), json });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a release',
      properties: [...inRepository, releaseId],
      run: (item) => item.perform({ method: 'DELETE', path: pathOf(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a release',
      properties: [...inRepository, releaseId],
      run: (item) => item.send({ path: pathOf(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the releases of a repository',
      properties: [...inRepository, ...listProperties],
      run: (item) => listed(item, repositoryPath(item, '/releases')),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a release',
      properties: [
        ...inRepository,
        releaseId,
        collection('additionalFields', 'Additional Fields', [...fields, { ...tag, name: 'tag_name', required: false }]),
      ],
      run: (item) => item.send({ method: 'PATCH', path: pathOf(item), json: item.fields('additionalFields') }),
    },
  },
};
