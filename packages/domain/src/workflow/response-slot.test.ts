import { describe, expect, test } from '@jest/globals';
import type { FormResponse } from './form.ts';
import { formSlot, responseSlot, type SlotWait, starterSlot } from './response-slot.ts';
import type { WebhookResponseSpec } from './webhook.ts';

const page = { title: '', description: '', buttonLabel: '', fields: [] };

function aForm(attempt: number, { nextPage = false, called = true, mode = 'onReceived' }: FormOptions = {}): SlotWait {
  const form = { page, isNextPage: nextPage, response: { mode, ending: { kind: 'text' } } as const };
  return { attempt, called, call: { form } };
}

interface FormOptions {
  nextPage?: boolean;
  called?: boolean;
  mode?: FormResponse['mode'];
}

function aWait(attempt: number, mode?: WebhookResponseSpec['mode']): SlotWait {
  return { attempt, called: true, call: mode ? { answer: { mode, status: 200, headers: {}, data: 'noData' } } : {} };
}

const response = { endsForm: false, startedByForm: false };
const ending = { endsForm: true, startedByForm: false };
const endingOfStarter = { endsForm: true, startedByForm: true };

describe('the response of a node', () => {
  test.each<[string, SlotWait[], number]>([
    ['the starter, if nothing has been waited for', [], starterSlot],
    ['the last request that waits for a node', [aWait(3, 'responseNode'), aWait(2, 'responseNode')], 3],
    [
      'the request that still waits for a node, over requests that do not',
      [aWait(4), aWait(3, 'lastNode'), aWait(2, 'responseNode')],
      2,
    ],
    ['the starter, over a form that is answered at once', [aForm(2)], starterSlot],
    ['the starter, over a form that is answered by the end', [aForm(2, { mode: 'lastNode' })], starterSlot],
    ['a form that waits for a node', [aForm(3, { mode: 'responseNode' }), aWait(2, 'responseNode')], 3],
    [
      'a form that waits for a node, whose next page was submitted',
      [aForm(3, { nextPage: true }), aForm(2, { mode: 'responseNode' })],
      2,
    ],
    ['the starter, if the form was not submitted in time', [aForm(2, { mode: 'responseNode', called: false })], starterSlot],
  ])('is for %s', (_, waits, slot) => {
    expect(responseSlot(waits, response)).toBe(slot);
  });
});

describe('an ending', () => {
  test.each<[string, SlotWait[], number]>([
    ['the last form', [aForm(3), aForm(2)], 3],
    ['the form that its last page belongs to', [aForm(4, { nextPage: true }), aForm(2)], 2],
    ['the last form, over requests', [aWait(3, 'responseNode'), aForm(2)], 2],
    ['the last request that waits for a node, if there was no form', [aWait(2, 'responseNode')], 2],
    ['the starter, if no other request waits', [aWait(2)], starterSlot],
  ])('is for %s', (_, waits, slot) => {
    expect(responseSlot(waits, ending)).toBe(slot);
  });

  test('is for the form that started the execution, rather than for requests, until the execution shows another form', () => {
    expect(responseSlot([aWait(2, 'responseNode')], endingOfStarter)).toBe(starterSlot);
    expect(responseSlot([aForm(3), aWait(2, 'responseNode')], endingOfStarter)).toBe(3);
  });
});

test('a form’s submitter finds the responses to that form, regardless of which page was submitted', () => {
  const [last, first] = [aForm(4, { nextPage: true }), aForm(2)];
  expect(formSlot([last, first])).toBe(2);
  expect(formSlot([first])).toBe(2);
  expect(formSlot([aForm(2, { nextPage: true })])).toBe(starterSlot);
  expect(formSlot([])).toBe(starterSlot);
});
