import { type Attacks, accepted, manyObjects } from '../../../testing/attack.ts';

const many = <T>(entry: (id: number) => T) => Array.from({ length: 100_000 }, (_, id) => entry(id));

export const attacks: Attacks = {
  'high-level': () => [
    {
      name: 'many custom fields and tags',
      parameters: {
        email: 'a@b.test',
        additionalFields: {
          customFields: { values: many((id) => ({ fieldId: { __rl: true, mode: 'id', value: `f${id}` }, fieldValue: 'x' })) },
          tags: many((id) => `t${id}`),
        },
      },
      answer: accepted,
    },
    {
      name: 'an email address that many contacts almost have',
      parameters: { resource: 'task', operation: 'getAll', contactId: 'a@b.test' },
      answer: () => `{"contacts":${manyObjects(300_000)}}`,
    },
    {
      name: 'slots of many users',
      parameters: {
        resource: 'calendar',
        operation: 'getFreeSlots',
        calendarId: '1',
        startDate: '2026-01-31',
        endDate: '2026-02-01',
        additionalFields: { userIds: many((id) => `u${id}`) },
      },
      answer: accepted,
    },
  ],
};
