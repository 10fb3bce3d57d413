import type { JsonObject, MethodContext, NodePropertyOption } from '@sluice/node-sdk';
import { defineService } from '../../shared/define-service.ts';
import { objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { choicesFrom } from '../../shared/list-choices.ts';
import { fieldsOf } from './field-types.ts';
import { contact, custom, note, opportunity } from './kinds.ts';
import { callModel, odooClient } from './odoo-client.ts';
import { operators } from './records.ts';

const models: ReadonlyMap<string, string> = new Map([
  ['contact', 'res.partner'],
  ['note', 'note.note'],
  ['opportunity', 'crm.lead'],
]);

export const odoo = defineService({
  displayName: 'Odoo',
  name: 'odoo',
  version: 1,
  description: 'Reads and changes contacts, opportunities, and all other records in Odoo',
  credentials: [{ name: 'odooApi', required: true }],
  icon: 'fa:cubes',
  iconColor: 'purple',
  client: odooClient,
  resources: { contact, custom, note, opportunity },
  methods: {
    loadOptions: {
      getCountries: async (context) => choicesFrom(await listed(context, 'res.country', ['name'])),
      async getFields(context) {
        const model = modelOf(context);
        const described = model === '' ? {} : objectOf(await callModel(context, context, fieldsOf(model)));
        const fields = Object.entries(described).map(([value, field]) => ({ value, name: textOf(objectOf(field)['string']) }));
        return fields.toSorted((a, b) => a.name.localeCompare(b.name));
      },
      getModels: async (context) => choicesFrom(await listed(context, 'ir.model', ['name', 'model']), 'name', 'model'),
      getOperators: async () => operatorChoices,
      getStates: async (context) => choicesFrom(await listed(context, 'res.country.state', ['name'])),
    },
  },
});

const operatorChoices: readonly NodePropertyOption[] = Array.from(operators, ([value, name]) => ({ value, name }));

function modelOf(context: MethodContext): string {
  const resource = context.parameter<string>('resource', 'contact');
  return models.get(resource) ?? textOf(context.parameter('customResource', ''));
}

/** Maximum number of choices in an editor. */
const maxChoices = 5_000;

async function listed(context: MethodContext, model: string, fields: string[]): Promise<JsonObject[]> {
  const options = { fields, limit: maxChoices, order: 'name' };
  return objectsOf(await callModel(context, context, { model, method: 'search_read', args: [[]], options }));
}
