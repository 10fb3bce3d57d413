import { isJsonObject, type JsonObject, type JsonValue, type NodeProperty } from '@sluice/node-sdk';
import { collection, list, localTime, names, namesParameter, text, toggle } from '@sluice/nodes-base/node-tools';
import { filledFields, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

const type = (examples: string) => text('type', 'Type', `Such as ${examples}`);

/** Contact fields besides the name. */
export const writtenFields: readonly NodeProperty[] = [
  list('addressesUi', 'Addresses', 'addressesValues', [
    text('streetAddress', 'Street Address', 'Street and number'),
    text('city', 'City', 'City'),
    text('region', 'Region', 'State or region'),
    text('countryCode', 'Country Code', 'Such as `US`'),
    text('postalCode', 'Postal Code', 'Postal code'),
    type('`home` or `work`'),
  ]),
  text('birthday', 'Birthday', 'Day of birth'),
  list('companyUi', 'Companies', 'companyValues', [
    toggle('current', 'Current', 'Whether the person works there now'),
    text('domain', 'Domain', 'Domain of the company'),
    text('name', 'Name', 'Name of the company'),
    text('title', 'Title', 'Title of the job'),
  ]),
  list('customFieldsUi', 'Custom Fields', 'customFieldsValues', [
    text('key', 'Key', 'Name of the field'),
    text('value', 'Value', 'Value of the field'),
  ]),
  list('emailsUi', 'Emails', 'emailsValues', [type('`home` or `work`'), text('value', 'Value', 'Email address')]),
  list('eventsUi', 'Events', 'eventsValues', [text('date', 'Date', 'Day of the event'), type('`anniversary`')]),
  names('group', 'Group Names or IDs', 'IDs of labels', { typeOptions: { loadOptionsMethod: 'getGroups' } }),
  text('honorificPrefix', 'Honorific Prefix', 'Such as `Dr.`'),
  text('honorificSuffix', 'Honorific Suffix', 'Such as `Jr.`'),
  text('middleName', 'Middle Name', 'Middle name'),
  text('notes', 'Notes', 'Text about the person'),
  list('phoneUi', 'Phone', 'phoneValues', [type('`home`, `work`, or `mobile`'), text('value', 'Value', 'Phone number')]),
  list('relationsUi', 'Relations', 'relationsValues', [text('person', 'Person', 'Name of the person'), type('`spouse`')]),
];

export const fieldsOf = (name: string, displayName: string, ...more: readonly NodeProperty[]): NodeProperty =>
  collection(name, displayName, [...more, ...writtenFields]);

/** Parameter → person field. */
const lists: Readonly<Record<string, [path: string, field: string]>> = {
  addressesUi: ['addressesValues', 'addresses'],
  companyUi: ['companyValues', 'organizations'],
  customFieldsUi: ['customFieldsValues', 'userDefined'],
  emailsUi: ['emailsValues', 'emailAddresses'],
  phoneUi: ['phoneValues', 'phoneNumbers'],
  relationsUi: ['relationsValues', 'relations'],
};

/** The person fields that a collection sets. `own`: parts of the name alongside it. */
export function personOf(item: ServiceItem, path: string, own: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const { honorificPrefix, honorificSuffix, middleName, notes, birthday } = item.fields(path);
  const name = filledFields({ honorificPrefix, honorificSuffix, middleName, ...own });
  const groups = namesParameter(item.context, `${path}.group`, item.index);
  return {
    ...(Object.keys(name).length > 0 && { names: [name] }),
    ...(birthday !== undefined && { birthdays: [{ date: dayOf(item, 'birthday', birthday) }] }),
    ...(notes !== undefined && { biographies: [{ value: notes, contentType: 'TEXT_PLAIN' }] }),
    ...(groups.length > 0 && { memberships: groups.map(membership) }),
    ...listsOf(item, path),
    ...eventsOf(item, path),
  };
}

const membership = (id: string): JsonObject => ({
  contactGroupMembership: { contactGroupResourceName: id.startsWith('contactGroups/') ? id : `contactGroups/${id}` },
});

function listsOf(item: ServiceItem, path: string): JsonObject {
  const listEntries = Object.entries(lists).map(([parameter, [group, field]]): [string, JsonObject[]] => [
    field,
    item.entries(`${path}.${parameter}.${group}`).map(filledFields),
  ]);
  return Object.fromEntries(listEntries.filter(([, entries]) => entries.length > 0));
}

function eventsOf(item: ServiceItem, path: string): JsonObject {
  const events = item.entries(`${path}.eventsUi.eventsValues`).map(({ date = '', type: kind }) => ({
    date: dayOf(item, 'eventsUi', date),
    ...filledFields({ type: kind }),
  }));
  return events.length > 0 ? { events } : {};
}

/** A day in the workflow's time zone. */
function dayOf(item: ServiceItem, name: string, value: JsonValue): JsonObject {
  const day = localTime(value, item.context.workflow.timezone)?.date;
  if (day === undefined) throw item.error(`the field "${name}" is not a date`, 'Set it to a date such as 1990-01-31');
  const [year, month, date] = day.split('-').map(Number);
  return { year: year ?? 0, month: month ?? 0, day: date ?? 0 };
}

/** The current values of fields that an update changes only in part. */
export function mergedName(before: JsonObject, after: JsonObject): JsonObject {
  const [name = {}] = objectsOf(before['names']);
  const [changed] = objectsOf(after['names']);
  if (changed === undefined) return after;
  const unchanged = ['familyName', 'givenName', 'honorificPrefix', 'honorificSuffix', 'middleName'].flatMap((part) => {
    const value = name[part];
    return value === undefined || isJsonObject(value) ? [] : [[part, value] as const];
  });
  return { ...after, names: [{ ...Object.fromEntries(unchanged), ...changed }] };
}
