import type { NodeProperty } from '@sluice/node-sdk';
import { atLeast, choice, choices, number } from '../../shared/properties.ts';

export const limitProperties: readonly NodeProperty[] = [
  // A negative number counts from the end, so a typing error would go unnoticed.
  atLeast(0, number('maxItems', 'Max Items', 1, 'Maximum number of items to keep', { acceptsAnyValue: true })),
  choice('keep', 'Keep', choices(['firstItems', 'First Items'], ['lastItems', 'Last Items']), {
    description: 'Which items to keep if there are more',
  }),
];
