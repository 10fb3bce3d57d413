import type { NodeType } from '@sluice/node-sdk';
import { mapItems } from '../../shared/per-item.ts';
import { dateTimeProperties } from './date-time-properties.ts';

export const dateTime: NodeType = {
  description: {
    displayName: 'Date & Time',
    name: 'date-time',
    group: ['transform'],
    version: [1, 2],
    description: 'Formats dates and calculates with them',
    defaults: { name: 'Date & Time' },
    usableAsTool: true,
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: dateTimeProperties,
    icon: 'fa:clock',
    iconColor: 'green',
    subtitle: '={{ $parameter["operation"] }}',
  },
  async execute(context) {
    const step =
      context.typeVersion < 2 ? (await import('./date-time-1.ts')).dateTime1 : (await import('./date-time-2.ts')).dateTime2;
    return [await mapItems(context, (item, itemIndex) => step(context, item, itemIndex))];
  },
};
