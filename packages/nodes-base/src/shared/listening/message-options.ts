import { toggle } from '../properties.ts';

/** Options of most listeners for messages. */
export const jsonParseBody = toggle(
  'jsonParseBody',
  'JSON Parse Body',
  'Whether a message that is JSON comes as what it says, rather than as text',
);

export const onlyMessage = toggle('onlyMessage', 'Only Message', 'Whether the item holds the message alone');

export const parallelProcessing = toggle(
  'parallelProcessing',
  'Parallel Processing',
  'Whether a message starts its execution without waiting for the end of the one before',
  { default: true },
);
