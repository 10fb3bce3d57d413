import type { JsonObject } from '@sluice/node-sdk';
import { namesParameter } from '@sluice/nodes-base/node-tools';
import { googleClient } from '../../shared/google-client.ts';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://developers.google.com/people/api/rest */
export const contactsClient = googleClient('Google Contacts', 'https://people.googleapis.com/v1', 'googleContactsOAuth2Api');

/** Fields of a person: https://developers.google.com/people/api/rest/v1/people#Person */
export const personFields: readonly string[] = [
  'addresses',
  'biographies',
  'birthdays',
  'coverPhotos',
  'emailAddresses',
  'events',
  'genders',
  'imClients',
  'interests',
  'locales',
  'memberships',
  'metadata',
  'names',
  'nicknames',
  'occupations',
  'organizations',
  'phoneNumbers',
  'photos',
  'relations',
  'sipAddresses',
  'skills',
  'urls',
  'userDefined',
];

/** The fields from the parameters. `fallback`: used if no field is selected. */
export function chosenFields(item: ServiceItem, fallback = personFields): readonly string[] {
  const chosen = namesParameter(item.context, 'fields', item.index);
  if (chosen.includes('*')) return personFields;
  return chosen.length === 0 ? fallback : chosen;
}

/** Path of a contact, whose ID may have the prefix `people/`. */
export const personPath = (item: ServiceItem, action = ''): string =>
  `/people/${encodeURIComponent(
    item
      .required('contactId')
      .trim()
      .replace(/^people\//, ''),
  )}${action}`;

/** A contact with its ID. */
export function identified(person: JsonObject): JsonObject {
  const name = asText(person['resourceName'] ?? '');
  return { contactId: name.replace(/^people\//, ''), ...person };
}
