import type { NodeProperty } from '@sluice/node-sdk';
import { between, choice, choices, collection, number, options, text, toggle, where } from '../../shared/properties.ts';

const creating = where({ triggerMode: ['createTrigger'] });

export const postgresTriggerProperties: readonly NodeProperty[] = [
  choice(
    'triggerMode',
    'Listen For',
    choices(
      [
        'createTrigger',
        'Table Row Change Events',
        'Makes a trigger and a function in the database while the workflow is active',
      ],
      ['listenTrigger', 'Advanced', 'Listens to a channel that something else notifies'],
    ),
  ),
  text('schema', 'Schema Name', 'Of the table', { default: 'public', ...creating }),
  text('tableName', 'Table Name', 'Whose rows are watched', { required: true, ...creating }),
  text('channelName', 'Channel Name', 'What is listened to', { required: true, ...where({ triggerMode: ['listenTrigger'] }) }),
  choice('firesOn', 'Event to listen for', choices(['INSERT', 'Insert'], ['UPDATE', 'Update'], ['DELETE', 'Delete']), creating),
  collection(
    'additionalFields',
    'Additional Fields',
    [
      text('channelName', 'Channel Name', 'Default: one of its own'),
      text('functionName', 'Function Name', 'With or without (); default: one of its own'),
      toggle(
        'replaceIfExists',
        'Replace if Exists',
        'Whether a function and a trigger of these names are replaced, regardless of their creator',
      ),
      text('triggerName', 'Trigger Name', 'Default: one of its own'),
    ],
    creating,
  ),
  options([
    between(1, 60, number('connectionTimeout', 'Connection Timeout', 30, 'Seconds for the connection')),
    number(
      'delayClosingIdleConnection',
      'Delay Closing Idle Connection',
      0,
      'Of no effect: the connection stays while the workflow is active',
    ),
  ]),
];
