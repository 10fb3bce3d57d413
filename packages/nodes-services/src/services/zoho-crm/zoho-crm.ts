import { defineService, type Resource } from '../../shared/define-service.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import { choicesFrom } from '../../shared/list-choices.ts';
import { getFields, moduleResource } from './module-resource.ts';
import { modules } from './modules.ts';
import { zohoClient } from './zoho-client.ts';

const resources = Object.fromEntries(
  Object.entries(modules).map(([resource, module]): [string, Resource] => [
    resource,
    moduleResource(module, resource === 'lead' ? { getFields: getFields(module.name) } : {}),
  ]),
);

export const zohoCrm = defineService({
  displayName: 'Zoho CRM',
  name: 'zoho-crm',
  version: 1,
  description: 'Reads and changes leads, contacts, deals, and other records in Zoho CRM',
  credentials: [{ name: 'zohoOAuth2Api', required: true }],
  icon: 'fa:address-book',
  iconColor: 'red',
  client: zohoClient,
  resources,
  methods: {
    loadOptions: {
      async getFields(context) {
        const module = modules[context.parameter<string>('resource', 'account')]?.name ?? 'Accounts';
        const body = await zohoClient.send(context, { path: '/settings/fields', query: { module } });
        return choicesFrom(objectsOf(objectOf(body)['fields']), 'field_label', 'api_name');
      },
    },
  },
});
