import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, options, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { resumableUpload } from '../../shared/google-upload.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { changed, filledParts, found, listed, partsOf, tagsOf, uploadUrl, youTubeClient } from './you-tube-client.ts';
import {
  defaultLanguage,
  description,
  fieldsOfPart,
  listProperties,
  ownerOptions,
  privacyStatus,
  regionCode,
  tags,
} from './you-tube-properties.ts';

const parts = [
  'contentDetails',
  'id',
  'liveStreamingDetails',
  'localizations',
  'player',
  'recordingDetails',
  'snippet',
  'statistics',
  'status',
  'topicDetails',
];
const videoId = text('videoId', 'Video ID', 'ID of the video', { required: true });
const title = text('title', 'Title', 'Title of the video', { required: true });
const categoryId = text('categoryId', 'Category', 'ID of the category', {
  required: true,
  typeOptions: { loadOptionsMethod: 'getVideosCategories' },
});
const date = (name: string, displayName: string, description: string): NodeProperty => ({
  displayName,
  name,
  type: 'dateTime',
  default: '',
  description,
});

/** Metadata of a video to write. */
const metadata: readonly NodeProperty[] = [
  defaultLanguage,
  description,
  toggle('embeddable', 'Embeddable', 'Whether other websites may show the video'),
  choice('license', 'License', choices(['youtube', 'Standard YouTube License'], ['creativeCommon', 'Creative Commons'])),
  toggle('notifySubscribers', 'Notify Subscribers', 'Whether subscribers of the channel get a notification'),
  privacyStatus,
  toggle('publicStatsViewable', 'Public Stats Viewable', 'Whether all users see the statistics'),
  date('publishAt', 'Publish At', 'Time at which a private video is published'),
  date('recordingDate', 'Recording Date', 'Time at which the video was recorded'),
  toggle('selfDeclaredMadeForKids', 'Self Declared Made for Kids', 'Whether the video is made for children'),
  tags,
];

