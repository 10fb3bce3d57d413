import type { JsonValue } from '@sluice/node-sdk';
import { text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { objectOf, textOf } from '../../shared/json-values.ts';
import { drivePart } from '../../shared/microsoft-graph.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { drivePath, filePath, file as fileProperty, folder, part, site } from './share-point-client.ts';

const contents = text('fileContents', 'File Contents', 'Field with the file of the item', { default: 'data' });

/** https://learn.microsoft.com/graph/api/resources/driveitem */
export const file: Resource = {
  displayName: 'File',
  operations: {
    download: {
      displayName: 'Download',
      description: 'Downloads a file into the field `data`',
      properties: [site, folder, fileProperty],
      async run(item) {
        const path = filePath(item);
        const { name, file: details } = objectOf(await item.send({ path, query: { $select: 'id,name,file' } }));
        const fileFacts = { fileName: textOf(name), mimeType: textOf(objectOf(details)['mimeType']) };
        return item.download({ path: `${path}/content` }, {}, 'data', fileFacts);
      },
    },
    update: {
      displayName: 'Update',
      description: 'Renames a file, and replaces its content',
      properties: [
        site,
        folder,
        fileProperty,
        text('fileName', 'Updated File Name', 'New name; default: the current one'),
        toggle('changeFileContent', 'Change File Content', 'Whether to replace the content'),
        { ...contents, ...where({ changeFileContent: [true] }) },
      ],
      async run(item) {
        const path = filePath(item);
        const name = item.optional('fileName');
        if (name === undefined && !item.toggle('changeFileContent'))
          throw item.error('nothing of the file changes', 'Set a new name, or switch on "Change File Content"');
        const replaced = item.toggle('changeFileContent') ? await put(item, `${path}/content`) : undefined;
        return name === undefined ? replaced : item.send({ method: 'PATCH', path, json: { name } });
      },
    },
    upload: {
      displayName: 'Upload',
      description: 'Uploads a file of at most 250 MB; an existing file with the name is replaced',
      properties: [
        site,
        folder,
        text('fileName', 'File Name', 'Name of the file; default: that of the file of the item'),
        contents,
      ],
      run(item) {
        const name = item.optional('fileName') ?? item.file(contentsOf(item)).fileName;
        if (name === undefined) throw item.error('the file has no name', 'Fill in the parameter "File Name"');
        return put(item, `${drivePath(item)}/${part(item.id('folder'))}:/${drivePart(item, name)}:/content`);
      },
    },
  },
};

const contentsOf = (item: ServiceItem): string => item.text('fileContents', 'data') || 'data';

/** https://learn.microsoft.com/graph/api/driveitem-put-content */
async function put(item: ServiceItem, path: string): Promise<JsonValue | undefined> {
  const stored = item.file(contentsOf(item));
  const { body } = await item.body(stored);
  return item.send({ method: 'PUT', path, bytes: { body, contentType: stored.mimeType } });
}
