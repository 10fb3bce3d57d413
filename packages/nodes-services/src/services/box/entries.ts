import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import type { FormPart } from '@sluice/nodes-base/node-tools';
import { choice, choices, collection, names, namesParameter, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { idPath, pageSize, pages, parentOf, parentProperty, uploadUrl } from './box-client.ts';

const fileId = text('fileId', 'File ID', 'ID of the file, the number in its address', { required: true });
const folderId = text('folderId', 'Folder ID', 'ID of the folder, the number in its address', { required: true });
const binaryProperty = text('binaryPropertyName', 'File Field', 'Property of the item that has or receives the file', {
  default: 'data',
});
const fieldList = names('fields', 'Fields', 'Fields to return, separated by commas; default: the standard fields');
const additional = (members: readonly NodeProperty[]) => collection('additionalFields', 'Additional Fields', members);

const fieldsOf = (item: ServiceItem): JsonObject => ({
  fields: namesParameter(item.context, 'additionalFields.fields', item.index).join(),
});

/** Entries of one type whose names, descriptions, or contents match. */
function search(type: 'file' | 'folder'): Operation {
  return {
    displayName: 'Search',
    description: `Finds ${type}s`,
    properties: [
      text('query', 'Query', 'Words in the name, the description, or the content', { required: true }),
      ...listPropertiesOf(100),
      additional([
        choice(
          'content_types',
          'Content Types',
          choices(
            ['', 'All'],
            ['name', 'Name'],
            ['description', 'Description'],
            ['file_content', 'File Content'],
            ['tag', 'Tags'],
          ),
        ),
        fieldList,
        names('ancestor_folder_ids', 'Ancestor Folder IDs', 'Only in these folders; commas separate several'),
        names('file_extensions', 'File Extensions', 'Only files with these extensions; commas separate several'),
      ]),
    ],
    run(item) {
      const joined = (name: string) => namesParameter(item.context, `additionalFields.${name}`, item.index).join();
      const query = {
        query: item.required('query'),
        type,
        content_types: item.text('additionalFields.content_types'),
        ancestor_folder_ids: joined('ancestor_folder_ids'),
        file_extensions: joined('file_extensions'),
        ...fieldsOf(item),
        limit: pageSize,
      };
      return item.list({ path: '/search', query }, pages, item.limit(100));
    },
  };
}

async function upload(item: ServiceItem): Promise<JsonObject[]> {
  const named = item.text('fileName').trim();
  const reference = item.toggle('binaryData')
    ? item.file(item.text('binaryPropertyName', 'data'))
    : await item.context.binary.store(Buffer.from(item.text('fileContent')), {
        fileName: named || 'file.txt',
        mimeType: 'text/plain',
      });
  const name = named || reference.fileName || 'file';
  const list: FormPart[] = [
    { name: 'attributes', value: JSON.stringify({ name, parent: parentOf(item) }) },
    { name: 'file', file: reference },
  ];
  const answer = await item.send({ path: uploadUrl, parts: { from: item.context.binary, list } });
  return objectsOf(objectOf(answer)['entries']);
}

export const file: Resource = {
  displayName: 'File',
  initial: 'upload',
  operations: {
    copy: {
      displayName: 'Copy',
      description: 'Copies a file',
      properties: [
        fileId,
        parentProperty,
        additional([
          fieldList,
          text('name', 'Name', 'Name of the copy'),
          text('version', 'Version', 'ID of the version to copy'),
        ]),
      ],
      run(item) {
        const { fields: _, ...named } = item.fields('additionalFields');
        const json = { ...named, parent: parentOf(item) };
        return item.send({ path: `/files/${idPath(item, 'fileId')}/copy`, query: fieldsOf(item), json });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Moves a file to the trash',
      properties: [fileId],
      run: (item) => item.perform({ method: 'DELETE', path: `/files/${idPath(item, 'fileId')}` }),
    },
    download: {
      displayName: 'Download',
      description: 'Downloads a file',
      properties: [fileId, binaryProperty],
      async run(item) {
        const path = `/files/${idPath(item, 'fileId')}`;
        const { name } = objectOf(await item.send({ path, query: { fields: 'name' } }));
        const known = typeof name === 'string' ? { fileName: name, isTypeOfName: true } : {};
        return item.download({ path: `${path}/content` }, {}, item.text('binaryPropertyName', 'data'), known);
      },
    },
    get: {
      displayName: 'Get',
      description: 'Returns the properties of a file',
      properties: [fileId, additional([fieldList])],
      run: (item) => item.send({ path: `/files/${idPath(item, 'fileId')}`, query: fieldsOf(item) }),
    },
    search: search('file'),
    upload: {
      displayName: 'Upload',
      description: 'Uploads a file or text as a new file',
      properties: [
        text('fileName', 'File Name', 'Name of the file in Box; default: the name of the file'),
        toggle('binaryData', 'Binary File', 'Whether to upload a file of the item instead of text'),
        { ...binaryProperty, ...where({ binaryData: [true] }) },
        text('fileContent', 'File Content', 'Text of the file', where({ binaryData: [false] })),
        parentProperty,
      ],
      run: upload,
    },
  },
};

const settings = [
  text('description', 'Description', 'Description of the folder'),
  text('name', 'Name', 'Name of the folder'),
  text('parentId', 'Parent ID', 'Folder that the folder moves to'),
];

export const folder: Resource = {
  displayName: 'Folder',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a folder',
      properties: [
        text('name', 'Name', 'Name of the folder', { required: true }),
        parentProperty,
        collection('options', 'Options', [fieldList]),
      ],
      run: (item) => item.send({ path: '/folders', json: { name: item.required('name'), parent: parentOf(item) } }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Moves a folder to the trash',
      properties: [folderId, toggle('recursive', 'Recursive', 'Whether to delete a folder that is not empty')],
      run: (item) =>
        item.perform({
          method: 'DELETE',
          path: `/folders/${idPath(item, 'folderId')}`,
          query: { recursive: item.toggle('recursive') },
        }),
    },
    get: {
      displayName: 'Get',
      description: 'Returns a folder with its first entries',
      properties: [folderId],
      run: (item) => item.send({ path: `/folders/${idPath(item, 'folderId')}` }),
    },
    search: search('folder'),
    update: {
      displayName: 'Update',
      description: 'Changes or moves a folder',
      properties: [folderId, collection('updateFields', 'Update Fields', settings)],
      run(item) {
        const { parentId, ...changes } = item.typedFields('updateFields', settings);
        const json = { ...changes, ...(parentId !== undefined && { parent: parentOf(item, 'updateFields.parentId') }) };
        return item.send({ method: 'PUT', path: `/folders/${idPath(item, 'folderId')}`, json });
      },
    },
  },
};
