import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { driveUrl, inAllDrives } from '../../shared/google-drive.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { documentRequests } from './document-requests.ts';
import { documentText } from './document-text.ts';
import { documentOf, documentPath } from './google-docs-client.ts';
import { actionsUi, documentUrl, updateFields } from './google-docs-properties.ts';

const simple = (description: string): NodeProperty => toggle('simple', 'Simplify', description, { default: true });
const documentType = 'application/vnd.google-apps.document';

export const document: Resource = {
  displayName: 'Document',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates an empty document',
      properties: [
        text('driveId', 'Drive', '`myDrive`, `sharedWithMe`, or the ID of a shared drive', {
          default: 'myDrive',
          typeOptions: { loadOptionsMethod: 'getDrives' },
        }),
        text('folderId', 'Folder', 'ID of the folder; `default`: the root of the drive', {
          default: 'default',
          typeOptions: { loadOptionsMethod: 'getFolders' },
        }),
        text('title', 'Title', 'Title of the document', { required: true }),
      ],
      run: (item) => {
        const parent = parentOf(item);
        return item.send({
          path: `${driveUrl}/files`,
          query: inAllDrives,
          json: {
            name: item.required('title'),
            mimeType: documentType,
            ...(parent !== undefined && { parents: [parent] }),
          },
        });
      },
    },
    get: {
      displayName: 'Get',
      description: 'Gets a document',
      properties: [documentUrl, simple('Whether to return the text of all tabs instead of the whole document')],
      async run(item) {
        const isSimple = item.toggle('simple', true);
        const query = isSimple ? { includeTabsContent: 'true' } : {};
        const response = objectOf(await item.send({ path: documentPath(documentOf(item)), query }));
        return isSimple ? { documentId: response['documentId'] ?? null, content: await documentText(response) } : response;
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes a document by a list of actions',
      properties: [
        documentUrl,
        simple('Whether to return the ID and the results instead of the whole response'),
        actionsUi,
        updateFields,
      ],
      run: update,
    },
  },
};

/** `undefined`: the root of My Drive. */
function parentOf(item: ServiceItem): string | undefined {
  const folder = item.text('folderId', 'default');
  if (folder !== 'default' && folder !== '') return folder;
  const drive = item.text('driveId', 'myDrive');
  return ['myDrive', 'sharedWithMe', ''].includes(drive) ? undefined : drive;
}

async function update(item: ServiceItem): Promise<JsonValue | undefined> {
  const id = documentOf(item);
  const requests = documentRequests(item);
  if (requests.length === 0) throw item.error('there are no actions', 'Add at least one action to "Actions"');
  const [control] = item.entries('updateFields.writeControlObject.value');
  const { control: kind = 'requiredRevisionId', value: revision = '' } = control ?? {};
  const response = await item.send({
    path: documentPath(id, ':batchUpdate'),
    json: { requests, ...(revision !== '' && { writeControl: { [revisionField(kind)]: revision } }) },
  });
  if (!item.toggle('simple', true)) return response;
  const { documentId = id, replies } = objectOf(response);
  return Object.assign({ documentId }, ...objectsOf(replies).flatMap(resultsOf));
}

const revisionField = (kind: JsonValue): string => (kind === 'targetRevisionId' ? 'targetRevisionId' : 'requiredRevisionId');

/** A reply has one member, named after the request. */
const resultsOf = (reply: JsonObject): JsonObject[] => Object.values(reply).map(objectOf);
