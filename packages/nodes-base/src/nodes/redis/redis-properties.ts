import type { NodeProperty } from '@sluice/node-sdk';
import { atLeast, choice, choices, number, options, text, toggle, where } from '../../shared/properties.ts';

const keyType = (operation: string, description: string): NodeProperty =>
  choice(
    'keyType',
    'Key Type',
    choices(
      ['automatic', 'Automatic', description],
      ['hash', 'Hash'],
      ['list', 'List'],
      ['sets', 'Sets'],
      ['string', 'String'],
    ),
    where({ operation: [operation] }),
  );

const expiring = ['incr', 'set'];
const naming = ['get', 'pop'];

export const redisProperties: readonly NodeProperty[] = [
  choice(
    'operation',
    'Operation',
    choices(
      ['delete', 'Delete', 'Removes a key and passes the item on'],
      ['get', 'Get', 'Reads the value of a key'],
      ['incr', 'Increment', 'Increments a key by one'],
      ['info', 'Info', 'Returns information about the server'],
      ['keys', 'Keys', 'Returns the keys that match a pattern'],
      ['llen', 'List Length', 'Returns the length of a list'],
      ['pop', 'Pop', 'Removes a value from a list'],
      ['publish', 'Publish', 'Sends a message to a channel and passes the item on'],
      ['push', 'Push', 'Adds a value to a list and passes the item on'],
      ['set', 'Set', 'Writes the value of a key and passes the item on'],
    ),
    { default: 'info' },
  ),
  text('propertyName', 'Name', 'Field for the value', { default: 'propertyName', ...where({ operation: naming }) }),
  text('key', 'Key', 'Its name', { required: true, ...where({ operation: ['delete', 'get', 'incr', 'set'] }) }),
  text('value', 'Value', 'Value to write', where({ operation: ['set'] })),
  keyType('get', 'Type of the key'),
  keyType('set', 'Lists as lists, objects as hashes, other values as text'),
  toggle('valueIsJSON', 'Value Is JSON', 'Whether the value is a JSON object instead of alternating names and values', {
    default: true,
    ...where({ operation: ['set'], keyType: ['hash'] }),
  }),
  toggle('expire', 'Expire', 'Whether the key expires', where({ operation: expiring })),
  atLeast(1, number('ttl', 'TTL', 60, 'Seconds until it expires', where({ operation: expiring, expire: [true] }))),
  text('keyPattern', 'Key Pattern', 'Pattern with Redis wildcards: `user:*`', {
    required: true,
    ...where({ operation: ['keys'] }),
  }),
  toggle('getValues', 'Get Values', 'Whether to return the values too', { default: true, ...where({ operation: ['keys'] }) }),
  text('list', 'List', 'Its name', { required: true, ...where({ operation: ['llen', 'push', 'pop'] }) }),
  text('channel', 'Channel', 'Its name', { required: true, ...where({ operation: ['publish'] }) }),
  text('messageData', 'Data', 'Value to send or add to the list', {
    required: true,
    ...where({ operation: ['publish', 'push'] }),
  }),
  toggle('tail', 'Tail', 'Whether to use the end of the list instead of its beginning', where({ operation: ['push', 'pop'] })),
  options(
    [toggle('dotNotation', 'Support Dot Notation', 'Whether dots in the name separate nested fields', { default: true })],
    where({ operation: naming }),
  ),
];
