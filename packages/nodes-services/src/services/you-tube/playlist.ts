import { collection, names, namesParameter, options, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { filledFields } from '../../shared/json-values.ts';
import { changed, filledParts, found, listed, partsOf, tagsOf } from './you-tube-client.ts';
import {
  defaultLanguage,
  description,
  fieldsOfPart,
  language,
  listProperties,
  owner,
  ownerOptions,
  privacyStatus,
  tags,
} from './you-tube-properties.ts';

const parts = ['contentDetails', 'id', 'localizations', 'player', 'snippet', 'status'];
const playlistId = text('playlistId', 'Playlist ID', 'ID of the playlist', { required: true });
const ownerChannel = text(
  'onBehalfOfContentOwnerChannel',
  'On Behalf Of Content Owner Channel',
  'Channel of the content owner for whom a partner acts',
);
const title = text('title', 'Title', 'Title of the playlist', { required: true });
const fields = [defaultLanguage, description, owner, privacyStatus, tags];

export const playlist: Resource = {
  displayName: 'Playlist',
  initial: 'getAll',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a playlist',
      properties: [title, options([...fields, ownerChannel])],
      run: (item) =>
        item.send({
          path: '/playlists',
          query: {
            part: 'snippet,status',
            onBehalfOfContentOwner: item.text('options.onBehalfOfContentOwner'),
            onBehalfOfContentOwnerChannel: item.text('options.onBehalfOfContentOwnerChannel'),
          },
          json: filledParts({
            snippet: {
              title: item.required('title'),
              description: item.text('options.description'),
              defaultLanguage: item.text('options.defaultLanguage'),
              tags: tagsOf(item, 'options.tags'),
            },
            status: { privacyStatus: item.text('options.privacyStatus') },
          }),
        }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a playlist',
      properties: [playlistId, ownerOptions],
      run: (item) =>
        item.perform({
          method: 'DELETE',
          path: '/playlists',
          query: { id: item.required('playlistId'), ...item.fields('options') },
        }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a playlist',
      properties: [playlistId, fieldsOfPart, options([language, owner, ownerChannel])],
      run: (item) =>
        found(item, '/playlists', item.required('playlistId'), {
          part: partsOf(item, parts),
          hl: item.text('options.languageCode'),
          onBehalfOfContentOwner: item.text('options.onBehalfOfContentOwner'),
          onBehalfOfContentOwnerChannel: item.text('options.onBehalfOfContentOwnerChannel'),
        }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists playlists; without a filter, playlists of the account',
      properties: [
        fieldsOfPart,
        ...listProperties,
        collection('filters', 'Filters', [
          text('channelId', 'Channel ID', 'Playlists of a channel'),
          names('id', 'ID', 'IDs of playlists, separated by commas'),
        ]),
        options([language, owner, ownerChannel]),
      ],
      run: (item) => {
        const channelId = item.text('filters.channelId');
        const id = namesParameter(item.context, 'filters.id', item.index).join(',');
        return listed(item, '/playlists', {
          part: partsOf(item, parts),
          channelId,
          id,
          mine: channelId === '' && id === '' ? true : undefined,
          hl: item.text('options.languageCode'),
          onBehalfOfContentOwner: item.text('options.onBehalfOfContentOwner'),
          onBehalfOfContentOwnerChannel: item.text('options.onBehalfOfContentOwnerChannel'),
        });
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes a playlist',
      properties: [playlistId, title, collection('updateFields', 'Update Fields', fields)],
      run: (item) => {
        const status = filledFields({ privacyStatus: item.text('updateFields.privacyStatus') });
        return changed(item, '/playlists', item.required('playlistId'), {
          query: { onBehalfOfContentOwner: item.text('updateFields.onBehalfOfContentOwner') },
          parts: filledParts({
            snippet: {
              title: item.required('title'),
              description: item.text('updateFields.description'),
              defaultLanguage: item.text('updateFields.defaultLanguage'),
              tags: tagsOf(item, 'updateFields.tags'),
            },
            status,
          }),
        });
      },
    },
  },
};
