import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { collection, names, namesParameter, options, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { resumableUpload } from '../../shared/google-upload.ts';
import { filledFields, objectOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { found, listed, partsOf, replaced, uploadUrl, youTubeClient } from './you-tube-client.ts';
import { fieldsOfPart, language, listProperties, owner } from './you-tube-properties.ts';

const parts = [
  'brandingSettings',
  'contentDetails',
  'contentOwnerDetails',
  'id',
  'localizations',
  'snippet',
  'statistics',
  'status',
  'topicDetails',
];

const channelId = text('channelId', 'Channel ID', 'ID of the channel', { required: true });

const group = (name: string, displayName: string, inner: string, values: readonly NodeProperty[]) => ({
  name,
  displayName,
  values: [collection(inner, displayName, values)],
});

const channelSettings: readonly NodeProperty[] = [
  text('country', 'Country', 'Country, such as `US`'),
  text('description', 'Description', 'Description of the channel'),
  text('defaultLanguage', 'Default Language', 'Language of title and description'),
  text('defaultTab', 'Default Tab', 'Tab that the channel shows first'),
  text('featuredChannelsTitle', 'Featured Channels Title', 'Title above the featured channels'),
  names('featuredChannelsUrls', 'Featured Channels URLs', 'Featured channels'),
  text('keywords', 'Keywords', 'Keywords, separated by spaces'),
  toggle('moderateComments', 'Moderate Comments', 'Whether comments need an approval'),
  text('profileColor', 'Profile Color', 'Color, such as `#ff0000`'),
  text('relatedPlaylists', 'Related Playlists', 'Related playlists'),
  toggle('showBrowseView', 'Show Browse View', 'Whether the channel shows its browse view'),
  toggle('showRelatedChannels', 'Show Related Channels', 'Whether the channel shows related ones'),
  text('title', 'Title', 'Title of the channel'),
  text('trackingAnalyticsAccountId', 'Tracking Analytics Account ID', 'ID of a Google Analytics account'),
  text('unsubscribedTrailer', 'Unsubscribed Trailer', 'ID of a video for users without a subscription'),
];

const imageSettings: readonly NodeProperty[] = [
  text('bannerExternalUrl', 'Banner External URL', 'URL of an uploaded banner'),
  text('trackingImageUrl', 'Tracking Image URL', 'URL of a tracking image'),
  text('watchIconImageUrl', 'Watch Icon Image URL', 'URL of the icon in videos'),
];

const brandingSettings: NodeProperty = {
  displayName: 'Branding Settings',
  name: 'brandingSettingsUi',
  type: 'fixedCollection',
  default: {},
  options: [
    group('channelSettingsValues', 'Channel Settings', 'channel', channelSettings),
    group('imageSettingsValues', 'Image Settings', 'image', imageSettings),
    {
      name: 'statusValues',
      displayName: 'Status',
      values: [
        collection('status', 'Status', [
          toggle('selfDeclaredMadeForKids', 'Self Declared Made for Kids', 'Whether the channel is made for children'),
        ]),
      ],
    },
  ],
};

export const channel: Resource = {
  displayName: 'Channel',
  initial: 'getAll',
  operations: {
    get: {
      displayName: 'Get',
      description: 'Gets a channel',
      properties: [channelId, fieldsOfPart],
      run: (item) => found(item, '/channels', item.required('channelId'), { part: partsOf(item, parts) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists channels; without a filter, channels of the account',
      properties: [
        fieldsOfPart,
        ...listProperties,
        collection('filters', 'Filters', [
          text('categoryId', 'Category ID', 'Channels of a guide category'),
          text('forUsername', 'For Username', 'The channel of a user name'),
          names('id', 'ID', 'IDs of channels, separated by commas'),
          toggle('managedByMe', 'Managed by Me', 'Whether to return the channels that the content owner manages'),
        ]),
        options([language, owner]),
      ],
      run: (item) => {
        const filters: Record<string, JsonValue | undefined> = {
          categoryId: item.text('filters.categoryId'),
          forUsername: item.text('filters.forUsername'),
          id: namesParameter(item.context, 'filters.id', item.index).join(','),
          managedByMe: item.toggle('filters.managedByMe') || undefined,
        };
        const isFiltered = Object.values(filters).some((value) => value !== undefined && value !== '');
        return listed(item, '/channels', {
          part: partsOf(item, parts),
          ...filters,
          mine: isFiltered ? undefined : true,
          hl: item.text('options.languageCode'),
          onBehalfOfContentOwner: item.text('options.onBehalfOfContentOwner'),
        });
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes a channel',
      properties: [channelId, collection('updateFields', 'Update Fields', [brandingSettings, owner])],
      run: update,
    },
    uploadBanner: {
      displayName: 'Upload Banner',
      description: 'Uploads a banner image, and shows it on a channel',
      properties: [
        channelId,
        text('binaryProperty', 'Input Binary Field', 'Property of the item that has the image', { default: 'data' }),
      ],
      run: uploadBanner,
    },
  },
};

async function update(item: ServiceItem): Promise<JsonValue | undefined> {
  const at = 'updateFields.brandingSettingsUi';
  const [settings, image] = [
    item.fields(`${at}.channelSettingsValues.channel`),
    item.fields(`${at}.imageSettingsValues.image`),
  ];
  const status = item.fields(`${at}.statusValues.status`);
  const urls = namesParameter(item.context, `${at}.channelSettingsValues.channel.featuredChannelsUrls`, item.index);
  const chosen = { ...settings, ...(urls.length > 0 && { featuredChannelsUrls: urls }) };
  return branded(item, item.required('channelId'), { channel: chosen, image, status });
}

/** Each settings group is replaced as a whole, so the current values are kept. */
async function branded(
  item: ServiceItem,
  id: string,
  { channel: settings = {}, image = {}, status = {} }: Record<string, JsonObject>,
): Promise<JsonValue | undefined> {
  const isStatusSet = Object.keys(status).length > 0;
  const part = isStatusSet ? 'brandingSettings,status' : 'brandingSettings';
  const before = await found(item, '/channels', id, { part });
  const { channel: oldSettings, image: oldImage } = objectOf(before['brandingSettings']);
  const parts: Record<string, JsonObject> = {
    brandingSettings: {
      channel: { ...objectOf(oldSettings), ...settings },
      image: { ...objectOf(oldImage), ...image },
    },
    ...(isStatusSet && { status }),
  };
  const query = filledFields({ onBehalfOfContentOwner: item.text('updateFields.onBehalfOfContentOwner') });
  return replaced(item, '/channels', { ...before, id }, { parts, query });
}

/** https://developers.google.com/youtube/v3/docs/channelBanners/insert */
async function uploadBanner(item: ServiceItem): Promise<JsonValue | undefined> {
  const start = { method: 'POST', path: `${uploadUrl}/channelBanners/insert` } as const;
  const content = await item.content(item.text('binaryProperty', 'data'));
  const { url = '' } = await resumableUpload(youTubeClient, item.access, start, content);
  return branded(item, item.required('channelId'), { image: { bannerExternalUrl: url } });
}
