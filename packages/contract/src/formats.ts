import { isExecutionId } from '@sluice/domain';

const instantPattern = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Milliseconds since the epoch of an ISO 8601 date or instant, in UTC without an offset;
 * `undefined` if it is neither.
 */
export function parseInstant(text: string): number | undefined {
  if (!instantPattern.test(text) || !isDay(text.slice(0, 10))) return undefined;
  const hasOffset = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text);
  const milliseconds = Date.parse(text.length === 10 || hasOffset ? text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2') : `${text}Z`);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

/** `Date` accepts February 30 as a day in March. */
function isDay(date: string): boolean {
  const start = new Date(date);
  return !date.startsWith('0000') && !Number.isNaN(start.getTime()) && start.toISOString().startsWith(date);
}

export const formats = {
  'date-time': (text: string) => new Date(text).toJSON() === text,
  'execution-id': isExecutionId,
  instant: (text: string) => parseInstant(text) !== undefined,
};
