import { headerText, isJsonObject, type JsonObject } from '@sluice/node-sdk';
import { choice, choices, collection, text, where } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText, objectOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

const title = text('title', 'Title', 'Title of the article or image');
const visibility = choice('visibility', 'Visibility', choices(['CONNECTIONS', 'Connections'], ['PUBLIC', 'Public']), {
  default: 'PUBLIC',
  description: 'Who sees the post',
});

export const post: Resource = {
  displayName: 'Post',
  initial: 'create',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a post of a person or an organization',
      properties: [
        choice('postAs', 'Post As', choices(['person', 'Person'], ['organization', 'Organization'])),
        text('person', 'Person', 'ID of the member; by default, the account of the credential', {
          typeOptions: { loadOptionsMethod: 'getPersonUrn' },
          ...where({ postAs: ['person'] }),
        }),
        text('organization', 'Organization', 'ID of the organization, without `urn:li:organization:`', {
          required: true,
          ...where({ postAs: ['organization'] }),
        }),
        text('text', 'Text', 'Text of the post, at most 3,000 characters'),
        choice(
          'shareMediaCategory',
          'Media Category',
          choices(
            ['NONE', 'None', 'Text only'],
            ['ARTICLE', 'Article', 'Text and a link'],
            ['IMAGE', 'Image', 'Text and an image'],
          ),
        ),
        text('binaryPropertyName', 'Input Binary Field', 'Property of the item that has the image', {
          default: 'data',
          required: true,
          ...where({ shareMediaCategory: ['IMAGE'] }),
        }),
        collection('additionalFields', 'Additional Fields', [visibility], where({ shareMediaCategory: ['NONE'] })),
        collection('additionalFields', 'Additional Fields', [title, visibility], where({ shareMediaCategory: ['IMAGE'] })),
        collection(
          'additionalFields',
          'Additional Fields',
          [
            text('description', 'Description', 'Description of the article'),
            text('originalUrl', 'Original URL', 'Address of the article'),
            text('thumbnailBinaryPropertyName', 'Thumbnail Binary Property', 'Property of the item that has a preview picture'),
            title,
            visibility,
          ],
          where({ shareMediaCategory: ['ARTICLE'] }),
        ),
      ],
      run: create,
    },
  },
};

async function create(item: ServiceItem): Promise<JsonObject> {
  const author = await authorOf(item);
  const content = await contentOf(item, author);
  const response = await item.exchange({
    path: '/rest/posts',
    json: {
      author,
      commentary: escapeLittleText(item.text('text')),
      visibility: item.text('additionalFields.visibility') || 'PUBLIC',
      distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
      lifecycleState: 'PUBLISHED',
      isReshareDisabledByAuthor: false,
      ...(content && { content }),
    },
  });
  return { urn: headerText(response.headers, 'x-restli-id') };
}

/** The URN of the author; without an ID, that of the member who connected the credential. */
async function authorOf(item: ServiceItem): Promise<string> {
  if (item.text('postAs', 'person') === 'organization')
    return `urn:li:organization:${item.required('organization').replace(/^urn:li:organization:/, '')}`;
  const person = item.text('person').replace(/^urn:li:person:/, '');
  if (person !== '') return `urn:li:person:${person}`;
  const profile = await item.send({ path: '/v2/userinfo' });
  return `urn:li:person:${isJsonObject(profile) ? profile['sub'] : ''}`;
}

/**
 * Longer texts are cut before they are escaped. LinkedIn still rejects them: its limit is 3,000
 * characters.
 */
const maxTextLength = 20_000;

/**
 * Escapes the characters that
 * https://learn.microsoft.com/linkedin/marketing/community-management/shares/little-text-format
 * reserves, except hashtags.
 */
function escapeLittleText(text: string): string {
  return text.slice(0, maxTextLength).replace(/[\\|{}@[\]()<>*_~]/g, String.raw`\$&`);
}

/** The image or article of the post; `undefined` for a post of text only. */
async function contentOf(item: ServiceItem, owner: string): Promise<JsonObject | undefined> {
  const { title: name, originalUrl, description, thumbnailBinaryPropertyName: thumbnail } = item.fields('additionalFields');
  switch (item.text('shareMediaCategory', 'NONE')) {
    case 'IMAGE': {
      const id = await uploadImage(item, owner, item.text('binaryPropertyName', 'data'));
      return { media: { id, ...(name !== undefined && { title: name }) } };
    }
    case 'ARTICLE': {
      if (originalUrl === undefined)
        throw item.error('the parameter "additionalFields.originalUrl" is required', 'Write the address of the article');
      const picture = typeof thumbnail === 'string' ? await uploadImage(item, owner, thumbnail) : undefined;
      return {
        article: {
          source: originalUrl,
          title: name ?? originalUrl,
          ...(description !== undefined && { description }),
          ...(picture !== undefined && { thumbnail: picture }),
        },
      };
    }
    default:
      return undefined;
  }
}

/**
 * Uploads a file of the item and returns its image URN: first LinkedIn creates an upload URL, then
 * it receives the bytes.
 * https://learn.microsoft.com/linkedin/marketing/community-management/shares/images-api
 */
async function uploadImage(item: ServiceItem, owner: string, property: string): Promise<string> {
  const file = item.file(property);
  const body = await item.send({
    path: '/rest/images?action=initializeUpload',
    json: { initializeUploadRequest: { owner } },
  });
  const { uploadUrl = '', image = '' } = objectOf(objectOf(body)['value']);
  const { body: bytes } = await item.body(file);
  await item.send({ method: 'PUT', path: asText(uploadUrl), bytes: { body: bytes, contentType: file.mimeType } });
  return asText(image);
}
