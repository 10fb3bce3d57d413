import type { NodeType } from '@sluice/node-sdk';
import { storeCalendar } from '../../formats/calendar-file.ts';
import { calendarProperties } from '../../formats/calendar-properties.ts';
import { withFile } from '../../shared/binary-files.ts';
import { textParameter } from '../../shared/parameters.ts';
import { mapItemsAsync } from '../../shared/per-item-async.ts';
import { choice, choices, text } from '../../shared/properties.ts';

export const iCal: NodeType = {
  description: {
    displayName: 'iCalendar',
    name: 'i-cal',
    group: ['input'],
    version: 1,
    description: 'Creates an iCalendar file with one event per item; the predecessor of "Convert to File"',
    defaults: { name: 'iCalendar' },
    inputs: ['main'],
    outputs: ['main'],
    properties: [
      choice('operation', 'Operation', choices(['createEventFile', 'Create Event File'])),
      ...calendarProperties({}),
      text('binaryPropertyName', 'Put Output File in Field', 'Property of the item for the file', {
        default: 'data',
        required: true,
      }),
    ],
    icon: 'fa:calendar',
  },
  execute: async (context) => [
    await mapItemsAsync(context, async (_, itemIndex) => {
      const property = textParameter(context, 'binaryPropertyName', itemIndex, 'data').trim() || 'data';
      const binary = withFile(undefined, property, await storeCalendar(context, itemIndex));
      return { json: {}, binary, pairedItem: { item: itemIndex } };
    }),
  ],
};
