import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, list, names, namesParameter, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText, filledFields, objectOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { onePage } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

const listIds: NodeProperty = {
  displayName: 'List IDs',
  name: 'listIds',
  type: 'multiOptions',
  default: [],
  typeOptions: { loadOptionsMethod: 'getListIds' },
  description: 'Lists to add the contact to',
};

const address: NodeProperty = {
  displayName: 'Address',
  name: 'addressUi',
  type: 'fixedCollection',
  default: {},
  options: [
    {
      name: 'addressValues',
      displayName: 'Address',
      values: [
        text('address1', 'Address Line 1', 'First line of the address'),
        text('address2', 'Address Line 2', 'Second line of the address'),
      ],
    },
  ],
};

const customFields = list('customFieldsUi', 'Custom Fields', 'customFieldValues', [
  text('fieldId', 'Field Name or ID', 'ID of the custom field', { typeOptions: { loadOptionsMethod: 'getCustomFields' } }),
  text('fieldValue', 'Field Value', 'Value of the field'),
]);

/** Parameter → API name. */
const apiNames: ReadonlyMap<string, string> = new Map([
  ['city', 'city'],
  ['country', 'country'],
  ['firstName', 'first_name'],
  ['lastName', 'last_name'],
  ['phoneNumber', 'phone_number'],
  ['postalCode', 'postal_code'],
  ['stateProvinceRegion', 'state_province_region'],
]);

const defaultLimit = 100;

/** https://www.twilio.com/docs/sendgrid/api-reference/contacts */
export const contact: Resource = {
  displayName: 'Contact',
  operations: {
    upsert: {
      displayName: 'Create or Update',
      description: 'Creates a contact, or changes the contact with this email address',
      properties: [
        text('email', 'Email', 'Primary email address of the contact', { required: true }),
        collection('additionalFields', 'Additional Fields', [
          address,
          names('alternateEmails', 'Alternate Emails', 'Further email addresses'),
          text('city', 'City', 'City'),
          text('country', 'Country', 'Country'),
          customFields,
          text('firstName', 'First Name', 'First name'),
          text('lastName', 'Last Name', 'Last name'),
          {
            displayName: 'List IDs',
            name: 'listIdsUi',
            type: 'fixedCollection',
            default: {},
            options: [{ name: 'listIdValues', displayName: 'List IDs', values: [listIds] }],
          },
          text('phoneNumber', 'Phone Number', 'Phone number'),
          text('postalCode', 'Postal Code', 'Postal code'),
          text('stateProvinceRegion', 'State/Province/Region', 'State, province, or region'),
        ]),
      ],
      run: (item) => item.send({ method: 'PUT', path: '/marketing/contacts', json: upsertOf(item) }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes contacts',
      properties: [
        toggle('deleteAll', 'Delete All', 'Whether to delete all contacts of the account'),
        names('ids', 'Contact ID', 'IDs of the contacts', { required: true, ...where({ deleteAll: [false] }) }),
      ],
      run: (item) => item.send({ method: 'DELETE', path: '/marketing/contacts', query: deletedOf(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a contact',
      properties: [
        choice('by', 'By', choices(['id', 'ID'], ['email', 'Email'])),
        text('contactId', 'Contact ID', 'ID of the contact', { required: true, ...where({ by: ['id'] }) }),
        text('email', 'Email', 'Email address of the contact', { required: true, ...where({ by: ['email'] }) }),
      ],
      run: (item) => (item.text('by', 'id') === 'email' ? byEmail(item) : item.send({ path: pathOf(item) })),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Gets the latest contacts, or those that match a query',
      properties: [
        ...listPropertiesOf(defaultLimit),
        collection('filters', 'Filters', [text('query', 'Query', "Condition in SGQL, such as `email LIKE '%@example.com'`")]),
      ],
      run: (item) => {
        const query = item.optional('filters.query');
        const path = '/marketing/contacts';
        return item.list(
          query === undefined ? { path } : { path: `${path}/search`, json: { query } },
          onePage('result'),
          item.limit(defaultLimit),
        );
      },
    },
  },
};

const pathOf = (item: ServiceItem): string => `/marketing/contacts/${encodeURIComponent(item.id('contactId'))}`;

function upsertOf(item: ServiceItem): JsonObject {
  const fields = item.fields('additionalFields');
  const named = [...apiNames].map(([name, to]) => [to, fields[name]] as const);
  const [{ address1, address2 } = {}] = item.entries('additionalFields.addressUi.addressValues');
  const alternates = namesParameter(item.context, 'additionalFields.alternateEmails', item.index);
  const custom = item
    .entries('additionalFields.customFieldsUi.customFieldValues')
    .map(({ fieldId, fieldValue = '' }) => [asText(fieldId ?? ''), fieldValue] as const)
    .filter(([id]) => id !== '');
  const chosen = item
    .entries('additionalFields.listIdsUi.listIdValues')
    .flatMap(({ listIds: ids }) => [ids ?? []].flat().map(asText));
  return {
    ...(chosen.length > 0 && { list_ids: chosen }),
    contacts: [
      {
        email: item.required('email'),
        ...filledFields({ ...Object.fromEntries(named), address_line_1: address1, address_line_2: address2 }),
        ...(alternates.length > 0 && { alternate_emails: alternates }),
        ...(custom.length > 0 && { custom_fields: Object.fromEntries(custom) }),
      },
    ],
  };
}

function deletedOf(item: ServiceItem): JsonObject {
  if (item.toggle('deleteAll')) return { delete_all_contacts: true };
  const ids = namesParameter(item.context, 'ids', item.index);
  if (ids.length === 0) throw item.error('the parameter "ids" is required', 'Set it to the IDs of the contacts');
  return { ids: ids.join() };
}

/** SendGrid finds an address regardless of its case, and returns it in lower case. */
async function byEmail(item: ServiceItem): Promise<JsonValue> {
  const email = item.required('email').trim();
  const response = objectOf(await item.send({ path: '/marketing/contacts/search/emails', json: { emails: [email] } }));
  const [one] = Object.values(objectOf(response['result']));
  return objectOf(one)['contact'] ?? {};
}
