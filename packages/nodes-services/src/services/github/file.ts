import { isJsonObject, type JsonObject, type JsonValue, type NodeProperty } from '@sluice/node-sdk';
import { collection, readBinary, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Produced, Resource } from '../../shared/define-service.ts';
import { asText, objectOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { filePath, inRepository } from './github-properties.ts';

const path = text('filePath', 'File Path', 'Path of the file in the repository', { required: true });
const binaryPropertyName = text('binaryPropertyName', 'File Property', 'Property of the item with the file', {
  default: 'data',
});
const commitMessage = text('commitMessage', 'Commit Message', 'Message of the commit', { required: true });

const person = (name: string, displayName: string) => ({
  name,
  displayName,
  values: [text('name', 'Name', 'Name of the person'), text('email', 'Email', 'Email address of the person')],
});
const commitParameters: NodeProperty = {
  displayName: 'Additional Parameters',
  name: 'additionalParameters',
  type: 'fixedCollection',
  default: {},
  description: 'Author, branch, and committer of the commit',
  options: [
    person('author', 'Author'),
    {
      name: 'branch',
      displayName: 'Branch',
      values: [text('branch', 'Branch', 'Name of the branch; default: that of the repository')],
    },
    person('committer', 'Committer'),
  ],
};
const readParameters = collection('additionalParameters', 'Additional Parameters', [
  text('reference', 'Reference', 'Name of the branch, tag, or commit; default: the default branch'),
]);
const content: readonly NodeProperty[] = [
  toggle('binaryData', 'Binary File', 'Whether the content is a file of the item'),
  text('fileContent', 'File Content', 'Content of the file', where({ binaryData: [false] })),
  { ...binaryPropertyName, ...where({ binaryData: [true] }) },
  commitMessage,
  commitParameters,
];

export const file: Resource = {
  displayName: 'File',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a file with a commit',
      properties: [...inRepository, path, ...content],
      run: async (item) => put(item, {}),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a file with a commit',
      properties: [...inRepository, path, commitMessage, commitParameters],
      async run(item) {
        const json = { ...commitOf(item), sha: await shaOf(item) };
        return item.send({ method: 'DELETE', path: filePath(item, item.required('filePath')), json });
      },
    },
    edit: {
      displayName: 'Edit',
      description: 'Changes a file with a commit',
      properties: [...inRepository, path, ...content],
      run: async (item) => put(item, { sha: await shaOf(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a file',
      properties: [
        ...inRepository,
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
        ...inRepository,
        { ...path, required: false, description: 'Path of the folder; default: the top' },
        readParameters,
      ],
      async run(item) {
        const response = await item.send({ path: filePath(item, item.text('filePath')), query: reference(item) });
        return Array.isArray(response) ? response : [response ?? {}];
      },
    },
  },
};

const reference = (item: ServiceItem) => ({ ref: item.text('additionalParameters.reference') });

async function read(item: ServiceItem): Promise<Produced> {
  const request = { path: filePath(item, item.required('filePath')), query: reference(item) };
  const response = await item.send(request);
  if (!isJsonObject(response)) throw item.error('the path is a folder', 'Name a file, or use the operation "List"');
  if (!item.toggle('asBinaryProperty', true)) return response;
  const { content: _, encoding: __, ...json } = response;
  // The response above omits the content of files above 1 MB.
  const raw = { ...request, headers: { accept: 'application/vnd.github.raw+json' } };
  const { name = 'file' } = json;
  return item.download(raw, json, item.text('binaryPropertyName', 'data'), { fileName: asText(name), isTypeOfName: true });
}

async function put(item: ServiceItem, more: JsonObject): Promise<JsonValue | undefined> {
  const json = { ...commitOf(item), content: await encodedContent(item), ...more };
  return item.send({ method: 'PUT', path: filePath(item, item.required('filePath')), json });
}

/** GitHub accepts files of up to 100 MB. */
const maxFileBytes = 100 * 1024 * 1024;

async function encodedContent(item: ServiceItem): Promise<string> {
  if (!item.toggle('binaryData')) return Buffer.from(item.text('fileContent')).toString('base64');
  const bytes = await readBinary(item.context, item.index, item.text('binaryPropertyName', 'data'), maxFileBytes);
  return bytes.toString('base64');
}

function commitOf(item: ServiceItem): JsonObject {
  const people = ['author', 'committer'].flatMap((name): [string, JsonObject][] =>
    item.entries(`additionalParameters.${name}`).map((one) => [name, one]),
  );
  const chosen = branchOf(item);
  return { message: item.required('commitMessage'), ...Object.fromEntries(people), ...(chosen !== '' && { branch: chosen }) };
}

const branchOf = (item: ServiceItem) => item.text('additionalParameters.branch.branch');

/** GitHub changes a file only if the request names its latest version. */
async function shaOf(item: ServiceItem): Promise<JsonValue> {
  const query = { ref: branchOf(item) };
  const response = await item.send({ path: filePath(item, item.required('filePath')), query });
  const sha = objectOf(response)['sha'];
  if (typeof sha === 'string') return sha;
  throw item.error('the path is a folder', 'Name a file');
}
