import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { collection, list, objectParameter, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText, filledFields } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { onePage } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { externalId, externalPath } from './record-resource.ts';
import { apiPath, base64Of, customFields, customFieldsOf, recordPath, succeeded } from './salesforce-client.ts';
import { queried, queryProperties } from './soql.ts';

const customObjectName = text('customObject', 'Custom Object Name or ID', 'API name of the object, which ends in `__c`', {
  required: true,
  typeOptions: { loadOptionsMethod: 'getCustomObjects' },
});
const recordId = text('recordId', 'Record ID', 'ID of the record', { required: true });
const recordType = collection('additionalFields', 'Additional Fields', [
  text('recordTypeId', 'Record Type Name or ID', 'ID of the record type'),
]);

const objectOfItem = (item: ServiceItem): string => item.required('customObject').trim();
const customPath = (item: ServiceItem): string => recordPath(objectOfItem(item), item.id('recordId').trim());

function valuesOf(item: ServiceItem): JsonObject {
  const { recordTypeId } = item.fields('additionalFields');
  return { ...customFieldsOf(item, 'customFieldsUi'), ...(recordTypeId !== undefined && { RecordTypeId: recordTypeId }) };
}

/** Records of an object that the organization defined; any other object works, too. */
export const customObject: Resource = {
  displayName: 'Custom Object',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a record of a custom object',
      properties: [customObjectName, customFields, recordType],
      run: (item) => item.send({ path: recordPath(objectOfItem(item)), json: valuesOf(item) }),
    },
    upsert: {
      displayName: 'Create or Update',
      description: 'Creates a record, or changes the record with an external ID',
      properties: [customObjectName, ...externalId, customFields, recordType],
      run: (item) => item.send({ method: 'PATCH', path: externalPath(item, objectOfItem(item)), json: valuesOf(item) }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a record of a custom object',
      properties: [customObjectName, recordId],
      run: async (item) => {
        await item.send({ method: 'DELETE', path: customPath(item) });
        return succeeded;
      },
    },
    get: {
      displayName: 'Get',
      description: 'Gets a record of a custom object',
      properties: [customObjectName, recordId],
      run: (item) => item.send({ path: customPath(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists records of a custom object',
      properties: [customObjectName, ...queryProperties],
      run: (item) => queried(item, objectOfItem(item), ['Id', 'Name']),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a record of a custom object; fields that are not set are kept',
      properties: [customObjectName, recordId, customFields, recordType],
      run: async (item) => {
        await item.send({ method: 'PATCH', path: customPath(item), json: valuesOf(item) });
        return succeeded;
      },
    },
  },
};

/**
 * https://developer.salesforce.com/docs/atlas.en-us.object_reference.meta/object_reference/sforce_api_objects_contentversion.htm
 */
export const document: Resource = {
  displayName: 'Document',
  operations: {
    upload: {
      displayName: 'Upload',
      description: 'Uploads a file',
      properties: [
        text('title', 'Title', 'Title of the file', { required: true }),
        text('binaryPropertyName', 'Input Binary Field', 'Field with the file of the item', {
          default: 'data',
          required: true,
        }),
        collection('additionalFields', 'Additional Fields', [
          text('fileExtension', 'File Extension', 'Extension of the file; default: that of its name'),
          text('linkToObjectId', 'Link To Object ID', 'ID of the record that the file is attached to'),
          text('ownerId', 'Owner Name or ID', 'ID of the user who owns the file'),
        ]),
      ],
      async run(item) {
        const { fileExtension, linkToObjectId, ownerId } = item.fields('additionalFields');
        const { name, content } = await base64Of(item, item.text('binaryPropertyName', 'data') || 'data');
        const title = item.required('title');
        const extension = asText(fileExtension ?? /\.(\w{1,20})$/.exec(name)?.[1] ?? '').replace(/^\./, '');
        return item.send({
          path: recordPath('ContentVersion'),
          json: {
            Title: title,
            ContentLocation: 'S',
            PathOnClient: extension === '' ? title : `${title}.${extension}`,
            VersionData: content,
            ...filledFields({ FirstPublishLocationId: linkToObjectId, OwnerId: ownerId }),
          },
        });
      },
    },
  },
};

const variables: readonly NodeProperty[] = [
  toggle('jsonParameters', 'JSON Parameters', 'Whether the variables are JSON'),
  {
    displayName: 'Variables',
    name: 'variablesJson',
    type: 'json',
    default: '',
    description: 'Object: name of an input variable → its value',
    ...where({ jsonParameters: [true] }),
  },
  list(
    'variablesUi',
    'Variables',
    'variablesValues',
    [text('name', 'Name', 'Name of the input variable'), text('value', 'Value', 'Value of the variable')],
    where({ jsonParameters: [false] }),
  ),
];

/**
 * https://developer.salesforce.com/docs/atlas.en-us.api_action.meta/api_action/actions_obj_flow.htm
 */
export const flow: Resource = {
  displayName: 'Flow',
  operations: {
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the flows that can be invoked',
      properties: listPropertiesOf(),
      run: (item) => item.list({ path: apiPath('/actions/custom/flow') }, onePage('actions')),
    },
    invoke: {
      displayName: 'Invoke',
      description: 'Runs an autolaunched flow',
      properties: [text('apiName', 'API Name', 'API name of the flow', { required: true }), ...variables],
      run: (item) =>
        item.send({
          path: apiPath(`/actions/custom/flow/${encodeURIComponent(item.required('apiName').trim())}`),
          json: { inputs: [variablesOf(item)] },
        }),
    },
  },
};

function variablesOf(item: ServiceItem): JsonObject {
  if (item.toggle('jsonParameters')) return objectParameter(item.context, 'variablesJson', item.index);
  const entries = item
    .entries('variablesUi.variablesValues')
    .map(({ name, value = '' }): [string, JsonValue] => [asText(name ?? ''), value]);
  return Object.fromEntries(entries.filter(([name]) => name !== ''));
}
