import { toggle } from '../properties.ts';

/** Options that most message listeners have. */
export const jsonParseBody = toggle(
  'jsonParseBody',
  'JSON Parse Body',
  'Whether to parse a message that is JSON instead of keeping its text',
);

export const onlyMessage = toggle('onlyMessage', 'Only Message', 'Whether the item contains only the message');

export const parallelProcessing = toggle(
  'parallelProcessing',
  'Parallel Processing',
  'Whether to start an execution without waiting for the previous one to end',
  { default: true },
);
