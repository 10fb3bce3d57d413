import type { JsonObject } from '@sluice/node-sdk';
import { choice, choiceParameter, choices, text, where } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { idOf, idProperty } from './hubspot-properties.ts';

const listId = idProperty('listId', 'List ID');
const by = choice('by', 'By', choices(['id', 'Contact ID'], ['email', 'Email']), { default: 'email' });
const email = text('email', 'Email', 'Email address of the contact', { required: true, ...where({ by: ['email'] }) });
const id = text('id', 'Contact ID', 'ID of the contact', { required: true, ...where({ by: ['id'] }) });

/** https://developers.hubspot.com/docs/api-reference/legacy/lists-v1 */
export const contactList: Resource = {
  displayName: 'Contact List',
  operations: {
    add: operation('Add', 'Adds a contact to a static list', 'add', [by, email, id, listId]),
    remove: operation('Remove', 'Removes a contact from a static list', 'remove', [{ ...id, displayOptions: {} }, listId]),
  },
};

function operation(
  displayName: string,
  description: string,
  action: 'add' | 'remove',
  properties: Operation['properties'],
): Operation {
  return {
    displayName,
    description,
    properties,
    run: (item) => item.send({ path: `/contacts/v1/lists/${idOf(item, 'listId')}/${action}`, json: memberOf(item, action) }),
  };
}

function memberOf(item: ServiceItem, action: 'add' | 'remove'): JsonObject {
  const kind = action === 'remove' ? 'id' : choiceParameter(item.context, 'by', item.index, ['id', 'email'], 'email');
  return kind === 'email' ? { emails: [item.required('email')] } : { vids: [Number(item.required('id'))] };
}
