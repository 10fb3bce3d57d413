import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { collection, list, text, toggle, where } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { defineService, type Produced, type Resource } from '../../shared/define-service.ts';
import { FileItem } from '../../shared/file-item.ts';
import { googleAccount } from '../../shared/google-account.ts';
import { googleClient } from '../../shared/google-client.ts';
import { asText, objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { choicesFrom } from '../../shared/list-choices.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { onePage } from '../../shared/paging.ts';
import { chosenId, type ServiceItem } from '../../shared/service-item.ts';

const version = [1, 2];
const byServiceAccount = [1];

/** https://developers.google.com/workspace/slides/api/reference/rest */
const client = googleClient('Google Slides', 'https://slides.googleapis.com/v1', 'googleSlidesOAuth2Api', byServiceAccount);

/** Thumbnails have a URL of their own, which needs no credential. */
const images = new ApiClient({ service: 'Google Slides', credentialType: () => undefined, baseUrl: '' });

const presentationId = text('presentationId', 'Presentation ID', 'ID of the presentation, or its URL', { required: true });
const pageObjectId = text('pageObjectId', 'Page Object ID', 'ID of the page', { required: true });
const defaultLimit = 100;

const presentation: Resource = {
  displayName: 'Presentation',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates an empty presentation',
      properties: [text('title', 'Title', 'Title of the presentation', { required: true })],
      run: (item) => item.send({ path: '/presentations', json: { title: item.required('title') } }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a presentation',
      properties: [presentationId],
      run: (item) => item.send({ path: pathOf(item) }),
    },
    getSlides: {
      displayName: 'Get Slides',
      description: 'Gets the slides of a presentation',
      properties: [presentationId, ...listPropertiesOf(defaultLimit)],
      run: (item) =>
        item.list({ path: pathOf(item), query: { fields: 'slides' } }, onePage('slides'), item.limit(defaultLimit)),
    },
    replaceText: {
      displayName: 'Replace Text',
      description: 'Replaces text in a presentation, such as placeholders of a template',
      properties: [
        presentationId,
        list('textUi', 'Texts To Replace', 'textValues', [
          toggle('matchCase', 'Match Case', 'Whether upper and lower case differ'),
          {
            displayName: 'Slide Names or IDs',
            name: 'pageObjectIds',
            type: 'multiOptions',
            default: [],
            typeOptions: { loadOptionsMethod: 'getPages', loadOptionsDependsOn: ['presentationId'] },
            description: 'Slides to change; default: all',
          },
          text('replaceText', 'Replace Text', 'New text'),
          text('text', 'Text', 'Text to find'),
        ]),
        collection('options', 'Options', [
          text('revisionId', 'Revision ID', 'Revision that the presentation must have; otherwise the node fails'),
        ]),
      ],
      run: (item) => item.send({ path: pathOf(item, ':batchUpdate'), json: replacementsOf(item) }),
    },
  },
};

const page: Resource = {
  displayName: 'Page',
  operations: {
    get: {
      displayName: 'Get',
      description: 'Gets a page',
      properties: [presentationId, pageObjectId],
      run: (item) => item.send({ path: pagePath(item) }),
    },
    getThumbnail: {
      displayName: 'Get Thumbnail',
      description: 'Gets the address of an image of a page, or the image',
      properties: [
        presentationId,
        pageObjectId,
        toggle('download', 'Download', 'Whether to download the image'),
        text('binaryProperty', 'Put Output File in Field', 'Field for the image', {
          default: 'data',
          required: true,
          ...where({ download: [true] }),
        }),
      ],
      run: thumbnailOf,
    },
  },
};

export const googleSlides = defineService({
  displayName: 'Google Slides',
  name: 'google-slides',
  version,
  defaultVersion: 2,
  description: 'Creates and reads presentations in Google Slides, and fills in templates',
  ...googleAccount('googleSlidesOAuth2Api', { version, byServiceAccount }),
  icon: 'fa:file-powerpoint',
  iconColor: 'orange',
  client,
  resources: { page, presentation },
  initial: 'presentation',
  methods: {
    loadOptions: {
      getPages: async (context) => {
        const id = idIn(chosenId(context, 'presentationId'));
        if (id === '') return [];
        const path = `/presentations/${encodeURIComponent(id)}`;
        const response = objectOf(await client.send(context, { path, query: { fields: 'slides.objectId' } }));
        return choicesFrom(objectsOf(response['slides']), 'objectId', 'objectId');
      },
    },
  },
});

/** The ID in a URL; other text is an ID. */
const idIn = (idOrUrl: string): string =>
  /\/presentation\/(?:u\/\d+\/)?d\/([\w-]+)/.exec(idOrUrl.slice(0, 2_000))?.[1] ?? idOrUrl;

const pathOf = (item: ServiceItem, more = ''): string =>
  `/presentations/${encodeURIComponent(idIn(item.id('presentationId').trim()))}${more}`;

const pagePath = (item: ServiceItem, more = ''): string =>
  `${pathOf(item)}/pages/${encodeURIComponent(item.id('pageObjectId').trim())}${more}`;

function replacementsOf(item: ServiceItem): JsonObject {
  const requests = item
    .entries('textUi.textValues')
    .map(({ text: searchText = '', replaceText = '', matchCase = false, pageObjectIds }) => ({
      replaceAllText: {
        containsText: { text: asText(searchText), matchCase: matchCase === true },
        replaceText: asText(replaceText),
        pageObjectIds: [pageObjectIds ?? []].flat().map(asText),
      },
    }));
  if (requests.length === 0) throw item.error('there is no text to replace', 'Add a text under "Texts To Replace"');
  const requiredRevisionId = item.optional('options.revisionId');
  return { requests, ...(requiredRevisionId !== undefined && { writeControl: { requiredRevisionId } }) };
}

async function thumbnailOf(item: ServiceItem): Promise<Produced> {
  const response: JsonValue = (await item.send({ path: pagePath(item, '/thumbnail') })) ?? {};
  if (!item.toggle('download')) return response;
  const path = textOf(objectOf(response)['contentUrl']);
  const property = item.text('binaryProperty', 'data') || 'data';
  if (!path.startsWith('https://')) throw item.error('the response has no address of an image', 'Try again later');
  const image = await images.download(item.access, { path }, item.context.binary, {
    fileName: `${item.id('pageObjectId').trim()}.png`,
    mimeType: 'image/png',
  });
  return new FileItem(objectOf(response), { [property]: image });
}
