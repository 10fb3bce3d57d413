import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { collection, options, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import { filePath, inAllDrives } from '../../shared/google-drive.ts';
import { asText, objectOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { attachedProperties, conversions, download, textContent, writeContent, writeQuery } from './file-content.ts';
import {
  changeFile,
  chosen,
  deleteFile,
  fieldsOf,
  fileOf,
  firstVersions,
  mainFields,
  newFileFields,
  newVersion,
  parentOf,
  parentsOf,
} from './google-drive-client.ts';
import {
  before3,
  fields,
  fileId,
  fileOptions,
  parents,
  permissions,
  shareOptions,
  simplifyOutput,
  since3,
  target,
} from './google-drive-properties.ts';
import { listFiles } from './list-files.ts';
import { share } from './permission.ts';

const inputField = since3(
  text('inputDataFieldName', 'Input Data Field Name', 'Property of the item that has the file', { default: 'data' }),
);
const oldField = before3(
  text('binaryPropertyName', 'File Property', 'Property of the item with the file', { default: 'data' }),
);
const name = text('name', 'Name', 'Name of the file');
const document = 'application/vnd.google-apps.document';

const conversion: NodeProperty = {
  displayName: 'Google File Conversion',
  name: 'googleFileConversion',
  type: 'fixedCollection',
  default: {},
  description: 'Formats in which documents of Google are downloaded, as media types such as `application/pdf`',
  options: [
    {
      name: 'conversion',
      displayName: 'Conversion',
      values: [...conversions.values()].map(([parameter, format]) =>
        text(parameter, `Google ${parameter.replace('ToFormat', '')}`, 'Format as a media type', { default: format }),
      ),
    },
  ],
};

export const file: Resource = {
  displayName: 'File',
  initial: 'upload',
  operations: {
    copy: {
      displayName: 'Copy',
      description: 'Copies a file',
      properties: [
        fileId,
        since3(name),
        since3(
          toggle('sameFolder', 'Copy In The Same Folder', 'Whether the copy is in the folder of the file', { default: true }),
        ),
        ...target.map((property) => since3({ ...property, ...where({ sameFolder: [false] }) })),
        options([
          toggle('copyRequiresWriterPermission', 'Copy Requires Writer Permission', 'Whether readers cannot copy the file'),
          text('description', 'Description', 'Description of the copy'),
          before3(fields),
          before3(name),
          parents,
        ]),
      ],
      run: copy,
    },
    createFromText: {
      displayName: 'Create From Text',
      description: 'Creates a file with text, or a Google Docs document',
      versions: newVersion,
      properties: [
        text('content', 'File Content', 'Text of the file'),
        text('name', 'File Name', 'Name of the file', { default: 'Untitled' }),
        ...target,
        options([
          ...fileOptions,
          toggle('convertToGoogleDocument', 'Convert to Google Document', 'Whether to make a document of Google Docs'),
        ]),
      ],
      run(item) {
        const isDocument = item.toggle('options.convertToGoogleDocument');
        const json = {
          name: item.text('name', 'Untitled') || 'Untitled',
          mimeType: isDocument ? document : 'text/plain',
          parents: [parentOf(item)],
          ...attachedProperties(item),
        };
        return writeContent(item, textContent(item.text('content')), { json, query: writeQuery(item, 'options', mainFields) });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a file permanently',
      versions: firstVersions,
      properties: [fileId],
      run: (item) => deleteFile(item, fileOf(item), true),
    },
    deleteFile: {
      displayName: 'Delete',
      description: 'Moves a file to the trash, or deletes it permanently',
      versions: newVersion,
      properties: [
        fileId,
        options([toggle('deletePermanently', 'Delete Permanently', 'Whether to delete it instead of moving it to the trash')]),
      ],
      run: (item) => deleteFile(item, fileOf(item), item.toggle('options.deletePermanently')),
    },
    download: {
      displayName: 'Download',
      description: 'Downloads a file; Google documents are exported, with at most 10 MB',
      properties: [
        fileId,
        oldField,
        options([
          since3(
            text('binaryPropertyName', 'Put Output File in Field', 'Property of the item that gets the file', {
              default: 'data',
            }),
          ),
          conversion,
          text('fileName', 'File Name', 'Name of the downloaded file; default: its name'),
        ]),
      ],
      run: download,
    },
    list: listFiles,
    move: {
      displayName: 'Move',
      description: 'Moves a file to another folder',
      versions: newVersion,
      properties: [fileId, ...target],
      run: move,
    },
    share: {
      displayName: 'Share',
      description: 'Adds a permission to a file',
      properties: [fileId, permissions, options(shareOptions)],
      run: (item) => share(item, fileOf(item)),
    },
    update: {
      displayName: 'Update',
      description: 'Changes the content, name, or properties of a file',
      properties: [
        fileId,
        since3(toggle('changeFileContent', 'Change File Content', 'Whether to replace the content')),
        { ...inputField, displayOptions: { show: { ...inputField.displayOptions?.show, changeFileContent: [true] } } },
        since3(text('newUpdatedFileName', 'New Updated File Name', 'New name; default: the name stays')),
        before3(
          collection('updateFields', 'Update Fields', [
            text('fileName', 'File Name', 'New name'),
            ...fileOptions,
            text('parentId', 'Parent ID', 'Folder to which the file is added'),
            toggle('trashed', 'Move to Trash', 'Whether the file is in the trash'),
          ]),
        ),
        options([fields, ...fileOptions, since3(toggle('trashed', 'Move to Trash', 'Whether the file is in the trash'))]),
      ],
      run: update,
    },
    upload: uploading(),
  },
};

function uploading(): Operation {
  const isText = { binaryData: [false] };
  return {
    displayName: 'Upload',
    description: 'Uploads a file in parts; lost parts are sent again',
    properties: [
      inputField,
      before3(toggle('binaryData', 'Binary File', 'Whether the content is a file of the item')),
      before3(text('fileContent', 'File Content', 'Text of the file', where(isText))),
      before3({ ...oldField, ...where({ binaryData: [true] }) }),
      name,
      ...target.map(since3),
      before3(toggle('resolveData', 'Resolve Data', 'Has no effect: the file is always returned with its data')),
      parents,
      options([...fileOptions, since3(simplifyOutput), before3(fields)]),
    ],
    async run(item) {
      const isOfItem = item.version >= 3 || item.toggle('binaryData');
      const property = item.text(item.version >= 3 ? 'inputDataFieldName' : 'binaryPropertyName', 'data');
      const content = isOfItem ? await item.content(property) : { ...textContent(item.text('fileContent')), fileName: '' };
      const json = {
        name: item.text('name') || content.fileName || 'Untitled',
        ...parentsOf(item),
        ...attachedProperties(item),
      };
      return writeContent(item, content, { json, query: writeQuery(item, 'options', newFileFields(item)) });
    },
  };
}

async function copy(item: ServiceItem): Promise<JsonValue | undefined> {
  const isNew = item.version >= 3;
  const isSameFolder = isNew && item.toggle('sameFolder', true);
  const newName = item.text(isNew ? 'name' : 'options.name');
  return item.send({
    path: filePath(fileOf(item), '/copy'),
    query: { fields: fieldsOf(item, '*'), ...inAllDrives },
    json: {
      ...(newName !== '' && { name: newName }),
      ...(!isSameFolder && parentsOf(item, 'options.parents')),
      ...chosen(item, 'options', ['copyRequiresWriterPermission', 'description']),
    },
  });
}

async function move(item: ServiceItem): Promise<JsonValue | undefined> {
  const id = fileOf(item);
  const { parents: old } = objectOf(await item.send({ path: filePath(id), query: { fields: 'parents', ...inAllDrives } }));
  const removeParents = Array.isArray(old) ? old.map(asText).join(',') : '';
  return changeFile(item, id, {}, { fields: '*', addParents: parentOf(item), removeParents });
}

async function update(item: ServiceItem): Promise<JsonValue | undefined> {
  const isNew = item.version >= 3;
  const path = isNew ? 'options' : 'updateFields';
  const newName = item.text(isNew ? 'newUpdatedFileName' : 'updateFields.fileName');
  const json: JsonObject = {
    ...(newName !== '' && { name: newName }),
    ...chosen(item, path, ['trashed']),
    ...attachedProperties(item, path),
  };
  const addParents = isNew ? '' : item.text('updateFields.parentId');
  const query = { ...writeQuery(item, path, fieldsOf(item, '*')), addParents };
  if (!isNew || !item.toggle('changeFileContent')) return changeFile(item, fileOf(item), json, query);
  const content = await item.content(item.text('inputDataFieldName', 'data'));
  return writeContent(item, content, { id: fileOf(item), json, query });
}
