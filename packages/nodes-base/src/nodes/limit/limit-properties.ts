import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, number } from '../../shared/properties.ts';

export const limitProperties: readonly NodeProperty[] = [
  number('maxItems', 'Max Items', 1, 'The most items that stay'),
  choice('keep', 'Keep', choices(['firstItems', 'First Items'], ['lastItems', 'Last Items']), {
    description: 'Which items stay when there are more',
  }),
];
