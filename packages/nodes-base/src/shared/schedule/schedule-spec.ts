import {
  type JsonObject,
  type JsonValue,
  misfirePolicies,
  NodeOperationError,
  overlapPolicies,
  type ScheduleRule,
  type ScheduleTrigger,
  type TriggerContext,
} from '@sluice/node-sdk';
import { stringOf } from '../coerced-text.ts';
import { choiceParameter, describeValue } from '../parameters.ts';
import { choices } from '../properties.ts';

/** How late a tick may be before it is considered missed: longer than a worker restart takes. */
const defaultGraceMs = 60_000;

export const overlapChoices = choices(
  ['allow', 'Allow', 'Each tick starts an execution'],
  ['skip', 'Skip', 'The tick is skipped'],
  ['queue', 'Queue', 'The tick waits for the end of the previous execution'],
);

/** A schedule with the policies of its node or, by default, of the workflow's settings. */
export function scheduleSpec(
  context: TriggerContext,
  rules: readonly ScheduleRule[],
  {
    misfire,
    graceMs = defaultGraceMs,
  }: { misfire?: ScheduleTrigger['misfire'] | undefined; graceMs?: number | undefined } = {},
): ScheduleTrigger[] {
  if (rules.length === 0) return [];
  const { timezone, misfirePolicy, overlapPolicy } = context.workflow.settings;
  const overlap = setting('overlapPolicy', overlapPolicy, overlapPolicies, 'allow');
  return [
    {
      kind: 'schedule',
      rules,
      ...(timezone && timezone !== 'DEFAULT' && { timezone: stringOf(timezone) }),
      misfire: misfire ?? setting('misfirePolicy', misfirePolicy, misfirePolicies, 'skip'),
      graceMs,
      overlap: choiceParameter(context, 'overlapPolicy', 0, overlapPolicies, overlap),
    },
  ];
}

function setting<T extends string>(name: string, value: JsonValue | undefined, allowed: readonly T[], fallback: NoInfer<T>): T {
  if (value === undefined || value === null) return fallback;
  const match = allowed.find((candidate) => candidate === value);
  if (match !== undefined) return match;
  throw new NodeOperationError(
    `the workflow's setting "${name}" must be one of ${allowed.join(', ')}, but is ${describeValue(value)}`,
    { description: 'Change the setting of the workflow' },
  );
}

const maxCount = 1_000_000;

/** Number of units between two ticks. */
export function countIn(entry: JsonObject, name: string, fallback: number): number {
  return wholeIn(entry, name, { from: 1, to: maxCount, fallback });
}

export function timeIn(entry: JsonObject, names: { hour: string; minute: string }, fallback = { hour: 0, minute: 0 }) {
  return {
    hour: wholeIn(entry, names.hour, { from: 0, to: 23, fallback: fallback.hour }),
    minute: wholeIn(entry, names.minute, { from: 0, to: 59, fallback: fallback.minute }),
  };
}

/** A whole number within a range; numeric text is accepted. */
export function wholeIn(
  entry: JsonObject,
  name: string,
  { from, to, fallback }: { from: number; to: number; fallback: number },
): number {
  const value = entry[name] ?? fallback;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= from && number <= to) return number;
  throw new NodeOperationError(`"${name}" must be a whole number from ${from} to ${to}, but is ${describeValue(value)}`, {
    description: 'Use a number in that range',
  });
}

export function cronIn(entry: JsonObject, name: string): ScheduleRule {
  const value = entry[name];
  if (typeof value === 'string' && value.trim() !== '') return { cron: value.trim() };
  throw new NodeOperationError(`"${name}" must be a cron expression, but is ${describeValue(value)}`, {
    description: 'Use five or six parts, such as 0 9 * * 1-5',
  });
}
