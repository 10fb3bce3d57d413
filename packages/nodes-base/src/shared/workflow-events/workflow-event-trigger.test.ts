import { describe, expect, test } from '@jest/globals';
import { example } from '../../nodes/n8n-trigger/example.ts';
import { n8nTrigger } from '../../nodes/n8n-trigger/n8n-trigger.ts';
import { workflowTrigger } from '../../nodes/workflow-trigger/workflow-trigger.ts';
import { runForJson } from '../../testing/fake-context.ts';
import { triggerContext } from '../../testing/trigger-context.ts';

describe.each([workflowTrigger, n8nTrigger])('$description.displayName', (type) => {
  const specs = (events: string[] | string) => type.triggers?.(triggerContext({ parameters: { events } }));

  test.each<[string[] | string, string[]]>([
    [
      ['update', 'activate'],
      ['activate', 'update'],
    ],
    [['update'], ['update']],
    ['activate', ['activate']],
  ])('listens to %j', (chosen, events) => {
    expect(specs(chosen)).toEqual([{ kind: 'workflow', events }]);
  });

  test.each<[string[], string]>([
    [['activate', 'init'], 'the event "init" (instance started) is not supported yet'],
    [['archive'], '"events" must contain known events, but has "archive"'],
    [[], '"events" must name at least one event'],
  ])('refuses the activation with %j', (chosen, message) => {
    expect(() => specs(chosen)).toThrow(message);
  });

  test('returns the event in the workflow’s time zone', async () => {
    const json = [{ event: 'activate', timestamp: '2026-11-20T07:30:00.000Z' }];
    const output = await runForJson(type, { json, timezone: 'Europe/Berlin', parameters: example.parameters });
    expect(output).toEqual([{ ...example.outputs?.[0]?.[0], workflow_id: 'w' }]);
  });

  test('a manual run reports that there is no event', async () => {
    expect(await runForJson(type)).toEqual([{ event: 'manual', timestamp: expect.any(String), workflow_id: 'w' }]);
  });
});