export const video: Resource = {
  displayName: 'Video',
  initial: 'getAll',
  operations: {
    delete: {
      displayName: 'Delete',
      description: 'Deletes a video',
      properties: [videoId, ownerOptions],
      run: (item) =>
        item.perform({ method: 'DELETE', path: '/videos', query: { id: item.required('videoId'), ...item.fields('options') } }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a video',
      properties: [videoId, fieldsOfPart, ownerOptions],
      run: (item) =>
        found(item, '/videos', item.required('videoId'), { part: partsOf(item, parts), ...item.fields('options') }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Searches videos, of which Google returns at most 500',
      properties: [
        ...listProperties,
        collection('filters', 'Filters', [
          text('channelId', 'Channel ID', 'Videos of a channel'),
          toggle('forDeveloper', 'For Developer', 'Whether to return the videos that this application uploaded'),
          date('publishedAfter', 'Published After', 'Videos that are newer'),
          date('publishedBefore', 'Published Before', 'Videos that are older'),
          text('q', 'Query', 'Words to search; `|` is or, `-` is not'),
          regionCode,
          text('relatedToVideoId', 'Related To Video ID', 'Videos that are related to another one'),
          text('videoCategoryId', 'Video Category ID', 'Videos of a category'),
          toggle('videoSyndicated', 'Video Syndicated', 'Whether to return only videos that play outside of YouTube'),
          choice('videoType', 'Video Type', choices(['any', 'Any'], ['episode', 'Episode'], ['movie', 'Movie'])),
        ]),
        options([
          choice(
            'order',
            'Order',
            choices(
              ['relevance', 'Relevance'],
              ['date', 'Date'],
              ['rating', 'Rating'],
              ['title', 'Title'],
              ['videoCount', 'Video Count'],
              ['viewCount', 'View Count'],
            ),
          ),
          choice('safeSearch', 'Safe Search', choices(['moderate', 'Moderate'], ['none', 'None'], ['strict', 'Strict'])),
        ]),
      ],
      run: search,
    },
    rate: {
      displayName: 'Rate',
      description: 'Rates a video',
      properties: [
        videoId,
        choice('rating', 'Rating', choices(['like', 'Like'], ['dislike', 'Dislike'], ['none', 'None', 'Removes the rating'])),
      ],
      async run(item): Promise<JsonObject> {
        const query = { id: item.required('videoId'), rating: item.text('rating', 'like') };
        return item.perform({ method: 'POST', path: '/videos/rate', query });
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes the metadata of a video; other metadata is kept',
      properties: [videoId, title, regionCode, categoryId, collection('updateFields', 'Update Fields', metadata)],
      run: async (item) => changed(item, '/videos', item.required('videoId'), { parts: await partsFrom(item, 'updateFields') }),
    },
    upload: {
      displayName: 'Upload',
      description: 'Uploads a video in parts; lost parts are sent again',
      properties: [
        title,
        regionCode,
        categoryId,
        text('binaryProperty', 'Input Binary Field', 'Property of the item that has the video', { default: 'data' }),
        options(metadata),
      ],
      run: upload,
    },
  },
};

/** https://developers.google.com/youtube/v3/docs/search/list */
async function search(item: ServiceItem): Promise<JsonObject[]> {
  const text = (name: string) => item.text(`filters.${name}`);
  return listed(item, '/search', {
    part: 'snippet',
    type: 'video',
    channelId: text('channelId'),
    forDeveloper: item.toggle('filters.forDeveloper') || undefined,
    publishedAfter: await instantOf(item, 'filters.publishedAfter'),
    publishedBefore: await instantOf(item, 'filters.publishedBefore'),
    q: text('q'),
    regionCode: text('regionCode'),
    relatedToVideoId: text('relatedToVideoId'),
    videoCategoryId: text('videoCategoryId'),
    videoSyndicated: item.toggle('filters.videoSyndicated') || undefined,
    videoType: text('videoType'),
    order: item.text('options.order'),
    safeSearch: item.text('options.safeSearch'),
  });
}

/** A time as the service expects it; `undefined` if it is not set. */
async function instantOf(item: ServiceItem, path: string): Promise<string | undefined> {
  return (await item.time(path))?.toISOString();
}

/**
 * Parts of a video from the parameters:
 * https://developers.google.com/youtube/v3/docs/videos#resource
 */
async function partsFrom(item: ServiceItem, fields: string): Promise<Record<string, JsonObject>> {
  const text = (name: string) => item.text(`${fields}.${name}`);
  const flag = (name: string) => {
    const path = `${fields}.${name}`;
    return item.context.parameter<JsonValue>(path, item.index) === undefined ? undefined : item.toggle(path);
  };
  const publishAt = await instantOf(item, `${fields}.publishAt`);
  return filledParts({
    snippet: {
      title: item.required('title'),
      categoryId: item.required('categoryId'),
      description: text('description'),
      defaultLanguage: text('defaultLanguage'),
      tags: tagsOf(item, `${fields}.tags`),
    },
    status: {
      embeddable: flag('embeddable'),
      license: text('license'),
      // Only a private video has a publication time.
      privacyStatus: publishAt === undefined ? text('privacyStatus') : 'private',
      publicStatsViewable: flag('publicStatsViewable'),
      publishAt,
      selfDeclaredMadeForKids: flag('selfDeclaredMadeForKids'),
    },
    recordingDetails: { recordingDate: await instantOf(item, `${fields}.recordingDate`) },
  });
}

async function upload(item: ServiceItem): Promise<JsonObject> {
  const json = await partsFrom(item, 'options');
  const isSet = item.context.parameter<JsonValue>('options.notifySubscribers', item.index) !== undefined;
  const query = {
    part: Object.keys(json).join(','),
    notifySubscribers: isSet ? item.toggle('options.notifySubscribers') : undefined,
  };
  const start = { method: 'POST', path: `${uploadUrl}/videos`, query, json } as const;
  const content = await item.content(item.text('binaryProperty', 'data'));
  const uploaded = await resumableUpload(youTubeClient, item.access, start, content);
  return { uploadId: uploaded['id'] ?? null, ...uploaded };
}
