import type { JsonObject, MethodContext, NodePropertyOption } from '@sluice/node-sdk';
import { choice, choices } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import { choicesFrom } from '../../shared/list-choices.ts';
import { account, attachment, caseResource, contact, lead, opportunity, task, user } from './kinds.ts';
import { customObject, document, flow } from './other-resources.ts';
import { search } from './record-resource.ts';
import { apiPath, recordPath, salesforceClient } from './salesforce-client.ts';

export const salesforce = defineService({
  displayName: 'Salesforce',
  name: 'salesforce',
  version: 1,
  description: 'Reads and changes accounts, contacts, leads, and other records in Salesforce',
  credentials: [{ name: 'salesforceOAuth2Api', required: true }],
  icon: 'fa:cloud',
  iconColor: 'blue',
  client: salesforceClient,
  unsupported: [
    {
      parameter: 'authentication',
      values: ['jwt'],
      what: 'a Salesforce credential of type JWT',
      hint: 'Choose OAuth2, and connect an account',
    },
  ],
  leading: [
    choice(
      'authentication',
      'Authentication',
      choices(['oAuth2', 'OAuth2'], ['jwt', 'OAuth2 JWT', 'Not supported: choose OAuth2']),
    ),
  ],
  resources: {
    account,
    attachment,
    case: caseResource,
    contact,
    customObject,
    document,
    flow,
    lead,
    opportunity,
    search,
    task,
    user,
  },
  initial: 'lead',
  methods: {
    loadOptions: {
      getCustomFields: (context) => fieldsOf(context, ({ custom }) => custom === true),
      getCustomObjects: async (context) => {
        const { sobjects } = objectOf(await salesforceClient.send(context, { path: apiPath('/sobjects') }));
        return choicesFrom(
          objectsOf(sobjects).filter(({ custom }) => custom === true),
          'label',
          'name',
        );
      },
      getExternalIdFields: (context) =>
        fieldsOf(context, ({ externalId, idLookup }) => externalId === true || idLookup === true),
      getFields: (context) => fieldsOf(context, () => true),
    },
  },
});

/** Fields of the records that the node is about. */
async function fieldsOf(context: MethodContext, keep: (field: JsonObject) => boolean): Promise<NodePropertyOption[]> {
  const resource = context.parameter<string>('resource', 'lead');
  const sobject = resource === 'customObject' ? context.parameter<string>('customObject', '') : resource;
  if (sobject === '') return [];
  const { fields } = objectOf(await salesforceClient.send(context, { path: recordPath(sobject, 'describe') }));
  return choicesFrom(objectsOf(fields).filter(keep), 'label', 'name');
}
