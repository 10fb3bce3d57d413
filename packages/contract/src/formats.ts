import { isCalendarDay, isExecutionId } from '@sluice/domain';

const instantPattern = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Milliseconds since the epoch of an ISO 8601 date or date-time, in UTC without an offset;
 * `undefined` if it is neither.
 */
export function parseInstant(text: string): number | undefined {
  if (!instantPattern.test(text) || !isCalendarDay(text.slice(0, 10))) return undefined;
  const hasOffset = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text);
  const milliseconds = Date.parse(text.length === 10 || hasOffset ? text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2') : `${text}Z`);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

export const formats = {
  'date-time': (text: string) => new Date(text).toJSON() === text,
  'execution-id': isExecutionId,
  instant: (text: string) => parseInstant(text) !== undefined,
};
