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
        'Creates a trigger and a function in the database while the workflow is active',
      ],
      ['listenTrigger', 'Advanced', 'Listens to an existing channel'],
    ),
  ),
  text('schema', 'Schema Name', 'Schema of the table', { default: 'public', ...creating }),
  text('tableName', 'Table Name', 'Table to watch', { required: true, ...creating }),
  text('channelName', 'Channel Name', 'Channel to listen to', { required: true, ...where({ triggerMode: ['listenTrigger'] }) }),
  choice('firesOn', 'Event to listen for', choices(['INSERT', 'Insert'], ['UPDATE', 'Update'], ['DELETE', 'Delete']), creating),
  collection(
    'additionalFields',
    'Additional Fields',
    [
      text('channelName', 'Channel Name', 'Default: a unique name'),
      text('functionName', 'Function Name', 'With or without (); default: a unique name'),
      toggle(
        'replaceIfExists',
        'Replace if Exists',
        'Whether to replace a function and a trigger with these names, regardless of their creator',
      ),
      text('triggerName', 'Trigger Name', 'Default: a unique name'),
    ],
    creating,
  ),
  options([
    between(1, 60, number('connectionTimeout', 'Connection Timeout', 30, 'Connection timeout in seconds')),
    number(
      'delayClosingIdleConnection',
      'Delay Closing Idle Connection',
      0,
      'Has no effect: the connection stays open while the workflow is active',
    ),
  ]),
];
