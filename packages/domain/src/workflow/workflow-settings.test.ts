import { describe, expect, test } from '@jest/globals';
import { keepsExecution, settingProblems, timezoneOf, type WorkflowSettings } from '../index.ts';

describe('the time zone of a workflow', () => {
  test.each([undefined, {}, { timezone: '' }, { timezone: 'DEFAULT' }])('is the instance’s with %j', (settings) => {
    expect(timezoneOf(settings, 'Asia/Tokyo')).toBe('Asia/Tokyo');
  });

  test('is its own if that exists', () => {
    expect(timezoneOf({ timezone: 'Europe/Berlin' }, 'UTC')).toBe('Europe/Berlin');
  });

  test.each(['Europe/Berlim', '../etc', 7])('is refused if no zone has the name: %j', (timezone) => {
    expect(() => timezoneOf({ timezone } as WorkflowSettings, 'UTC')).toThrow('is not an IANA time zone');
  });
});

describe('the values of settings', () => {
  test.each([
    undefined,
    {},
    { timezone: 'DEFAULT', executionTimeout: -1, saveManualExecutions: true, saveDataErrorExecution: 'none' },
    { timezone: '', callerPolicy: 'any', callerIds: '1,2', misfirePolicy: 'once', overlapPolicy: 'queue', other: 'x' },
  ])('have no problems: %j', (settings) => {
    expect(settingProblems(settings)).toEqual([]);
  });

  test.each([
    ['timezone', 'Mars/Olympus'],
    ['callerPolicy', 'bogus'],
    ['saveDataErrorExecution', 'never'],
    ['saveManualExecutions', 'yes'],
    ['overlapPolicy', 7],
  ])('without a meaning are named: %s %j', (setting, value) => {
    const message = expect.stringMatching(
      `^the setting "${setting}" must be .*, but is ${JSON.stringify(value).replace('+', '\\+')}$`,
    );
    expect(settingProblems({ [setting]: value })).toEqual([{ setting, message }]);
  });
});

describe('an execution is kept', () => {
  const none = { saveDataSuccessExecution: 'none', saveDataErrorExecution: 'none', saveManualExecutions: false };

  test.each([undefined, {}, { saveDataSuccessExecution: 'all' }, { saveDataSuccessExecution: 'DEFAULT' }])(
    'unless its workflow says otherwise: %j',
    (settings) => {
      expect(keepsExecution(settings, 'trigger', 'success')).toBe(true);
      expect(keepsExecution(settings, 'manual', 'success')).toBe(true);
    },
  );

  test('depending on its result', () => {
    expect(keepsExecution({ saveDataSuccessExecution: 'none' }, 'webhook', 'success')).toBe(false);
    expect(keepsExecution({ saveDataSuccessExecution: 'none' }, 'webhook', 'error')).toBe(true);
    expect(keepsExecution({ saveDataErrorExecution: 'none' }, 'retry', 'error')).toBe(false);
  });

  test('if manual, depending on that setting only', () => {
    expect(keepsExecution({ ...none, saveManualExecutions: true }, 'manual', 'error')).toBe(true);
    expect(keepsExecution({ saveManualExecutions: false }, 'manual', 'success')).toBe(false);
  });

  test('if it crashed, regardless of the settings', () => {
    expect(keepsExecution(none, 'trigger', 'crashed')).toBe(true);
  });
});
