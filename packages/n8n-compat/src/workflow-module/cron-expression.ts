import { randomInt } from './random.ts';

interface TriggerTime {
  mode: string;
  hour?: number;
  minute?: number;
  dayOfMonth?: number;
  weekeday?: number;
  value?: number;
  unit?: 'minutes' | 'hours';
  cronExpression?: string;
}

/**
 * Converts a poll time to a cron expression with seconds. Unspecified seconds and minutes are
 * chosen at random.
 */
export function cronExpression(time: TriggerTime): string {
  const second = randomInt(60);
  const { hour = 0, minute = 0, dayOfMonth = 1, weekeday = 1, value = 1 } = time;
  switch (time.mode) {
    case 'everyMinute':
      return `${second} * * * * *`;
    case 'everyHour':
      return `${second} ${minute} * * * *`;
    case 'everyX':
      return time.unit === 'minutes' ? `${second} */${value} * * * *` : `${second} ${randomInt(60)} */${value} * * *`;
    case 'everyDay':
      return `${second} ${minute} ${hour} * * *`;
    case 'everyWeek':
      return `${second} ${minute} ${hour} * * ${weekeday}`;
    case 'everyMonth':
      return `${second} ${minute} ${hour} ${dayOfMonth} * *`;
    default:
      return (time.cronExpression ?? '').trim();
  }
}
