import { atLeast, number, options, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { filledParts, found, listed, partsOf } from './you-tube-client.ts';
import { fieldsOfPart, listProperties, owner, ownerOptions } from './you-tube-properties.ts';

const parts = ['contentDetails', 'id', 'snippet', 'status'];
const playlistId = text('playlistId', 'Playlist ID', 'ID of the playlist', { required: true });
const playlistItemId = text('playlistItemId', 'Playlist Item ID', 'ID of the entry', { required: true });

export const playlistItem: Resource = {
  displayName: 'Playlist Item',
  initial: 'add',
  operations: {
    add: {
      displayName: 'Add',
      description: 'Adds a video to a playlist',
      properties: [
        playlistId,
        text('videoId', 'Video ID', 'ID of the video', { required: true }),
        options([
          text('endAt', 'End At', 'Time at which the video ends, such as `PT1M30S`'),
          text('note', 'Note', 'Note of at most 280 characters'),
          owner,
          atLeast(0, number('position', 'Position', 0, 'Position in the playlist, from 0; default: the end')),
          text('startAt', 'Start At', 'Time at which the video starts, such as `PT30S`'),
        ]),
      ],
      run: (item) =>
        item.send({
          path: '/playlistItems',
          query: { part: 'snippet,contentDetails', onBehalfOfContentOwner: item.text('options.onBehalfOfContentOwner') },
          json: filledParts({
            snippet: {
              playlistId: item.required('playlistId'),
              resourceId: { kind: 'youtube#video', videoId: item.required('videoId') },
              position: positionOf(item),
            },
            contentDetails: {
              note: item.text('options.note'),
              startAt: item.text('options.startAt'),
              endAt: item.text('options.endAt'),
            },
          }),
        }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Removes an entry from its playlist',
      properties: [playlistItemId, ownerOptions],
      run: (item) =>
        item.perform({
          method: 'DELETE',
          path: '/playlistItems',
          query: { id: item.required('playlistItemId'), ...item.fields('options') },
        }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets an entry of a playlist',
      properties: [playlistItemId, fieldsOfPart, ownerOptions],
      run: (item) =>
        found(item, '/playlistItems', item.required('playlistItemId'), {
          part: partsOf(item, parts),
          ...item.fields('options'),
        }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the entries of a playlist',
      properties: [playlistId, fieldsOfPart, ...listProperties, ownerOptions],
      run: (item) =>
        listed(item, '/playlistItems', {
          part: partsOf(item, parts),
          playlistId: item.required('playlistId'),
          ...item.fields('options'),
        }),
    },
  },
};

function positionOf(item: ServiceItem): number | undefined {
  const position = item.number('options.position', -1);
  return position < 0 ? undefined : position;
}
