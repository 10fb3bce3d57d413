import { type ExecuteContext, type JsonObject, ModelError, type NodeType, optionalCredentialText } from '@sluice/node-sdk';
import { stringOf, text } from '@sluice/nodes-base/node-tools';
import { type ModelList, modelIdOf, modelMethods } from './model-list.ts';

export const vertexCredential = 'googleApi';

/** Letters, digits, and hyphens: the region becomes part of a host name. */
const regionPattern = /^[a-z0-9-]{1,64}$/;

function regionOf(data: JsonObject): string {
  const region = optionalCredentialText(data, 'region', 'us-central1').trim();
  if (regionPattern.test(region)) return region;
  throw new ModelError('invalidKey', 'the region in the credential is not a Google Cloud region name');
}

/** https://cloud.google.com/vertex-ai/docs/general/locations */
function originOf(region: string): string {
  return `https://${region === 'global' ? '' : `${region}-`}aiplatform.googleapis.com`;
}

/** Base URL of Google's models in the project of the node and the region of the credential. */
export function vertexAddress(context: ExecuteContext, itemIndex: number, data: JsonObject): string {
  const project = encodeURIComponent(modelIdOf(context, itemIndex, 'projectId', '', 'project'));
  const region = regionOf(data);
  return `${originOf(region)}/v1/projects/${project}/locations/${region}/publishers/google`;
}

/** https://cloud.google.com/vertex-ai/docs/reference/rest/v1beta1/publishers.models/list */
export function vertexModels(kind: 'embedding' | 'gemini'): Omit<ModelList, 'credential'> {
  return {
    url: (data) => `${originOf(regionOf(data))}/v1beta1/publishers/google/models?pageSize=1000`,
    member: 'publisherModels',
    option: ({ name }) => {
      const id = typeof name === 'string' ? name.slice(name.lastIndexOf('/') + 1) : '';
      const isEmbedding = id.includes('embedding');
      return (kind === 'embedding' ? isEmbedding : id.startsWith('gemini') && !isEmbedding)
        ? { name: id, value: id }
        : undefined;
    },
  };
}

/** https://cloud.google.com/resource-manager/reference/rest/v1/projects/list */
const projects: ModelList = {
  credential: vertexCredential,
  url: () => 'https://cloudresourcemanager.googleapis.com/v1/projects',
  member: 'projects',
  option: ({ projectId, name }) =>
    typeof projectId === 'string' ? { name: stringOf(name ?? projectId), value: projectId } : undefined,
};

/** The type with the parameter `projectId`, which editors list. */
export function inGoogleProject(type: NodeType): NodeType {
  const { listSearch = {} } = modelMethods(projects);
  const { getModels: getProjects } = listSearch;
  const project = text('projectId', 'Project ID', 'The Google Cloud project: from the list, or by its ID', {
    required: true,
    acceptsAnyValue: true,
    typeOptions: { searchListMethod: 'getProjects' },
  });
  return {
    ...type,
    description: { ...type.description, properties: [project, ...type.description.properties] },
    methods: { ...type.methods, listSearch: { ...type.methods?.listSearch, ...(getProjects && { getProjects }) } },
  };
}
