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
      ['delete', 'Delete', 'Removes a key; the item passes'],
      ['get', 'Get', 'The value of a key'],
      ['incr', 'Increment', 'Counts a key up by one'],
      ['info', 'Info', 'What the server says of itself'],
      ['keys', 'Keys', 'The keys that match a pattern'],
      ['llen', 'List Length', 'The length of a list'],
      ['pop', 'Pop', 'Takes a value off a list'],
      ['publish', 'Publish', 'Sends a message to a channel; the item passes'],
      ['push', 'Push', 'Puts a value into a list; the item passes'],
      ['set', 'Set', 'Writes the value of a key; the item passes'],
    ),
    { default: 'info' },
  ),
  text('propertyName', 'Name', 'The field for the value', { default: 'propertyName', ...where({ operation: naming }) }),
  text('key', 'Key', 'Its name', { required: true, ...where({ operation: ['delete', 'get', 'incr', 'set'] }) }),
  text('value', 'Value', 'What is written', where({ operation: ['set'] })),
  keyType('get', 'As the key is'),
  keyType('set', 'Lists as lists, objects as hashes, all else as text'),
  toggle('valueIsJSON', 'Value Is JSON', 'Whether the value is a JSON object, rather than names and values in turn', {
    default: true,
    ...where({ operation: ['set'], keyType: ['hash'] }),
  }),
  toggle('expire', 'Expire', 'Whether the key ends by itself', where({ operation: expiring })),
  atLeast(1, number('ttl', 'TTL', 60, 'Seconds after which it ends', where({ operation: expiring, expire: [true] }))),
  text('keyPattern', 'Key Pattern', 'Redis’ own wildcards: `user:*`', { required: true, ...where({ operation: ['keys'] }) }),
  toggle('getValues', 'Get Values', 'Whether the values come along', { default: true, ...where({ operation: ['keys'] }) }),
  text('list', 'List', 'Its name', { required: true, ...where({ operation: ['llen', 'push', 'pop'] }) }),
  text('channel', 'Channel', 'Its name', { required: true, ...where({ operation: ['publish'] }) }),
  text('messageData', 'Data', 'What is sent or put into the list', {
    required: true,
    ...where({ operation: ['publish', 'push'] }),
  }),
  toggle(
    'tail',
    'Tail',
    'Whether the end of the list is meant, rather than its beginning',
    where({ operation: ['push', 'pop'] }),
  ),
  options(
    [toggle('dotNotation', 'Support Dot Notation', 'Whether a dot in the name writes into objects', { default: true })],
    where({ operation: naming }),
  ),
];
