import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, list, number, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText, filledFields, objectOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { anyFields, operationsOf } from './records.ts';

/**
 * A resource whose model and fields are known. `nameOf`: parameter and field of the name of a
 * record.
 */
function resource(
  displayName: string,
  model: string,
  { id, nameOf, fields }: { id: string; nameOf: readonly [parameter: string, field: string]; fields: readonly NodeProperty[] },
): Resource {
  const noun = displayName.toLowerCase();
  const [parameter, field] = nameOf;
  return {
    displayName,
    operations: operationsOf({
      model: () => model,
      named: [],
      id: text(id, `${displayName} ID`, `ID of the ${noun}`, { required: true }),
      noun,
      created: [
        text(parameter, 'Name', `Name of the ${noun}`, { required: true }),
        collection('additionalFields', 'Additional Fields', fields),
      ],
      updated: [collection('updateFields', 'Update Fields', [text('name', 'Name', `Name of the ${noun}`), ...fields])],
      values: (item, isNew) =>
        isNew ? { [field]: item.required(parameter), ...recordIn(item, 'additionalFields') } : recordIn(item, 'updateFields'),
    }),
  };
}

/** Fields of an address are fields of its contact. */
function recordIn(item: ServiceItem, path: string): JsonObject {
  const { address, ...fields } = item.fields(path);
  return { ...fields, ...filledFields(objectOf(objectOf(address)['value'])) };
}

const region = { typeOptions: { loadOptionsMethod: 'getStates' } };
const country = { typeOptions: { loadOptionsMethod: 'getCountries' } };

export const contact = resource('Contact', 'res.partner', {
  id: 'contactId',
  nameOf: ['contactName', 'name'],
  fields: [
    list(
      'address',
      'Address',
      'value',
      [
        text('city', 'City', 'City'),
        text('country_id', 'Country Name or ID', 'ID of the country', country),
        text('state_id', 'State Name or ID', 'ID of the state or region', region),
        text('street', 'Street', 'Street and number'),
        text('street2', 'Street 2', 'Second line'),
        text('zip', 'ZIP', 'Postal code'),
      ],
      { typeOptions: {} },
    ),
    text('comment', 'Internal Notes', 'Notes as HTML'),
    text('email', 'Email', 'Email address'),
    text('function', 'Job Position', 'Position in the company'),
    text('mobile', 'Mobile', 'Mobile phone number'),
    text('phone', 'Phone', 'Phone number'),
    text('vat', 'Tax ID', 'Tax identification number'),
    text('website', 'Website', 'Address of the website'),
  ],
});

export const opportunity = resource('Opportunity', 'crm.lead', {
  id: 'opportunityId',
  nameOf: ['opportunityName', 'name'],
  fields: [
    text('description', 'Internal Notes', 'Notes as HTML'),
    text('email_from', 'Email', 'Email address'),
    number('expected_revenue', 'Expected Revenue', 0, 'Revenue in the currency of the company'),
    text('phone', 'Phone', 'Phone number'),
    choice('priority', 'Priority', choices(['1', 'Medium'], ['2', 'High'], ['3', 'Very High'], ['0', 'Low'])),
    number('probability', 'Probability', 0, 'Percentage from 0 to 100'),
  ],
});

const memo = text('memo', 'Memo', 'Text of the note as HTML', { required: true });

/** https://github.com/odoo/odoo/tree/16.0/addons/note; later versions have to-dos instead. */
export const note: Resource = {
  displayName: 'Note',
  operations: operationsOf({
    model: () => 'note.note',
    named: [],
    id: text('noteId', 'Note ID', 'ID of the note', { required: true }),
    noun: 'note',
    created: [memo],
    updated: [memo],
    values: (item) => ({ memo: item.required('memo') }),
  }),
};

/** Records of any model. */
export const custom: Resource = {
  displayName: 'Custom Resource',
  operations: operationsOf({
    model: (item) => item.id('customResource').trim(),
    named: [
      text('customResource', 'Custom Resource Name or ID', 'Technical name of the model, such as `sale.order`', {
        required: true,
        typeOptions: { loadOptionsMethod: 'getModels' },
      }),
    ],
    id: text('customResourceId', 'Custom Resource ID', 'ID of the record', { required: true }),
    noun: 'record',
    created: [anyFields],
    updated: [anyFields],
    values: (item) => {
      const entries = item.entries('fieldsToCreateOrUpdate.fields');
      const named = entries.map(({ fieldName = '', fieldValue = '' }) => [asText(fieldName).trim(), fieldValue] as const);
      return Object.fromEntries(named.filter(([name]) => name !== ''));
    },
  }),
};
