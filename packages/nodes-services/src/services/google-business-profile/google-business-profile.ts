import type { JsonObject, MethodContext } from '@sluice/node-sdk';
import { choice, choices, collection, text } from '@sluice/nodes-base/node-tools';
import { defineService, type Operation, type Resource } from '../../shared/define-service.ts';
import { googleClient } from '../../shared/google-client.ts';
import { choicesFrom, matching } from '../../shared/list-choices.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { cursorPaging, sendAll } from '../../shared/paging.ts';
import { chosenId, type ServiceItem } from '../../shared/service-item.ts';

/** https://developers.google.com/my-business/reference/rest/v4/accounts.locations.reviews */
const client = googleClient(
  'Google Business Profile',
  'https://mybusiness.googleapis.com/v4',
  'googleBusinessProfileOAuth2Api',
);
const accountsUrl = 'https://mybusinessaccountmanagement.googleapis.com/v1/accounts';
const informationUrl = 'https://mybusinessbusinessinformation.googleapis.com/v1';

const account = text('account', 'Account', 'The account: from the list, or by its name, such as `accounts/123`', {
  required: true,
  typeOptions: { searchListMethod: 'searchAccounts' },
});
const location = text('location', 'Location', 'The business: from the list, or by its name, such as `locations/456`', {
  required: true,
  typeOptions: { searchListMethod: 'searchLocations' },
});
const place = [account, location];

/** Path from a name such as `accounts/1/locations/2`, whose parts may not lead elsewhere. */
const pathOf = (name: string): string =>
  `/${name
    .slice(0, 1_000)
    .split('/')
    .filter((part) => part !== '')
    .map(encodeURIComponent)
    .join('/')}`;

/** A location's name may contain that of its account. */
function locationPath(item: ServiceItem): string {
  const name = item.id('location');
  return name.startsWith('accounts/') ? pathOf(name) : pathOf(`${item.id('account')}/${name}`);
}

/** Path of a review or post: by its whole name, or by its ID within the location. */
function memberPath(item: ServiceItem, parameter: string, list: string): string {
  const name = item.id(parameter);
  return name.startsWith('accounts/') ? pathOf(name) : `${locationPath(item)}${pathOf(`${list}/${name.split('/').at(-1)}`)}`;
}

const listing = (description: string, list: string, pageSize: number): Operation => ({
  displayName: 'Get Many',
  description,
  properties: [...place, ...listPropertiesOf()],
  run: (item) =>
    item.list(
      { path: `${locationPath(item)}/${list}`, query: { pageSize: Math.min(item.limit(), pageSize) } },
      cursorPaging(list, 'nextPageToken', 'pageToken'),
    ),
});

const reviewId = text('review', 'Review', 'The review, by its name or ID', { required: true });
const reviewPath = (item: ServiceItem) => memberPath(item, 'review', 'reviews');

const review: Resource = {
  displayName: 'Review',
  operations: {
    delete: {
      displayName: 'Delete Reply',
      description: 'Deletes the reply to a review',
      properties: [...place, reviewId],
      run: (item) => item.perform({ method: 'DELETE', path: `${reviewPath(item)}/reply` }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a review',
      properties: [...place, reviewId],
      run: (item) => item.send({ path: reviewPath(item) }),
    },
    getAll: listing('Lists the reviews of a business', 'reviews', 50),
    reply: {
      displayName: 'Reply',
      description: 'Replies to a review, or changes the reply',
      properties: [...place, reviewId, text('reply', 'Reply', 'Text of the reply', { required: true })],
      run: (item) => item.send({ method: 'PUT', path: `${reviewPath(item)}/reply`, json: { comment: item.required('reply') } }),
    },
  },
};

const postId = text('post', 'Post', 'The post, by its name or ID', { required: true });
const postPath = (item: ServiceItem) => memberPath(item, 'post', 'localPosts');
const actions = choices(
  ['BOOK', 'Book'],
  ['CALL', 'Call'],
  ['LEARN_MORE', 'Learn More'],
  ['ORDER', 'Order'],
  ['SHOP', 'Shop'],
  ['SIGN_UP', 'Sign Up'],
);

const post: Resource = {
  displayName: 'Post',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a post with news of a business',
      properties: [
        ...place,
        text('summary', 'Summary', 'Text of the post', { required: true, typeOptions: { rows: 5 } }),
        collection('additionalOptions', 'Options', [
          text('languageCode', 'Language', 'Language of the post, such as `en`'),
          choice('callToActionType', 'Call to Action', actions),
          text('url', 'Call to Action URL', 'Address of the button'),
        ]),
      ],
      run: (item) => item.send({ path: `${locationPath(item)}/localPosts`, json: postOf(item) }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a post',
      properties: [...place, postId],
      run: (item) => item.perform({ method: 'DELETE', path: postPath(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a post',
      properties: [...place, postId],
      run: (item) => item.send({ path: postPath(item) }),
    },
    getAll: listing('Lists the posts of a business', 'localPosts', 100),
  },
};

function postOf(item: ServiceItem): JsonObject {
  const { languageCode, callToActionType: actionType, url } = item.fields('additionalOptions');
  return {
    topicType: 'STANDARD',
    summary: item.required('summary'),
    ...(languageCode !== undefined && { languageCode }),
    ...(actionType !== undefined && { callToAction: { actionType, ...(url !== undefined && { url }) } }),
  };
}

/** At most this many accounts or locations are offered as choices. */
const maxChoices = 1_000;

async function accounts(context: MethodContext, filter = '') {
  const pages = cursorPaging('accounts', 'nextPageToken', 'pageToken');
  const found = await sendAll(client, context, { path: accountsUrl, query: { pageSize: 20 } }, pages, maxChoices);
  return matching(choicesFrom(found, 'accountName', 'name'), filter);
}

async function locations(context: MethodContext, filter = '') {
  const path = `${informationUrl}${pathOf(chosenId(context, 'account'))}/locations`;
  const query = { readMask: 'name,title', pageSize: 100 };
  const pages = cursorPaging('locations', 'nextPageToken', 'pageToken');
  const found = await sendAll(client, context, { path, query }, pages, maxChoices);
  return matching(choicesFrom(found, 'title', 'name'), filter);
}

/** Reads and answers reviews, and publishes posts. */
export const googleBusinessProfile = defineService({
  displayName: 'Google Business Profile',
  name: 'google-business-profile',
  version: 1,
  description: 'Reads and answers reviews, and publishes posts, with Google Business Profile',
  credentials: [{ name: 'googleBusinessProfileOAuth2Api', required: true }],
  icon: 'fa:store',
  iconColor: 'blue',
  client,
  resources: { post, review },
  methods: { listSearch: { searchAccounts: accounts, searchLocations: locations } },
});
