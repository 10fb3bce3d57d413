/** Units that dates are moved by. */
export const timeUnits = ['days', 'hours', 'minutes', 'months', 'quarters', 'seconds', 'weeks', 'years'] as const;
