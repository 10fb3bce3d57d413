import type { JsonValue } from '@sluice/node-sdk';
import { text, toggle, where } from './properties.ts';

/** The parameters that `messageText` reads. */
export const messageProperties = (show: Record<string, readonly JsonValue[]> = {}) => [
  toggle('sendInputData', 'Send Input Data', 'Whether the JSON of the item is sent', { default: true, ...where(show) }),
  text('message', 'Message', 'What is sent', where({ ...show, sendInputData: [false] })),
];
