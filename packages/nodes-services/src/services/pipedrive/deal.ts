import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, names, number, text, when, where } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { labelIds, ownerId, visibleTo } from './contact.ts';
import { dataOf, listed, pathOf } from './pipedrive-client.ts';
import { chosenFrom } from './pipedrive-options.ts';
import { exactMatch, idOf, listProperties, membersOf, recordOperations, searchOperation } from './records.ts';

const orgId = text('org_id', 'Organization ID', 'ID of the organization', chosenFrom('getOrganizationIds'));
const personId = text('person_id', 'Person ID', 'ID of the person', chosenFrom('getPersonIds'));
const userId = text('user_id', 'User ID', 'ID of the user who owns it', chosenFrom('getUserIds'));

/** The choice between an organization and a person, and the parameter for its ID. */
export const associateWith = (organization: NodeProperty): readonly NodeProperty[] => [
  choice('associateWith', 'Associate With', choices(['organization', 'Organization'], ['person', 'Person'])),
  { ...organization, ...where({ associateWith: ['organization'] }) },
  { ...personId, ...where({ associateWith: ['person'] }) },
];

/** ID of the parent of a new record. Editors use zero for no parent. */
export function associated(item: ServiceItem, organization: string): JsonObject {
  const name = item.text('associateWith', 'organization') === 'person' ? 'person_id' : organization;
  const id = item.text(name).trim();
  return id === '' || id === '0' ? {} : { [name]: id };
}

const statuses = choices(['open', 'Open'], ['won', 'Won'], ['lost', 'Lost'], ['deleted', 'Deleted']);

/** https://developers.pipedrive.com/docs/api/v1/Deals */
export const deal: Resource = {
  displayName: 'Deal',
  operations: {
    ...recordOperations({
      noun: 'deal',
      plural: 'deals',
      required: [text('title', 'Title', 'Title of the deal')],
      create: { properties: associateWith(orgId), membersOf: (item) => associated(item, 'org_id') },
      fields: [
        text('currency', 'Currency', 'Three letters of the currency; default: that of the account'),
        text('expected_close_date', 'Expected Close Date', 'Day on which the deal may close, such as `2026-01-31`'),
        names('label', 'Label', 'IDs of labels'),
        labelIds,
        text('lost_reason', 'Lost Reason', 'Why the deal was lost'),
        orgId,
        { ...ownerId, ...when([2]) },
        personId,
        text('pipeline_id', 'Pipeline ID', 'ID of the pipeline', chosenFrom('getPipelineIds')),
        number('probability', 'Probability', 0, 'Probability of success, in percent'),
        text('stage_id', 'Stage ID', 'ID of the stage', chosenFrom('getStageIds')),
        choice('status', 'Status', statuses),
        userId,
        number('value', 'Value', 0, 'Value of the deal'),
        visibleTo,
      ],
      filters: [
        collection('filters', 'Filters', [
          text('filter_id', 'Filter ID', 'ID of a filter that the deals match', chosenFrom('getFilters')),
          orgId,
          { ...ownerId, ...when([2]) },
          personId,
          text('pipeline_id', 'Pipeline ID', 'Only deals in this pipeline', chosenFrom('getPipelineIds')),
          text('stage_id', 'Stage ID', 'Only deals in this stage', chosenFrom('getStageIds')),
          choice('status', 'Status', [{ value: 'all_not_deleted', name: 'All Not Deleted' }, ...statuses]),
          userId,
        ]),
      ],
      queryOf(item) {
        const { user_id: user = null, owner_id: owner = user, status = 'all_not_deleted', ...query } = item.fields('filters');
        return { ...query, owner_id: owner, status: status === 'all_not_deleted' ? null : status };
      },
    }),
    duplicate: {
      displayName: 'Duplicate',
      description: 'Copies a deal',
      properties: [idOf('deal')],
      run: (item) => dataOf(item, { method: 'POST', path: pathOf(item, '/api/v1/deals', 'dealId', '/duplicate') }),
    },
    search: searchOperation(
      'deals',
      [
        names('includeFields', 'Include Fields', 'Fields to return in addition, such as `deal.cc_email`'),
        text('organizationId', 'Organization ID', 'Only deals of this organization'),
        text('personId', 'Person ID', 'Only deals of this person'),
        choice('status', 'Status', statuses),
      ],
      [exactMatch],
    ),
  },
};

/** https://developers.pipedrive.com/docs/api/v1/Activities */
export const dealActivity: Resource = {
  displayName: 'Deal Activity',
  operations: {
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the activities of a deal',
      properties: [
        idOf('deal'),
        ...listProperties,
        collection('additionalFields', 'Additional Fields', [
          choice('done', 'Done', choices(['0', 'Not Done'], ['1', 'Done'])),
        ]),
      ],
      run: (item) => {
        const { done } = item.fields('additionalFields');
        const query = { deal_id: item.id('dealId').trim(), ...(done !== undefined && membersOf({ done })) };
        return listed(item, '/api/v2/activities', query);
      },
    },
  },
};

const attachmentId = text('productAttachmentId', 'Product Attachment ID', 'ID of the product within the deal', {
  required: true,
});
const attached: readonly NodeProperty[] = [
  text('comments', 'Comments', 'Comments on the product'),
  number('discount_percentage', 'Discount Percentage', 0, 'Discount in percent'),
  text('product_variation_id', 'Product Variation ID', 'ID of the variation'),
];
const price = number('item_price', 'Item Price', 0, 'Price of one');
const quantity = number('quantity', 'Quantity', 1, 'Number of pieces');

const productsPath = (item: ServiceItem) => pathOf(item, '/api/v2/deals', 'dealId', '/products');
const attachedPath = (item: ServiceItem) => pathOf(item, productsPath(item), 'productAttachmentId');

function attachedMembers(item: ServiceItem, path: string): JsonObject {
  const { discount_percentage: discount, ...members } = item.fields(path);
  return membersOf({ ...members, ...(discount !== undefined && { discount, discount_type: 'percentage' }) });
}

/** https://developers.pipedrive.com/docs/api/v1/DealProducts */
export const dealProduct: Resource = {
  displayName: 'Deal Product',
  operations: {
    add: {
      displayName: 'Add',
      description: 'Adds a product to a deal',
      properties: [
        idOf('deal'),
        { ...idOf('product'), ...chosenFrom('getProductIds') },
        { ...price, required: true },
        { ...quantity, required: true },
        collection('additionalFields', 'Additional Fields', attached),
      ],
      run: (item) => {
        const own = membersOf({ product_id: item.id('productId') });
        const amounts = { item_price: item.number('item_price', 0), quantity: item.number('quantity', 1) };
        const json = { ...own, ...amounts, ...attachedMembers(item, 'additionalFields') };
        return dataOf(item, { path: productsPath(item), json });
      },
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the products of a deal',
      properties: [idOf('deal'), ...listProperties],
      run: (item) => listed(item, productsPath(item)),
    },
    remove: {
      displayName: 'Remove',
      description: 'Removes a product from a deal',
      properties: [idOf('deal'), attachmentId],
      run: (item) => item.perform({ method: 'DELETE', path: attachedPath(item) }),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a product of a deal',
      properties: [idOf('deal'), attachmentId, collection('updateFields', 'Update Fields', [price, quantity, ...attached])],
      run: (item) => dataOf(item, { method: 'PATCH', path: attachedPath(item), json: attachedMembers(item, 'updateFields') }),
    },
  },
};
