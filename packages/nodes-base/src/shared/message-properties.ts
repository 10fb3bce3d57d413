import type { JsonValue } from '@sluice/node-sdk';
import { text, toggle, where } from './properties.ts';

/** Parameters of `messageText`. */
export const messageProperties = (show: Record<string, readonly JsonValue[]> = {}) => [
  toggle('sendInputData', 'Send Input Data', 'Whether to send the item’s JSON', { default: true, ...where(show) }),
  text('message', 'Message', 'Text to send', where({ ...show, sendInputData: [false] })),
];
