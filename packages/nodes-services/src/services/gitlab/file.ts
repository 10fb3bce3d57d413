import { isJsonObject, type JsonObject, type JsonValue, type NodeProperty } from '@sluice/node-sdk';
import { collection, readBinary, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Produced, Resource } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { inProject, listed, projectPath } from './gitlab-client.ts';

const path = text('filePath', 'File Path', 'Path of the file in the project', { required: true });
const branch = text('branch', 'Branch', 'Branch that gets the commit', { required: true });
const commitMessage = text('commitMessage', 'Commit Message', 'Message of the commit', { required: true });
const binaryPropertyName = text('binaryPropertyName', 'File Property', 'Property of the item with the file', {
  default: 'data',
});
const commitParameters: NodeProperty = {
  displayName: 'Additional Parameters',
  name: 'additionalParameters',
  type: 'fixedCollection',
  default: {},
  description: 'Author and first branch of the commit',
  options: [
    {
      name: 'author',
      displayName: 'Author',
      values: [text('name', 'Name', 'Name of the author'), text('email', 'Email', 'Email address of the author')],
    },
    {
      name: 'branchStart',
      displayName: 'Start Branch',
      values: [text('branchStart', 'Start Branch', 'Branch from which a new branch is created')],
    },
    {
      name: 'encoding',
      displayName: 'Encoding',
      values: [text('encoding', 'Encoding', '`text` or `base64`: the form of "File Content"', { default: 'text' })],
    },
  ],
};
const readParameters = collection('additionalParameters', 'Additional Parameters', [
  text('reference', 'Reference', 'Name of the branch, tag, or commit; default: the default branch'),
]);
const content: readonly NodeProperty[] = [
  toggle('binaryData', 'Binary File', 'Whether the content is a file of the item'),
  text('fileContent', 'File Content', 'Content of the file', where({ binaryData: [false] })),
  { ...binaryPropertyName, ...where({ binaryData: [true] }) },
  branch,
  commitMessage,
  commitParameters,
];

export const file: Resource = {
  displayName: 'File',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a file with a commit',
      properties: [...inProject, path, ...content],
      run: (item) => write(item, 'POST'),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a file with a commit',
      properties: [...inProject, path, branch, commitMessage, commitParameters],
      run: (item) => item.perform({ method: 'DELETE', path: pathOf(item), json: commitOf(item) }),
    },
    edit: {
      displayName: 'Edit',
      description: 'Changes a file with a commit',
      properties: [...inProject, path, ...content],
      run: (item) => write(item, 'PUT'),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a file',
      properties: [
        ...inProject,
        path,
        toggle('asBinaryProperty', 'As Binary Property', 'Whether to return the file instead of its content in Base64', {
          default: true,
        }),
        { ...binaryPropertyName, displayName: 'Put Output File in Property', ...where({ asBinaryProperty: [true] }) },
        readParameters,
      ],
      run: read,
    },
    list: {
      displayName: 'List',
      description: 'Lists the files and folders of a folder',
      properties: [
        ...inProject,
        { ...path, required: false, description: 'Path of the folder; default: the top' },
        ...listPropertiesOf(),
        readParameters,
      ],
      run: (item) =>
        listed(item, projectPath(item, '/repository/tree'), {
          path: item.text('filePath'),
          ref: item.text('additionalParameters.reference'),
        }),
    },
  },
};

const pathOf = (item: ServiceItem, more = ''): string =>
  projectPath(item, `/repository/files/${encodeURIComponent(item.required('filePath').replace(/^\/+/, ''))}${more}`);

async function read(item: ServiceItem): Promise<Produced> {
  const query = { ref: item.text('additionalParameters.reference') || 'HEAD' };
  const response = await item.send({ path: pathOf(item), query });
  if (!isJsonObject(response) || !item.toggle('asBinaryProperty', true)) return response;
  const { content: _, encoding: __, ...json } = response;
  const { file_name: name = 'file' } = json;
  const place = { fileName: asText(name), isTypeOfName: true };
  return item.download({ path: pathOf(item, '/raw'), query }, json, item.text('binaryPropertyName', 'data'), place);
}

async function write(item: ServiceItem, method: 'POST' | 'PUT'): Promise<JsonValue | undefined> {
  return item.send({ method, path: pathOf(item), json: { ...commitOf(item), ...(await contentOf(item)) } });
}

/** GitLab accepts files of up to 100 MB. */
const maxFileBytes = 100 * 1024 * 1024;

async function contentOf(item: ServiceItem): Promise<JsonObject> {
  const encoding = item.text('additionalParameters.encoding.encoding', 'text');
  if (!item.toggle('binaryData')) return { content: item.text('fileContent'), encoding };
  const bytes = await readBinary(item.context, item.index, item.text('binaryPropertyName', 'data'), maxFileBytes);
  return { content: bytes.toString('base64'), encoding: 'base64' };
}

function commitOf(item: ServiceItem): JsonObject {
  const fields = {
    branch: item.required('branch'),
    commit_message: item.required('commitMessage'),
    author_name: item.text('additionalParameters.author.name'),
    author_email: item.text('additionalParameters.author.email'),
    start_branch: item.text('additionalParameters.branchStart.branchStart'),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}
